"""Timers that repeat by the calendar: by day, week, month and year, also over a change of calendar."""

from itertools import islice
from typing import Any

import pytest

from domain.campaign.calendar.repetition import moments_after
from domain.campaign.calendar_shapes import (
    CalendarDate,
    CalendarShape,
    LeapDays,
    Month,
    as_json,
    calendar_of,
    earth,
)
from domain.campaign.commands import SetSetting
from domain.campaign.messages.base_types import EndDate, Span
from domain.campaign.messages.timers import (
    AnyRepetition,
    EveryDay,
    EveryMonth,
    EveryMonthEnd,
    EveryMonthWeekday,
    EveryWeek,
    EveryYear,
    PauseTimer,
    ResumeTimer,
    ScheduleTimer,
)
from domain.campaign.settings import CALENDAR
from domain.rejection import Rejection
from tests.domain.campaign.calendars_made import CALENDARS
from tests.services.calendar_played import CalendarPlayed

START = earth(CalendarDate(2187, 1, 30, 18, 30))


def dates(repeats: AnyRepetition, n: int, shape: CalendarShape = START) -> list[str]:
    calendar = calendar_of(shape)
    return [calendar.date_of(at).text for at in islice(moments_after(calendar, repeats, 3_600, 0), n)]


@pytest.mark.parametrize(
    ("repeats", "expected"),
    [
        (EveryDay(), ["Wednesday, 31 January 2187", "Thursday, 1 February 2187"]),
        (EveryWeek([1, 4]), ["Thursday, 1 February 2187", "Monday, 5 February 2187"]),
        (EveryMonth(31), ["Wednesday, 31 January 2187", "Saturday, 31 March 2187"]),
        (
            EveryMonthEnd(),
            ["Wednesday, 31 January 2187", "Wednesday, 28 February 2187", "Saturday, 31 March 2187"],
        ),
        (EveryMonthWeekday(5, 5), ["Friday, 30 March 2187", "Friday, 29 June 2187"]),
        (EveryMonthWeekday(5), ["Friday, 23 February 2187", "Friday, 30 March 2187"]),
        (EveryYear(2, 29), ["Thursday, 1 March 2187", "Friday, 29 February 2188", "Sunday, 1 March 2189"]),
        (EveryYear(2, 29, "not_at_all"), ["Friday, 29 February 2188", "Wednesday, 29 February 2192"]),
        (EveryYear(12, 31), ["Monday, 31 December 2187", "Wednesday, 31 December 2188"]),
    ],
)
def test_days_come_by_their_rule(repeats: AnyRepetition, expected: list[str]):
    assert dates(repeats, len(expected)) == [f"{date}, 01:00" for date in expected]


def test_festivals_outside_the_week_are_no_weekdays_and_leap_feasts_are_birthdays_too():
    shape = CALENDARS["feasts outside the week, one in leap years"]
    assert dates(EveryWeek([1]), 5, shape)[2:4] == [
        "Day 1, 21 Month 1 1492, 01:00",
        "Day 1, 1 Month 1 1492, 01:00",
    ]
    assert dates(EveryYear(6, 1, "not_at_all"), 2, shape) == ["Shield Day 1492, 01:00", "Shield Day 1496, 01:00"]
    after = dates(EveryYear(6, 1), 2, shape)
    assert after == ["Shield Day 1492, 01:00", "Day 1, 1 Month 1 1494, 01:00"]


@pytest.mark.parametrize("shape", CALENDARS.values(), ids=[*CALENDARS])
def test_moments_of_a_rule_are_in_order_and_hold_wherever_one_begins(shape: CalendarShape):
    calendar = calendar_of(shape)
    for repeats in (EveryDay(), EveryWeek([1]), EveryMonth(3), EveryMonthEnd(), EveryYear(1, 2)):
        moments = [*islice(moments_after(calendar, repeats, 60, 0), 40)]
        assert moments == sorted({*moments})
        for nth in (place for place in (0, 7, 30) if place < len(moments)):
            later = [*islice(moments_after(calendar, repeats, 60, moments[nth]), 5)]
            assert later == moments[nth + 1 : nth + 6] or nth + 6 > len(moments)
            assert next(moments_after(calendar, repeats, 60, moments[nth] - 1)) == moments[nth]


