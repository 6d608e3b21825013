"""`/c/{campaign}/settings`: what a group has settled, read by everyone and changed by GMs."""

from typing import Any

import pytest
from litestar.testing import TestClient
from msgspec import structs

from domain.campaign.calendar_shapes import as_json
from projections.command_forms import RefusedNow
from tests.domain.campaign.calendars_made import CALENDARS
from tests.services.conftest import NO_RATES, Table, table_at
from tests.services.live_api import api
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of
from tests.web.reader import filled


@pytest.fixture
def table(client: TestClient[Any]) -> Table:
    """A Frame State campaign with its GM, Ana, and one player, Mara."""
    return table_at(client)


def settings_of(table: Table) -> dict[str, Any]:
    return {each["key"]: each["value"] for each in table.gm.get(table.path).json()["settings"]}


def entered(page: Element) -> dict[str, Any]:
    return filled(page.one("form", action=path_in(page)))


def path_in(page: Element) -> str:
    return next(path for each in page.all("form") if (path := each.attributes["action"]).endswith("/settings"))


def errors(page: Element) -> dict[str, str]:
    """What is said to be wrong, by the place where it stands."""
    found = page.all("p", class_="error")
    return {each.attributes["id"].removesuffix("-error"): each.text for each in found}


def test_a_gm_changes_what_was_entered_otherwise_and_nothing_else(client, table):
    gm, path = Browser(client).sign_in("Ana"), f"/c/{table.campaign_id}/settings"
    page, before, seq = gm.page(path), settings_of(table), table.seq()
    assert "By default" not in page.text
    form = entered(page) | {"campaign.debt": "refused", "frame_state.starting_currency": "500"}
    saved = page_of(gm.post(path, **form, do="save").text)
    assert saved.one("p", class_="notice", role="status").text == "2 settings are changed."
    changed = {"campaign.debt": "refused", "frame_state.starting_currency": 500}
    assert settings_of(table) == before | changed
    assert "By default: all but purses" in saved.text
    assert table.seq() == seq + 2
    again = page_of(gm.post(path, **form, do="save").text)
    assert again.one("p", class_="notice", role="status").text == "Everything stands as it did."
    gm.post(path, **entered(again) | {"frame_state.starting_currency": ""}, do="save")
    assert settings_of(table) == before | {"campaign.debt": "refused"}


@pytest.mark.parametrize(
    "name", ["earth", "eras and moons", "days of 25 hours", "a named leap day inside a month"]
)
def test_a_calendar_that_nobody_touched_stays_as_it_is(client, table, name):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=as_json(CALENDARS[name]))
    gm, path, seq = Browser(client).sign_in("Ana"), f"/c/{table.campaign_id}/settings", table.seq()
    saved = page_of(gm.post(path, **entered(gm.page(path)), do="save").text)
    assert saved.one("p", class_="notice", role="status").text == "Everything stands as it did."
    assert table.seq() == seq


def test_what_another_gm_changed_meanwhile_stays(client, table):
    gm, path = Browser(client).sign_in("Ana"), f"/c/{table.campaign_id}/settings"
    form = entered(gm.page(path)) | {"campaign.player_undo": "nothing"}
    table.act(table.gm, "campaign.set_setting", key="campaign.downtime_approval", value="gm")
    gm.post(path, **form, do="save")
    found = settings_of(table)
    assert (found["campaign.player_undo"], found["campaign.downtime_approval"]) == ("nothing", "gm")


def test_everything_that_is_wrong_stands_beside_its_field_and_all_entries_stay(client, table):
    gm, path = Browser(client, "fr").sign_in("Ana"), f"/c/{table.campaign_id}/settings"
    form = entered(gm.page(path)) | {
        "campaign.debt": "refused",
        "frame_state.starting_currency": "many",
        "campaign.calendar.months.1.days": "-1",
        "campaign.calendar.months.2.name": "",
        "campaign.calendar.year": "later",
    }
    answer = gm.post(path, **form, do="save")
    page = page_of(answer.text)
    assert answer.status_code == 422
    assert errors(page).keys() == {
        "frame_state-starting_currency",
        "campaign-calendar-months-1-days",
        "campaign-calendar-months-2-name",
        "campaign-calendar-year",
    }
    assert errors(page)["campaign-calendar-months-2-name"] == "Ceci est nécessaire."
    assert errors(page)["campaign-calendar-months-1-days"].startswith("Entrez un nombre entier de 0 à 1")
    assert all(each[0].isupper() and each.endswith(".") for each in errors(page).values()), errors(page)
    ways = [each.attributes["href"] for each in page.one("div", role="alert").all("a")]
    assert ways == ["#campaign-calendar", "#frame_state-starting_currency"]
    assert entered(page) == form
    assert len(page.all("details", class_="setting", open="")) == 1
    assert settings_of(table)["campaign.debt"] == "shared"
    assert gm.post(path, do="save").status_code == 422


