"""`/api/calendars/{feed}.ics`: a member's dates in real time, for calendar programs."""

from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import recurring_ical_events
from litestar.testing import TestClient

from services.settings import Settings
from tests.applications import an_application
from tests.calendar_readers import events_of
from tests.engines import DICE_KEY
from tests.services.conftest import NO_RATES, Person, Table
from tests.services.pilots import with_pilot

NAME = "Iron Rain"
FIRST, SECOND = "2030-12-04T19:00Z", "2030-12-11T18:30Z"


def make_feed(table: Table, who: Person) -> str:
    answer = who.post(f"{table.path}/calendar/feed", {})
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    path: str = answer.json()["path"]
    return path


def fetch(table: Table, path: str, **headers: str) -> Any:
    return table.gm.client.get(path, headers=headers)


def read(table: Table, path: str) -> dict[str, Any]:
    return events_of(fetch(table, path))


def facts(event: Any) -> tuple[str, str, datetime]:
    return str(event["SUMMARY"]), str(event["STATUS"]), event.DTSTART


def undo(table: Table, action_id: str, how: str = "undo") -> None:
    assert table.gm.post(f"{table.path}/actions/{action_id}/{how}", {}).status_code == 201


def test_a_play_session_keeps_its_name_wherever_it_moves_and_is_cancelled_when_it_is_called_off(table):
    path = make_feed(table, table.player)
    assert read(table, path) == {}
    table.act(table.gm, "campaign.choose_date", date=FIRST)
    [(uid, event)] = read(table, path).items()
    summary = f"{NAME}: play session"
    assert facts(event) == (summary, "CONFIRMED", datetime(2030, 12, 4, 19, tzinfo=UTC))
    before = event["SEQUENCE"]
    moved = table.act(table.gm, "campaign.choose_date", date=SECOND)["action_id"]
    event = read(table, path)[uid]
    assert facts(event) == (summary, "CONFIRMED", datetime(2030, 12, 11, 18, 30, tzinfo=UTC))
    assert event["SEQUENCE"] > before
    for how, day in (("undo", 4), ("redo", 11)):
        before = event["SEQUENCE"]
        undo(table, moved, how)
        [event] = read(table, path).values()
        assert (event["UID"], event.DTSTART.day) == (uid, day)
        assert event["SEQUENCE"] > before
    before = event["SEQUENCE"]
    called_off = table.act(table.gm, "campaign.call_off_dates", reason="x")["action_id"]
    event = read(table, path)[uid]
    assert (event["STATUS"], event.DTSTART.day) == ("CANCELLED", 11)
    assert event["SEQUENCE"] > before
    before = event["SEQUENCE"]
    undo(table, called_off)
    event = read(table, path)[uid]
    assert event["STATUS"] == "CONFIRMED"
    assert event["SEQUENCE"] > before
    undo(table, called_off, "redo")
    table.act(table.gm, "campaign.choose_date", date=FIRST)
    events = read(table, path)
    assert [events[uid]["STATUS"], *(each["STATUS"] for each in events.values())].count("CONFIRMED") == 1
    assert len(events) == 2


def test_a_session_that_began_stays_and_the_next_one_is_another(table):
    with_pilot(table)
    path = make_feed(table, table.gm)
    table.act(table.gm, "campaign.choose_date", date=FIRST)
    [before] = read(table, path).values()
    table.act(table.gm, "campaign.start_session")
    [began] = read(table, path).values()
    assert facts(began) == facts(before)
    table.act(table.gm, "campaign.end_session")
    table.act(table.gm, "campaign.choose_date", date=SECOND)
    events = read(table, path)
    assert events[str(before["UID"])]["STATUS"] == "CONFIRMED"
    assert [event["STATUS"] for event in events.values()] == ["CONFIRMED"] * 2


def test_timers_in_real_time_are_in_it_and_those_of_the_calendar_are_not(table):
    path = make_feed(table, table.gm)
    names = "Ünïcödé, “timers”; " * 4
    told = table.act(table.gm, "campaign.schedule_timer", title=names, after={"days": 2}, clock="real")
    timer = told["events"][0]["timer_id"]
    table.act(table.gm, "campaign.schedule_timer", title="in the campaign", after={"days": 2}, clock="game")
    [(uid, event)] = read(table, path).items()
    assert facts(event)[:2] == (f"{NAME}: {names.strip()}", "CONFIRMED")
    for command, status in (("pause", "CANCELLED"), ("resume", "CONFIRMED"), ("cancel", "CANCELLED")):
        before = event["SEQUENCE"]
        last = table.act(table.gm, f"campaign.{command}_timer", timer=timer)["action_id"]
        event = read(table, path)[uid]
        assert event["STATUS"] == status
        assert event["SEQUENCE"] > before
    before = event["SEQUENCE"]
    undo(table, last)
    event = read(table, path)[uid]
    assert event["STATUS"] == "CONFIRMED"
    assert event["SEQUENCE"] > before


