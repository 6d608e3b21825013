"""Times are told as of where their reader is: the account's time zone, else the service's."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.services.conftest import Person, Table
from tests.web.browser import Browser

FAR = "Pacific/Kiritimati"
"""14 hours ahead of UTC."""
NEAR = "Asia/Kathmandu"
"""5 h 45 min ahead: no clock of a whole hour shows the same."""


def is_told(person: Person, time_zone: str | None) -> Any:
    return person.send("PATCH", "/accounts/me", json={"time_zone": time_zone})


def clock_in(at: str, zone: str | None) -> str:
    return f"{datetime.fromisoformat(at).astimezone(None if zone is None else ZoneInfo(zone)):%H:%M}"


def test_an_account_says_its_time_zone_and_keeps_its_language(table: Table):
    assert table.gm.get("/accounts/me").json()["time_zone"] is None
    assert table.gm.send("PATCH", "/accounts/me", json={"language": "fr"}).status_code == 204
    assert is_told(table.gm, FAR).status_code == 204
    you = table.gm.get("/accounts/me").json()
    assert (you["language"], you["time_zone"]) == ("fr", FAR)
    assert is_told(table.gm, None).status_code == 204
    you = table.gm.get("/accounts/me").json()
    assert (you["language"], you["time_zone"]) == ("fr", None)


@pytest.mark.parametrize("wrong", ["Mars/Olympus", "../../etc/passwd", "europe/paris", "", "Etc/GMT+3"])
def test_what_is_no_time_zone_is_refused(table: Table, wrong: str):
    refused = is_told(table.gm, wrong)
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_time_zone")


def test_pages_tell_times_where_their_reader_is(table: Table):
    table.act(table.gm, "campaign.start_scene")
    *_, entry = table.gm.get(f"{table.path}/actions").json()["actions"]
    gm = Browser(table.gm.client).sign_in(table.gm.name)
    player = Browser(table.gm.client).sign_in(table.player.name)
    page = f"/c/{table.campaign_id}/chronicle"

    def shown(browser: Browser) -> str:
        return browser.page(page).all("time")[-1].text

    assert shown(gm) == shown(player) == clock_in(entry["at"], None)
    gm.post("/account/time-zone", time_zone=NEAR)
    assert shown(gm) == clock_in(entry["at"], NEAR)
    assert shown(player) == clock_in(entry["at"], None)
    assert gm.page(page).one("html").attributes["data-zone"] == NEAR


def test_a_recap_names_the_day_on_which_its_reader_played(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Ines Okafor")
    table.act(table.gm, "campaign.start_session")
    recap = table.gm.get(f"{table.path}/recap").json()
    began = datetime.fromisoformat(recap["session"]["began_at"])
    for zone in (FAR, "Pacific/Pago_Pago"):
        is_told(table.gm, zone)
        day = began.astimezone(ZoneInfo(zone)).date().isoformat()
        assert f"({day})" in table.gm.get(f"{table.path}/recap").json()["text"]


def test_the_page_of_the_account_offers_time_zones(table: Table):
    browser = Browser(table.gm.client).sign_in(table.gm.name)
    page = browser.page("/account")
    assert page.all("option", selected="") == [] or FAR not in [
        each.text for each in page.all("option", selected="")
    ]
    browser.post("/account/time-zone", time_zone=FAR)
    assert FAR in [each.text for each in browser.page("/account").all("option") if "selected" in each.attributes]
    assert browser.post("/account/time-zone", time_zone="Mars/Olympus").status_code == 422
    browser.post("/account/time-zone", time_zone="")
    assert table.gm.get("/accounts/me").json()["time_zone"] is None
