"""The page of a month: its days in weeks, what lies on them, the ways to other months, and its readers."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.services.conftest import Table
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

CALENDAR = {
    "months": [
        {"name": "Frost", "days": 6},
        {"name": "Midwinter", "days": 1, "kind": "festival", "outside_week": True},
        {"name": "Thaw", "days": 6},
    ],
    "week": ["Oneday", "Twoday", "Threeday"],
    "year": 312,
    "moons": [{"name": "Pale", "cycle": "8"}],
}


def shown(browser: Browser, table: Table, query: str = "") -> Element:
    return browser.page(f"/c/{table.campaign_id}/calendar{query}").one("main")


def rows(page: Element) -> list[list[str]]:
    return [[cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")]


def test_a_month_stands_in_weeks_with_what_lies_on_its_days(table: Table, gm: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=CALENDAR)
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Anka")
    table.act(table.gm, "campaign.start_session", title="Ashore", present=[table.gm.account_id])
    table.act(table.gm, "campaign.schedule_timer", title="Harbour dues", after={"days": 4})
    table.act(table.gm, "campaign.schedule_timer", title="Watch", after={"days": 5}, every={"hours": 6}, times=4)
    table.act(table.gm, "campaign.advance_calendar", by={"days": 1})
    page = shown(gm, table)
    assert page.one("h1").text == "Frost 312"
    assert rows(page) == [
        ["1 Oneday Pale: new moon Play session 1: Ashore", "2 Twoday today Play session 1: Ashore", "3 Threeday"],
        ["4 Oneday", "5 Twoday Pale: full moon Harbour dues", "6 Threeday Watch, 4 times"],
        ["Midwinter"],
    ]
    [session] = [each for each in page.all("a") if each.text == "Play session 1: Ashore"]
    assert gm.get(session.attributes["href"]).status_code == 200


def test_other_months_are_a_link_or_a_form_away(table: Table, gm: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=CALENDAR)
    [later] = shown(gm, table).all("a", rel="next")
    thaw = gm.page(later.attributes["href"]).one("main")
    assert thaw.one("h1").text == "Thaw 312"
    [back] = thaw.all("a", rel="prev")
    assert gm.page(back.attributes["href"]).one("main").one("h1").text == "Frost 312"
    [today] = [each for each in thaw.all("a") if each.text == "Today"]
    assert gm.page(today.attributes["href"]).one("main").one("h1").text == "Frost 312"
    assert shown(gm, table, "?year=400&month=2").one("h1").text == "Frost 400"
    assert gm.get(f"/c/{table.campaign_id}/calendar?month=4").status_code == 422


@pytest.mark.parametrize(
    ("query", "entered"), [("year=", ""), ("year=x&month=2", "x"), ("year=9999999", "9999999")]
)
def test_a_year_that_cannot_be_is_told_beside_its_field_and_the_page_stays(
    table: Table, gm: Browser, query: str, entered: str
):
    answer = gm.get(f"/c/{table.campaign_id}/calendar?{query}")
    assert answer.status_code == 400
    page = page_of(answer.text).one("main")
    field = page.one("input", name="year")
    assert (field.attributes["value"], field.attributes["aria-invalid"]) == (entered, "true")
    assert page.one("p", id=field.attributes["aria-describedby"]).text.startswith("Enter a whole number from ")
    assert page.one("h1").text == shown(gm, table).one("h1").text


def test_a_calendar_without_weeks_is_a_list_of_days(table: Table, gm: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=CALENDAR | {"week": []})
    assert [len(row) for row in rows(shown(gm, table))] == [1] * 7


def test_a_month_of_the_past_says_what_was_known_then(table: Table, gm: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=CALENDAR)
    before = table.act(table.gm, "campaign.schedule_timer", title="Dues", after={"days": 2})["seq"]
    table.act(table.gm, "campaign.schedule_timer", title="Taxes", after={"days": 3})
    page = shown(gm, table, f"?at={before}")
    assert "Dues" in page.text
    assert "Taxes" not in page.text
    assert all(f"at={before}" in each.attributes["href"] for each in page.all("a", rel="next"))
    assert "Taxes" in shown(gm, table).text


def test_the_month_of_a_player_holds_nothing_that_is_hidden(table: Table, gm: Browser, player: Browser):
    hidden = {"type": "campaign.schedule_timer", "title": "The duke strikes", "after": {"days": 1}}
    assert table.gm.post(f"{table.path}/actions", {"command": hidden, "visibility": "gm"}).status_code == 201
    assert "The duke strikes" in shown(gm, table).text
    assert "duke" not in shown(player, table).text
    assert "duke" not in table.player.get(f"{table.path}/calendar/month").text
    as_player = gm.page(f"/c/{table.campaign_id}/as/{table.player.account_id}/calendar").one("main")
    assert "duke" not in as_player.text


def test_the_usual_calendar_is_read_in_the_readers_language(table: Table, client: TestClient[Any]):
    page = shown(Browser(client, "fr").sign_in("Mara"), table, "?year=2188&month=2")
    assert page.one("h1").text == "février 2188"
    assert page.one("thead").text.startswith("lundi")


def test_the_overview_says_the_moons_of_today(table: Table, gm: Browser):
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value=CALENDAR)
    assert "Pale: new moon" in gm.page(f"/c/{table.campaign_id}").one("main").text
    table.act(table.gm, "campaign.advance_calendar", by={"days": 4})
    assert "5 Frost 312 · Pale: full moon" in gm.page(f"/c/{table.campaign_id}").one("main").text
