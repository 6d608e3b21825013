"""Another calendar on pages: read from a file or a text, its changes looked at, then set, and undone."""

import json
from typing import Any

import httpx
import pytest

from domain.campaign.calendar_files.calendar_reader import FILE_BYTES_MAX
from tests.domain.campaign.calendar_files_made import SIMPLE_CALENDAR
from tests.engines import DatabaseUrls
from tests.services.conftest import NO_RATES, Table, table_at
from tests.services.live_api import api
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of

START = {"year": 2187, "month": 1, "day": 1}
EARTH = {"leap_days": [{"rule": "400,!100,4", "month": 2}], "starts": START}


def sent(browser: Browser, table: Table, text: str = "", file: bytes = b"", **more: Any) -> httpx.Response:
    files = {"file": ("calendar.json", file), "text": (None, text)}
    return browser.send("POST", f"/c/{table.campaign_id}/calendar/read", files=files, **more)


def read(browser: Browser, table: Table, text: str = "", file: bytes = b"") -> Element:
    answer = sent(browser, table, text, file)
    assert answer.status_code == 200, answer.text
    return page_of(answer.text).one("main")


def press(browser: Browser, page: Element, **more: str) -> httpx.Response:
    form = next(each for each in page.all("form") if each.attributes["action"].endswith("/change"))
    said = {each.attributes["name"]: each.attributes["value"] for each in form.all("input", type="hidden")}
    return browser.post(form.attributes["action"], **{**said, **more})


def rows(page: Element) -> list[list[str]]:
    return [[cell.text for cell in [*row.all("th"), *row.all("td")]] for row in page.one("tbody").all("tr")]


def today(table: Table) -> str:
    text: str = table.gm.get(f"{table.path}/calendar").json()["now"]["text"]
    return text


@pytest.fixture
def played(table: Table) -> Table:
    """A campaign in which time has moved, with a timer to come."""
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value={"year": 2187})
    table.act(table.gm, "campaign.advance_calendar", by={"days": 58, "hours": 1})
    table.act(table.gm, "campaign.schedule_timer", title="Harbour dues", after={"days": 365})
    return table


def test_a_file_is_read_then_its_changes_are_shown_then_it_is_set_and_undone(played: Table, gm: Browser):
    page = read(gm, played, file=json.dumps(SIMPLE_CALENDAR).encode())
    report = page.one("section", aria_labelledby="report").text
    assert "A calendar of Simple Calendar" in report
    assert "notes: there is no place for it here" in report
    assert "Today cannot stay the date that it is" in page.text
    assert "the days of Sun 2187 go from 2 to 12" in page.text
    after = press(gm, page, do="set", today="date", day="4", month="3", year="14")
    assert after.status_code == 200
    assert page_of(after.text).one("h1").text == "Sun 14 AF"
    assert today(played) == "Flood, 4 Sun 14 AF, 01:00"
    last = played.gm.get(f"{played.path}/actions?before=9007199254740992&limit=1").json()["actions"][0]
    assert played.gm.post(f"{played.path}/actions/{last['action_id']}/undo", {}).status_code == 201
    assert "28 February 2187, 01:00" in today(played)


def test_today_stays_or_time_does_as_a_gm_says(played: Table, gm: Browser):
    page = gm.page(f"/c/{played.campaign_id}/calendar/read?preset=earth").one("main")
    assert rows(page) == [
        [
            "Today",
            "Wednesday, 28 February 2187, 01:00",
            "Wednesday, 28 February 2187, 01:00",
            "Wednesday, 28 February 1, 01:00",
        ],
        [
            "Harbour dues",
            "Thursday, 28 February 2188, 01:00",
            "Thursday, 28 February 2188, 01:00",
            "Thursday, 28 February 2, 01:00",
        ],
    ]
    looked = page_of(press(gm, page, do="look", today="date", year="2188", month="2", day="29").text).one("main")
    assert rows(looked)[0][-1] == "Friday, 29 February 2188, 01:00"
    assert "28 February 2187, 01:00" in today(played), "nothing is set yet"
    press(gm, looked, do="set", today="stays")
    assert today(played) == "Wednesday, 28 February 2187, 01:00"
    timer = played.gm.get(f"{played.path}/timers").json()["timers"][0]
    assert timer["date"]["text"] == "Thursday, 28 February 2188, 01:00"
    assert timer["game_time"] == 423 * 86_400 + 3600


