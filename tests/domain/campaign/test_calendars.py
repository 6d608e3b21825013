"""Calendars with every trait that groups play by: dates, weekdays, years, and the way back from each."""

import datetime as dt
import timeit
from itertools import count as counting
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.calendar_checks import fault_of
from domain.campaign.calendar_shapes import (
    CalendarDate,
    CalendarShape,
    CountedCalendar,
    LeapDays,
    Month,
    as_json,
    calendar_of,
    date_of,
    earth,
)
from domain.campaign.day_count import LeapRule
from tests.domain.campaign.calendars_made import CALENDARS, SHORT_WEEK

FAR = 100_000 * 366
BEFORE = 740_000
"""Days from 1 January 1 to the years of today."""


def next_day_differs(calendar: CountedCalendar, count: int) -> None:
    """A day and the next: each is found again from its date, and the week goes on by one or stands still."""
    days = [calendar.days.day(count + nth) for nth in (0, 1)]
    for nth, day in enumerate(days):
        found = calendar.days.count(day.year, day.month, day.day)
        assert found == count + nth, (count + nth, day)
        date = calendar.date_of(calendar.moment_of_day(count + nth))
        written = CalendarDate(date.year, date.month, date.day)
        assert calendar.moment_of(written) == calendar.moment_of_day(count + nth)
    assert (days[0].year, days[0].month, days[0].day) < (days[1].year, days[1].month, days[1].day)


@pytest.mark.parametrize("name", CALENDARS)
def test_every_day_is_found_again_from_its_date(name: str):
    calendar = calendar_of(CALENDARS[name])
    assert fault_of(CALENDARS[name]) is None
    for count in (*range(-900, 900, 7), *range(-10, 400), -FAR, FAR, BEFORE):
        next_day_differs(calendar, count)


intervals = st.lists(
    st.builds("{}{}".format, st.sampled_from(["", "", "!", "+", "!+"]), st.integers(1, 12)), min_size=1, max_size=4
).map(",".join)
calendars = st.builds(
    lambda lengths, feasts, leaps, week, first, restarts, year, zero: CalendarShape(
        months=[
            Month(f"M{nth}", days, kind="festival" if nth in feasts else "month", outside_week=nth in feasts)
            for nth, days in enumerate([*lengths, 1])
        ],
        week=[f"W{nth}" for nth in range(week)],
        year=year if zero or year else 1,
        leap_days=[
            LeapDays(rule, min(month, len(lengths) + 1), days, offset, name, after, bool(name))
            for rule, month, days, offset, name, after in leaps
        ],
        first_weekday=min(first, max(1, week)),
        week_restarts=restarts,
        year_zero=zero,
    ),
    st.lists(st.integers(0, 9), max_size=4),
    st.sets(st.integers(0, 4)),
    st.lists(
        st.tuples(
            intervals,
            st.integers(1, 5),
            st.integers(1, 4),
            st.integers(-9, 9),
            st.sampled_from(["", "Feast", "Fast"]),
            st.none() | st.integers(0, 9),
        ),
        max_size=3,
    ),
    st.integers(0, 8),
    st.integers(1, 8),
    st.sampled_from(["never", "month", "year"]),
    st.integers(-30, 30),
    st.booleans(),
)


@given(calendars, st.integers(-2_000, 2_000) | st.integers(-FAR, FAR))
def test_whatever_a_calendar_is_like_its_days_are_found_again(shape: CalendarShape, count: int):
    assert fault_of(shape) is None
    next_day_differs(calendar_of(shape), count)


@given(calendars, st.integers(-300, 300))
def test_weekdays_follow_one_another_but_where_the_week_pauses_or_restarts(shape: CalendarShape, count: int):
    calendar = calendar_of(shape)
    days = [calendar.days.day(count + nth) for nth in range(40)]
    for before, after in pairwise(day for day in days if day.weekday is not None):
        restarts = (
            shape.week_restarts == "month" and (before.year, before.month) != (after.year, after.month)
        ) or (shape.week_restarts == "year" and before.year != after.year)
        expected = ((before.weekday or 0) + 1) % len(shape.week)
        if restarts:
            expected = 0 if shape.week_restarts == "month" else shape.first_weekday - 1
        assert after.weekday == expected


@given(st.dates())
def test_earth_agrees_with_the_gregorian_calendar(day: dt.date):
    date = date_of((day.toordinal() - 1) * 86_400, earth())
    assert (date.year, date.month, date.day) == (day.year, day.month, day.day)
    assert date.text == f"{day:%A}, {day.day} {day:%B} {day.year}, 00:00"