@pytest.fixture
def table() -> CalendarPlayed:
    table = CalendarPlayed()
    table.do("ana", SetSetting(CALENDAR, as_json(START)))
    return table


def scheduled(table: CalendarPlayed, repeats: AnyRepetition, **more: Any) -> str:
    [event] = table.do("ana", ScheduleTimer(title="Feast", repeats=repeats, **more))
    timer_id: str = event.timer_id
    return timer_id


def fired(table: CalendarPlayed, days: int) -> list[str]:
    events = table.pass_days(days=days)
    shape = table.state.changed_settings.get(CALENDAR)
    assert shape is not None
    calendar = calendar_of(START)
    return [calendar.date_of(event.due).text for event in events if type(event).__name__ == "TimerFired"]


def test_a_birthday_fires_every_year_at_the_time_of_day_at_which_it_began(table: CalendarPlayed):
    scheduled(table, EveryYear(2, 29), until=EndDate(2187, 2, 28, 9))
    assert fired(table, 800) == [
        "Thursday, 1 March 2187, 09:00",
        "Friday, 29 February 2188, 09:00",
        "Sunday, 1 March 2189, 09:00",
    ]


def test_the_first_day_may_be_the_one_from_which_it_repeats_and_it_ends_after_its_times(table: CalendarPlayed):
    scheduled(table, EveryMonthEnd(), after=Span(days=1), times=2)
    assert fired(table, 400) == ["Wednesday, 31 January 2187, 18:30", "Wednesday, 28 February 2187, 18:30"]
    assert table.state.timers == {}


def test_a_rule_follows_a_change_of_the_calendar_and_comes_back_when_that_is_undone(table: CalendarPlayed):
    timer = scheduled(table, EveryMonth(1))
    before = table.state.timers[timer].due
    short = CalendarShape(months=[Month("Frost", 20), Month("Thaw", 20)], week=[], leap_days=[LeapDays("4", 2)])
    table.do("ana", SetSetting(CALENDAR, as_json(short)))
    assert table.state.timers[timer].due == 66_600, "the first of Frost is today"
    table.do("ana", SetSetting(CALENDAR, as_json(START)))
    assert table.state.timers[timer].due == before


def test_a_rule_that_begins_later_does_so_by_another_calendar_too(table: CalendarPlayed):
    timer = scheduled(table, EveryMonth(1), until=EndDate(2190, 6, 2))
    before = table.state.timers[timer].due
    table.do("ana", SetSetting(CALENDAR, as_json(CalendarShape(year=2187))))
    assert before - 32 * 86_400 < table.state.timers[timer].due < before + 32 * 86_400
    table.do("ana", PauseTimer(timer))
    table.do("ana", ResumeTimer(timer))
    assert table.state.timers[timer].due > before - 32 * 86_400


def test_a_paused_rule_goes_on_with_its_next_day(table: CalendarPlayed):
    timer = scheduled(table, EveryMonth(1))
    table.do("ana", PauseTimer(timer))
    table.pass_days(days=40)
    table.do("ana", ResumeTimer(timer))
    assert fired(table, 40) == ["Sunday, 1 April 2187, 18:30"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"repeats": EveryYear(2, 30)}, "day_never_comes"),
        ({"repeats": EveryYear(13, 1)}, "day_never_comes"),
        ({"repeats": EveryWeek([8])}, "day_never_comes"),
        ({"repeats": EveryMonth(32)}, "day_never_comes"),
        ({"repeats": EveryDay(), "every": Span(days=1)}, "two_repetitions"),
        ({"repeats": EveryDay(), "clock": "real"}, "date_needs_calendar"),
        ({"repeats": EveryDay(), "until": EndDate(2187, 2, 30)}, "date_impossible"),
        ({"repeats": EveryDay(), "until": EndDate(2187, 2, 3), "after": Span(days=1)}, "span_and_date"),
    ],
)
def test_a_rule_that_never_comes_is_refused(table: CalendarPlayed, fields: dict[str, Any], code: str):
    with pytest.raises(Rejection) as refusal:
        table.do("ana", ScheduleTimer(title="Feast", **fields))
    assert refusal.value.code == code


def test_too_many_firings_of_a_rule_are_refused_before_any(table: CalendarPlayed):
    scheduled(table, EveryDay())
    with pytest.raises(Rejection) as refusal:
        table.pass_days(days=2_500)
    assert refusal.value.code == "too_much_due"
