"""Another calendar in the middle of a campaign: today stays the date that it is, or time does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.calendar.calendar_change import same_day, with_today
from domain.campaign.calendar_checks import fault_of
from domain.campaign.calendar_shapes import CalendarDate, CalendarShape, Month, calendar_of, date_of, earth
from domain.rejection import Rejection
from tests.domain.campaign.calendars_made import CALENDARS

DAY = 86_400


def as_input(shape: CalendarShape, game_time: int) -> CalendarDate:
    date = date_of(game_time, shape)
    return CalendarDate(date.year, date.month, date.day, date.hour, date.minute)


@given(
    st.sampled_from([*CALENDARS.values()]),
    st.integers(0, 4_000 * 366 * DAY),
    st.integers(-(10**9), 10**9),
)
def test_today_is_the_date_that_it_is_said_to_be(shape: CalendarShape, game_time: int, elsewhere: int):
    today = as_input(shape, elsewhere)
    moved = with_today(shape, game_time, today)
    assert fault_of(moved) is None
    assert as_input(moved, game_time) == today


def test_today_stays_where_leap_days_come_in():
    plain = CalendarShape(year=2187)
    now = 400 * DAY + 3661
    moved = with_today(earth(), now, as_input(plain, now))
    assert date_of(now, plain).text.endswith("5 February 2188, 01:01")
    assert date_of(now, moved).text == "Tuesday, 5 February 2188, 01:01"
    assert date_of(now + 25 * DAY, moved).text == "Saturday, 1 March 2188, 01:01"
    assert date_of(now + 25 * DAY, plain).text.endswith("2 March 2188, 01:01")


def test_a_date_that_the_other_calendar_has_not_is_refused_with_the_nearest():
    short = CalendarShape(months=[Month("Frost", 20), Month("Thaw", 20)], week=[])
    with pytest.raises(Rejection) as refusal:
        with_today(short, 0, CalendarDate(1, 1, 28))
    assert refusal.value.code == "date_impossible"
    assert refusal.value.details["nearest"] == {"year": 1, "month": 1, "day": 20}


def test_a_campaign_begins_no_earlier_than_years_are_counted():
    with pytest.raises(Rejection, match="would begin before the year -1000000"):
        with_today(CalendarShape(), 400 * DAY, CalendarDate(-1_000_000))
    assert calendar_of(with_today(CalendarShape(), 400 * DAY, CalendarDate(-999_998))).starts < 0


def test_the_same_day_is_in_the_month_of_that_name_or_else_of_that_place():
    midwinter, old_year = (Month(name, 1, kind="festival") for name in ("Midwinter", "Old Year"))
    other = CalendarShape(
        months=[Month("Frost", 40), midwinter, Month("January", 31), old_year, Month("Thaw", 40)]
    )
    plain = CalendarShape()
    assert same_day(plain, 3 * DAY, other) == CalendarDate(1, 3, 4)
    assert same_day(plain, 33 * DAY, other) == CalendarDate(1, 3, 3), "February is the second month"
    assert same_day(plain, 90 * DAY, other) == CalendarDate(1, 4, 1), "there is no fourth month"
    assert same_day(other, 40 * DAY, CalendarShape(months=[old_year, Month("Ice", 360)])) == CalendarDate(1, 1, 1)