@given(intervals, st.integers(-20, 20), st.integers(-400, 400))
def test_leap_years_are_counted_as_they_are_found(rule: str, offset: int, year: int):
    leap = LeapRule(rule, offset)
    in_closed_form = sum(sign for sign, modulus, residue in leap.terms() if year % modulus == residue)
    assert in_closed_form == leap.holds(year)


def test_known_days_of_made_calendars_are_these():
    def on(name: str, **date: int) -> str:
        calendar = calendar_of(CALENDARS[name])
        moment = calendar.moment_of(CalendarDate(**date))
        assert moment is not None
        return calendar.date_of(moment).text

    assert on("earth", year=2026, month=1) == "Thursday, 1 January 2026, 00:00"
    assert on("earth", year=2188, month=2, day=29).startswith("Friday, 29 February 2188")
    feasts = "feasts outside the week, one in leap years"
    assert on(feasts, year=1492, month=2) == "Midwinter 1492, 00:00"
    assert on(feasts, year=1492, month=3) == "Day 1, 1 Month 1 1492, 00:00"
    assert on(feasts, year=1492, month=6) == "Shield Day 1492, 00:00"
    assert on("feasts inside the week", year=1, month=3) == "Spring, 1 Brewing 1, 00:00"
    assert on("one month, a holiday before it", year=1105, month=1) == "Holiday 1105, 00:00"
    assert on("one month, a holiday before it", year=1105, month=2, day=2).startswith("Ebb, 2 Year 1105")
    assert on("a named leap day inside a month", year=1, month=1, day=1) == "Still 1, 00:00"
    assert on("a named leap day inside a month", year=1, month=1, day=2).startswith("Ebb, 2 Month 1")
    assert on("days of 25 hours", year=1, month=2, day=3, hour=24, minute=49) == "3 Month 2 1, 24:49"
    assert "-1," in on("no year zero", year=-1, month=2, day=29)
    eras = "eras and moons"
    assert "1 before Before, " in on(eras, year=-1)
    assert "299 OK" in on(eras, year=299)
    assert "year 1 Of Salt" in on(eras, year=300)


def test_moons_go_through_their_phases():
    calendar = calendar_of(CALENDARS["eras and moons"])
    assert [moon.phase for moon in calendar.moons_on(0)] == ["new moon", "dark"]
    assert [moon.phase for moon in calendar.moons_on(15)] == ["full moon", "bright"]
    assert [calendar.moons_on(nth)[1].phase for nth in (7, 8, 9, 10)] == ["bright", "dark", "dark", "bright"]


def test_the_campaign_begins_on_the_date_that_was_set():
    shape = CALENDARS["earth from a day on"]
    assert date_of(0, shape).text == "Saturday, 28 November 2026, 18:30"
    assert date_of(6 * 3600, shape).text == "Sunday, 29 November 2026, 00:30"
    assert as_json(shape).keys() == {"leap_days", "starts"}
    assert as_json(CalendarShape()) == {}


IMPOSSIBLE = {
    "leap days": CalendarShape(leap_days=[LeapDays("4", 13)]),
    "a festival of leap years": CalendarShape(leap_days=[LeapDays("4", 1, -1, name="Feast")]),
    "the week has only": CalendarShape(week=SHORT_WEEK, first_weekday=6),
    "there is no year 0": CalendarShape(year=0, year_zero=False),
    "leap years take more days": CalendarShape(leap_days=[LeapDays("4", 2, -29)]),
    "every year needs": CalendarShape(months=[Month("Never", 0)]),
    "it has no such day": CalendarShape(starts=CalendarDate(1, 2, 29)),
}


@pytest.mark.parametrize("reason", IMPOSSIBLE)
def test_a_shape_that_is_no_calendar_says_why(reason: str):
    fault = fault_of(IMPOSSIBLE[reason])
    assert fault is not None
    assert str(fault).startswith(reason)


@pytest.mark.parametrize("name", ["plain", "earth", "rules that meet"])
def test_a_date_far_off_costs_no_more_than_a_near_one(name: str):
    shape = CALENDARS[name]

    def cost(years: int) -> float:
        fresh = counting(0, 86_400 * 400)
        moment = years * 365 * 86_400

        def one() -> None:
            date_of(moment + next(fresh), shape)

        return min(timeit.repeat(one, number=200, repeat=9))

    assert cost(90_000) < 4 * cost(1)