def test_settings_are_changed_all_together_or_not_at_all(client, table, monkeypatch):
    gm, path = Browser(client).sign_in("Ana"), f"/c/{table.campaign_id}/settings"
    form = entered(gm.page(path)) | {"campaign.debt": "refused", "frame_state.starting_currency": "500"}
    before, possible = settings_of(table), type(client.app.state.application.possible)
    decided = possible.dry_run

    async def refuse_the_last(self: Any, seen: Any, command: Any) -> Any:
        tried = await decided(self, seen, command)
        if command.key != "frame_state.starting_currency":
            return tried
        why = RefusedNow("setting_invalid", "", "That is too much.")
        return structs.replace(tried, possible=False, refused=why)

    with monkeypatch.context() as patch:
        patch.setattr(possible, "dry_run", refuse_the_last)
        answer = gm.post(path, **form, do="save")
    page = page_of(answer.text)
    assert answer.status_code == 422
    assert errors(page) == {"frame_state-starting_currency": "That is too much."}
    assert entered(page) == form
    assert settings_of(table) == before, "the first of them is not saved either"
    gm.post(path, **form, do="save")
    assert settings_of(table) == before | {"campaign.debt": "refused", "frame_state.starting_currency": 500}


def test_no_rate_stops_the_last_of_several_settings(database):
    with api(database.service, rates={**NO_RATES, "actions_per_minute": 40}) as running:
        table = table_at(running.client)
        gm, path = Browser(running.client).sign_in("Ana"), f"/c/{table.campaign_id}/settings"
        form = entered(gm.page(path)) | {"campaign.debt": "refused", "frame_state.starting_currency": "500"}
        before = settings_of(table)
        while (last := table.try_to(table.gm, "campaign.add_note", text="x")).status_code == 201:
            pass
        answer = gm.post(path, **form, do="save")
        if int(last.headers["retry-after"]) > 5:  # else another minute may have begun
            assert answer.status_code == 422
            assert entered(page_of(answer.text)) == form
            assert settings_of(table) == before


def test_rows_are_added_to_a_long_setting_and_taken_away(client, table):
    gm, path = Browser(client).sign_in("Ana"), f"/c/{table.campaign_id}/settings"
    form = entered(gm.page(path))
    grown = page_of(gm.post(path, **form, do="add:campaign.chart").text)
    assert settings_of(table)["campaign.chart"] == []
    assert len(grown.all("details", class_="setting", open="")) == 1
    row = {"campaign.chart.0.account": "crew:chest", "campaign.chart.0.title": "The chest"}
    saved = page_of(gm.post(path, **entered(grown) | row, do="save").text)
    assert "The chest" in saved.text
    [account] = settings_of(table)["campaign.chart"]
    assert (account["account"], account["title"]) == ("crew:chest", "The chest")
    shorter = page_of(gm.post(path, **entered(saved), do="drop:campaign.chart.0").text)
    gm.post(path, **entered(shorter), do="save")
    assert settings_of(table)["campaign.chart"] == []


def test_what_no_browser_sends_is_refused_and_breaks_nothing(client, table):
    gm, path = Browser(client).sign_in("Ana"), f"/c/{table.campaign_id}/settings"
    form, before = entered(gm.page(path)), settings_of(table)
    forged: list[dict[str, Any]] = [
        {"campaign.debt": "x"},
        {"campaign.calendar.months.99999.days": "1"},
        {"campaign.calendar.months": "x"},
        {"frame_state.starting_currency": "9" * 15},
        {f"campaign.chart.{n}.account": "crew:a" for n in range(400)},
        {"." * 900: "1", "campaign.chart.0.0.0.0": "1"},
    ]
    for each in forged:
        assert gm.post(path, **form | each, do="save").status_code == 422, each
    for do in ("add:campaign.debt", "add:no.where", "drop:campaign", "drop:", "x" * 5000):
        assert gm.post(path, **form, do=do).status_code == 200, do
    for as_of in ("0", "-1", "9" * 15, "x"):
        assert gm.post(path, **form | {"as_of": as_of}, do="save").status_code == 200, as_of
    assert settings_of(table) == before


def test_players_read_the_settings_in_their_language_and_change_none(client, table):
    mara, path = Browser(client, "fr").sign_in("Mara"), f"/c/{table.campaign_id}/settings"
    form = entered(Browser(client).sign_in("Ana").page(path)) | {"campaign.debt": "refused"}
    page = mara.page(path)
    assert page.all("form") == []
    told = {each.one("dt").text: each.all("dd")[0].text for each in page.all("div", class_="setting")}
    assert "Tous sauf les bourses" in told.values()
    assert "par Ana" in page.one("section", aria_labelledby="founding").text
    refused = mara.post(path, **form, do="save")
    assert refused.status_code == 422
    assert "Seul un MJ" in page_of(refused.text).one("div", role="alert").text
    assert settings_of(table)["campaign.debt"] == "shared"


def test_on_paper_a_gm_reads_the_values_that_hold_as_players_do(client, table):
    table.act(table.gm, "campaign.set_setting", key="frame_state.starting_currency", value=500)
    gm, mara = (Browser(client).sign_in(name).page(f"/c/{table.campaign_id}/settings") for name in ("Ana", "Mara"))
    [paper] = gm.all("div", class_="stack on-paper")
    told, held = (
        [dd.text for dd in part.all("dd")] for part in (paper, mara.one("div", class_="columns settings"))
    )
    assert "500" in told
    assert held[: len(told)] == told


def test_an_archived_campaign_shows_its_settings_and_its_file(client, table):
    table.gm.post(f"{table.path}/archive")
    gm = Browser(client).sign_in("Ana")
    page = gm.page(f"/c/{table.campaign_id}/settings")
    assert page.all("form") == []
    file = gm.page(f"/c/{table.campaign_id}/files").all("a", download="")[0].attributes["href"]
    assert gm.get(file).headers["content-disposition"].startswith("attachment")
