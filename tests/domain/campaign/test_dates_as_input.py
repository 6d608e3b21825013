"""Commands that take a date of the calendar instead of a span."""

from typing import Any

import pytest

from domain.campaign.calendar_shapes import as_json, calendar_of, date_of
from domain.campaign.commands import AdvanceCalendar, SetSetting, StartDowntime
from domain.campaign.messages.base_types import EndDate, Span
from domain.campaign.messages.downtime import PlanActivity
from domain.campaign.messages.timers import ScheduleTimer
from domain.campaign.settings import OWN, settings_of
from domain.ids import CharacterId
from domain.rejection import Rejection
from tests.domain.campaign.calendars_made import CALENDARS
from tests.services.calendar_played import DAY, HOUR, CalendarPlayed

EARTH = {"months": None, "leap_days": [{"rule": "400,!100,4", "month": 2}], "starts": {"year": 2187}}


@pytest.fixture
def table() -> CalendarPlayed:
    """A campaign that began on 1 January 2187, on Earth."""
    shape = {name: part for name, part in EARTH.items() if part is not None}
    return CalendarPlayed(**{"campaign.calendar": shape})


def refused(table: CalendarPlayed, command: Any) -> Rejection:
    with pytest.raises(Rejection) as refusal:
        table.do("ana", command)
    return refusal.value


def test_time_passes_until_a_date_and_the_event_says_how_long_that_took(table):
    [passed] = table.do("ana", AdvanceCalendar(until=EndDate(2187, 3, 1, 6)))
    assert passed.seconds == passed.game_time_after == 59 * DAY + 6 * HOUR
    [passed] = table.do("ana", AdvanceCalendar(until=EndDate(2188, 3, 1, 6)))
    assert passed.seconds == 366 * DAY, "2188 has a 29 February"
    assert table.folded_again()


def test_timers_downtime_and_activities_take_a_date_too(table):
    [timer] = table.do("ana", ScheduleTimer("Feast", until=EndDate(2187, 2, 28), every=Span(days=7)))
    assert (timer.due, timer.every, timer.clock) == (58 * DAY, 7 * DAY, "game")
    [downtime] = table.do("ana", StartDowntime(until=EndDate(2187, 2, 1)))
    assert downtime.until == 31 * DAY
    pilot = CharacterId("pilot-1")
    plan = PlanActivity(pilot, "train", "Drill", until=EndDate(2187, 1, 8))
    assert refused(table, plan).code == "unknown_character", "it is the person that is not there, not the date"


def test_a_date_waits_on_the_calendar_even_where_timers_are_set_in_real_time(table):
    table.do("ana", SetSetting("campaign.timer_clock", "real"))
    until = EndDate(2187, 1, 2)
    assert table.do("ana", ScheduleTimer("Feast", until=until))[0].clock == "game"
    refusal = refused(table, ScheduleTimer("Feast", until=until, clock="real"))
    assert refusal.code == "date_needs_calendar"


@pytest.mark.parametrize(
    ("date", "reason", "nearest"),
    [
        (EndDate(2187, 2, 29), "February 2187 has 28 days", (2187, 2, 28)),
        (EndDate(2187, 4, 0), "April 2187 has 30 days", (2187, 4, 1)),
        (EndDate(2188, 13, 40), "the calendar has 12 months and festivals", (2188, 12, 31)),
        (EndDate(2188, 1, 1, 24), "the hours of a day go from 0 to 23", (2188, 1, 1)),
        (EndDate(2188, 1, 1, 1, 60), "the minutes of an hour go from 0 to 59", (2188, 1, 1)),
    ],
)
def test_an_impossible_date_is_refused_with_the_nearest_one_that_there_is(table, date, reason, nearest):
    refusal = refused(table, AdvanceCalendar(until=date))
    assert (refusal.code, str(refusal.message)) == ("date_impossible", f"There is no such date: {reason}.")
    assert tuple(refusal.details["nearest"][part] for part in ("year", "month", "day")) == nearest
    table.do("ana", AdvanceCalendar(until=EndDate(**refusal.details["nearest"])))


def test_a_festival_of_leap_years_names_the_nearest_year_that_has_it():
    shield = {
        "months": [{"name": "Thaw", "days": 30}, {"name": "Shieldmeet", "days": 0, "kind": "festival"}],
        "leap_days": [{"rule": "4", "month": 2}],
        "year": 1490,
    }
    table = CalendarPlayed(**{"campaign.calendar": shield})
    refusal = refused(table, AdvanceCalendar(until=EndDate(1493, 2, 1)))
    assert "Shieldmeet does not come in 1493; the nearest year that has it is 1492" in str(refusal.message)
    table.do("ana", AdvanceCalendar(until=EndDate(1492, 2, 1)))
    assert date_of(table.state.game_time, calendar_now(table)).text.endswith("Shieldmeet 1492, 00:00")


def test_a_year_zero_that_there_is_not_is_refused():
    table = CalendarPlayed(**{"campaign.calendar": {"year": -3, "year_zero": False}})
    refusal = refused(table, AdvanceCalendar(until=EndDate(0, 1, 1)))
    assert "there is no year 0" in str(refusal.message)
    assert refusal.details["nearest"]["year"] == 1


def test_exactly_one_of_a_span_and_a_date_is_said_and_no_date_is_past(table):
    table.pass_days(days=3)
    tomorrow = EndDate(2187, 1, 5)
    for command, code in [
        (AdvanceCalendar(), "no_time_given"),
        (AdvanceCalendar(Span(days=1), tomorrow), "span_and_date"),
        (AdvanceCalendar(until=EndDate(2187, 1, 4)), "date_past"),
        (AdvanceCalendar(until=EndDate(-400, 1, 4)), "date_past"),
        (AdvanceCalendar(until=EndDate(999_999, 1, 4)), "calendar_ends"),
        (ScheduleTimer("Feast"), "no_time_given"),
        (ScheduleTimer("Feast", Span(days=1), until=tomorrow), "span_and_date"),
        (ScheduleTimer("Feast", until=EndDate(2187, 1, 1)), "date_past"),
        (StartDowntime(span=Span(days=1), until=tomorrow), "span_and_date"),
        (StartDowntime(until=EndDate(2187, 2, 31)), "date_impossible"),
    ]:
        assert refused(table, command).code == code, command
    assert table.do("ana", StartDowntime())[0].until is None, "downtime may have no end"


def calendar_now(table: CalendarPlayed) -> Any:
    return settings_of(OWN, table.state.changed_settings).calendar


@pytest.mark.parametrize("name", CALENDARS)
def test_whatever_calendar_is_played_time_passes_to_the_date_that_was_named(name):
    shape = CALENDARS[name]
    table = CalendarPlayed(**{"campaign.calendar": as_json(shape)})
    calendar = calendar_of(shape)
    for days in (1, 40, 400, 4_000):
        moment = calendar.moment_of_day(calendar.day_of(table.state.game_time) + days)
        date = calendar.date_of(moment)
        table.do("ana", AdvanceCalendar(until=EndDate(date.year, date.month, date.day)))
        assert table.state.game_time == moment