def test_programs_look_at_a_change_and_set_what_they_were_answered(played: Table):
    stands = {"year": 2187, "month": 2, "day": 28, "hour": 1}
    answer = played.player.post(
        f"{played.path}/calendar/preview", {"calendar": EARTH, "today": {**stands, "day": 27}}
    )
    assert answer.status_code == 200, answer.text
    change = answer.json()
    assert (change["now"]["before"]["text"], change["now"]["after"]["text"]) == (
        "Wednesday, 28 February 2187, 01:00",
        "Tuesday, 27 February 2187, 01:00",
    )
    assert [timer["title"] for timer in change["timers"]] == ["Harbour dues"]
    played.act(played.gm, "campaign.set_setting", key="campaign.calendar", value=change["calendar"])
    assert today(played) == "Tuesday, 27 February 2187, 01:00"
    refused = played.gm.post(
        f"{played.path}/calendar/preview", {"calendar": EARTH, "today": {"year": 1, "day": 40}}
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "date_impossible")


def test_a_change_shows_players_no_timer_that_is_hidden_from_them(played: Table):
    hidden = {"type": "campaign.schedule_timer", "title": "The duke strikes", "after": {"days": 1}}
    played.gm.post(f"{played.path}/actions", {"command": hidden, "visibility": "gm"})
    for who, knows in ((played.gm, True), (played.player, False)):
        answer = who.post(f"{played.path}/calendar/preview", {"calendar": EARTH})
        assert ("duke" in answer.text) == knows


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Choose a file, or paste its text."),
        ("{", "That is no JSON."),
        ("[" * 5_000, "That is no JSON."),
        ("\x80", "That is no JSON."),
        ("{}", "This is no calendar of a known tool. Looked for: Fantasy-Calendar"),
        ('{"calendar": {"months": [{"name": "Ice", "numberOfDays": -1}]}}', "The file cannot be read"),
    ],
)
def test_what_is_no_calendar_is_refused_with_what_was_looked_for(table: Table, gm: Browser, text: str, words: str):
    answer = sent(gm, table, text=text)
    assert answer.status_code == 422
    assert words in page_of(answer.text).one("main").text


def test_only_gms_change_the_calendar_and_forms_have_limits(table: Table, gm: Browser, player: Browser):
    path = f"/c/{table.campaign_id}/calendar"
    assert player.get(f"{path}/read").status_code == 403
    assert sent(player, table, text="{}").status_code == 403
    assert player.post(f"{path}/change", calendar="{}", do="set").status_code == 403
    assert sent(gm, table, file=b" " * (FILE_BYTES_MAX + 1)).status_code == 413
    assert sent(gm, table, text="{}", headers={"Origin": "https://evil.example"}).status_code == 403
    for calendar in ("", "{", '{"months": []}', '{"leap_days": [{"rule": "4", "month": 60}]}'):
        assert gm.post(f"{path}/change", calendar=calendar, do="set").status_code == 422
    for bad in ({"year": "99999999"}, {"today": "x"}, {"month": "61"}, {"day": "31", "month": "2"}):
        answer = gm.post(f"{path}/change", calendar="{}", do="set", **{"today": "date", **bad})
        assert answer.status_code == 422


def test_changes_by_the_page_count_as_actions_and_one_too_many_is_kept_for_later(database: DatabaseUrls):
    with api(database.service, rates={**NO_RATES, "actions_per_minute": 30}) as running:
        table = table_at(running.client)
        gm = Browser(running.client).sign_in("Ana")
        page = gm.page(f"/c/{table.campaign_id}/calendar/read?preset=earth").one("main")
        while (last := table.try_to(table.gm, "campaign.add_note", text="x")).status_code == 201:
            pass
        seq = table.seq()
        answer = press(gm, page, do="set", today="date", year="1492")
        if int(last.headers["retry-after"]) > 5:  # else another minute may have begun
            assert table.seq() == seq
            assert page_of(answer.text).one("input", name="year").attributes["value"] == "1492"