def test_a_timer_of_whole_days_comes_again_by_a_rule(table):
    path = make_feed(table, table.gm)
    table.act(
        table.gm, "campaign.schedule_timer", title="x", after={"days": 1}, every={"days": 7}, times=3, clock="real"
    )
    [event] = read(table, path).values()
    calendar: Any = icalendar.Calendar.from_ical(fetch(table, path).content)
    comes = recurring_ical_events.of(calendar).between(event.DTSTART, event.DTSTART + timedelta(days=60))
    assert [each.DTSTART - event.DTSTART for each in comes] == [timedelta(days=7 * n) for n in range(3)]


def test_a_feed_is_the_same_until_something_changes_and_then_says_so(table):
    table.act(table.gm, "campaign.choose_date", date=FIRST)
    path = make_feed(table, table.player)
    first = fetch(table, path)
    assert first.headers["last-modified"].endswith("GMT")
    table.act(table.gm, "campaign.add_note", text="nothing of dates")
    assert fetch(table, path, **{"If-None-Match": first.headers["etag"]}).status_code == 304
    table.act(table.gm, "campaign.choose_date", date=SECOND)
    assert fetch(table, path, **{"If-None-Match": first.headers["etag"]}).status_code == 200


def test_a_feed_is_off_until_it_is_made_and_its_address_holds_until_another_is_made_or_it_is_revoked(table):
    mara = table.player
    feed = f"{table.path}/calendar/feed"
    assert mara.get(feed).json()["made_at"] is None
    first = make_feed(table, mara)
    second = make_feed(table, mara)
    assert mara.get(feed).json()["made_at"] is not None
    assert table.gm.get(feed).json()["made_at"] is None
    wrong = second[:-5] + ("A" if second[-5] != "A" else "Q") + ".ics"
    for path in (first, wrong, second.removesuffix(".ics"), "/api/calendars/é.ics"):
        refused = fetch(table, path)
        assert (refused.status_code, refused.json()["code"]) == (404, "feed_not_found")
    assert read(table, second) == {}
    [campaign] = mara.get("/accounts/me/data").json()["campaigns"]
    assert campaign["calendar_feed"] is not None
    assert mara.send("DELETE", feed).status_code == 204
    assert mara.send("DELETE", feed).status_code == 204
    assert fetch(table, second).status_code == 404


def test_a_feed_goes_with_its_member_and_with_the_campaign(table):
    paths = [make_feed(table, who) for who in (table.player, table.gm)]
    assert table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code in (200, 204)
    assert [fetch(table, path).status_code for path in paths] == [404, 200]
    assert table.gm.send("DELETE", table.path, json={"name": NAME}).status_code == 200
    assert [fetch(table, path).status_code for path in paths] == [404, 404]


def test_a_feed_is_in_the_language_of_its_account(table):
    table.act(table.gm, "campaign.choose_date", date=FIRST)
    path = make_feed(table, table.player)
    assert table.player.send("PATCH", "/accounts/me", json={"language": "fr"}).status_code == 204
    [event] = read(table, path).values()
    assert str(event["SUMMARY"]) == f"{NAME}\N{NO-BREAK SPACE}: séance de jeu"


def test_hidden_timers_are_in_the_feed_of_those_who_know_them(table):
    paths = [make_feed(table, who) for who in (table.gm, table.player)]
    command = {"type": "campaign.schedule_timer", "title": "The trap", "after": {"days": 2}, "clock": "real"}
    body = {"command": command, "visibility": "gm"}
    hidden = table.gm.post(f"{table.path}/actions", body)
    assert hidden.status_code == 201, hidden.text
    assert [len(read(table, path)) for path in paths] == [1, 0]


def test_strangers_at_one_address_ask_for_feeds_as_often_as_for_pages_and_no_more(database):
    rates = {**NO_RATES, "actions_per_minute": 5}
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64, **rates)
    with an_application(settings) as app, TestClient(app, raise_server_exceptions=False) as client:
        answers = [client.get(f"/api/calendars/{'A' * 43}.ics") for _ in range(51)]
    assert [answer.status_code for answer in answers] == [404] * 50 + [429]
    assert answers[-1].json()["code"] == "too_many_requests"
