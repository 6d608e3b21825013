"""A month of a calendar: its days in rows of its week, the months around it, and what lies on its days."""

import pytest
from msgspec import structs

from domain.campaign.calendar_shapes import (
    CalendarDate,
    CalendarShape,
    LeapDays,
    Month,
    Moon,
    as_json,
    calendar_of,
    earth,
)
from domain.campaign.settings import OWN
from domain.campaign.state import CampaignState
from domain.rejection import Rejection
from projections.campaign.calendar_month import (
    CalendarMonth,
    Happening,
    MonthPlace,
    month_around,
    month_view,
    week_rows,
)
from tests.domain.campaign.calendars_made import CALENDARS

DAY = 86_400
APART = CalendarShape(
    months=[
        Month("Frost", 6),
        Month("Midwinter", 1, kind="festival", outside_week=True),
        Month("Thaw", 5),
        Month("Leap feast", 0, kind="festival", outside_week=True),
        Month("Long feast", 20, kind="festival"),
    ],
    leap_days=[LeapDays("2", 4)],
    week=["One", "Two", "Three"],
    moons=[Moon("Pale", "8"), Moon("Own", "4", phases=["dark", "bright"])],
)


def state(shape: CalendarShape, game_time: int = 0) -> CampaignState:
    return structs.replace(
        CampaignState(), changed_settings={f"{OWN}.calendar": as_json(shape)}, game_time=game_time
    )


def month(
    shape: CalendarShape, year: int, month: int, *happenings: Happening, language: str = "en"
) -> CalendarMonth:
    campaign = state(shape)
    return month_view(campaign, 1, month_around(campaign, year, month), happenings, language)


def rows(view: CalendarMonth) -> list[list[str]]:
    return [
        ["-" if day is None else f"{day.date.day} {day.date.festival or ''}".strip() for day in row.cells]
        for row in week_rows(view)
    ]


def test_the_days_of_february_stand_below_their_weekdays():
    view = month(earth(), 2188, 2)
    assert view.title == "February 2188"
    assert view.week[0] == "Monday"
    assert rows(view)[0] == ["-", "-", "-", "-", "1", "2", "3"]
    assert rows(view)[-1] == ["25", "26", "27", "28", "29", "-", "-"]
    assert rows(month(earth(), 2187, 2))[-1] == ["26", "27", "28", "-", "-", "-", "-"]


def test_a_festival_outside_the_week_has_a_row_of_its_own_and_the_week_goes_on_after_it():
    assert rows(month(APART, 1, 1)) == [["1", "2", "3"], ["4", "5", "6"], ["1 Midwinter"]]
    assert rows(month(APART, 2, 3)) == [["-", "1", "2"], ["3", "4", "5"], ["1 Leap feast"]]
    assert rows(month(APART, 1, 5))[0] == ["-", "-", "1 Long feast"]


def test_a_month_of_its_festival_is_that_before_it_unless_the_festival_is_long():
    assert month(APART, 1, 2) == month(APART, 1, 1)
    assert (month(APART, 1, 1).later, month(APART, 1, 3).later) == (MonthPlace(1, 3), MonthPlace(1, 5))


@pytest.mark.parametrize("shape", CALENDARS.values(), ids=[*CALENDARS])
def test_every_day_is_on_one_month_and_leads_on_to_the_next(shape: CalendarShape):
    campaign = state(shape)
    span = month_around(campaign, None, None)
    days = 0
    for _ in range(30):
        view = month_view(campaign, 1, span, [], "en")
        assert view.later is not None
        later = month_around(campaign, view.later.year, view.later.month)
        assert later.first == span.first + span.days
        assert month_view(campaign, 1, later, [], "en").earlier == span.place
        days += sum(cell is not None for row in week_rows(view) for cell in row.cells)
        span = later
    assert days == span.first - month_around(campaign, None, None).first
    assert calendar_of(shape).day_of(0) in range(*_days(campaign))


def _days(campaign: CampaignState) -> tuple[int, int]:
    span = month_around(campaign, None, None)
    return span.first, span.first + span.days


def test_what_lasts_is_on_each_of_its_days_and_what_happens_often_is_there_once():
    lasts = Happening("activity", "Anka: Knife work", "knife", 4 * DAY, 7 * DAY)
    often = [
        Happening("timer", "Watch", "watch", 2 * DAY + hour * 3600, 2 * DAY + hour * 3600) for hour in range(4)
    ]
    first, later = (month(APART, 1, nth, lasts, *often) for nth in (1, 3))
    marks = [
        (entry.begins, entry.ends)
        for day in (*first.days, *later.days)
        for entry in day.entries
        if entry.id == "knife"
    ]
    assert marks == [(True, False), (False, False), (False, False), (False, True)]
    assert [
        (day.date.day, entry.times) for day in first.days for entry in day.entries if entry.kind == "timer"
    ] == [(3, 4)]


def test_phases_of_moons_are_told_where_they_begin_in_the_readers_language():
    days = month(APART, 1, 1, language="fr").days
    assert [moon.phase for moon in days[4].moons] == ["pleine lune", "dark"]
    assert [[moon.moon for moon in day.new_phases] for day in days[:3]] == [
        ["Pale", "Own"],
        ["Pale"],
        ["Pale", "Own"],
    ]


def test_a_month_that_there_is_not_is_refused_with_the_nearest_that_there_is():
    with pytest.raises(Rejection) as refusal:
        month(APART, 1, 4)
    assert refusal.value.code == "date_impossible"
    assert str(refusal.value.message) == (
        "There is no such date: Leap feast does not come in 1; the nearest year that has it is 2."
    )
    with pytest.raises(Rejection, match="5 months and festivals"):
        month(APART, 1, 6)
    with pytest.raises(Rejection, match="there is no year 0"):
        month(structs.replace(earth(), year_zero=False), 0, 1)


def test_years_end_where_dates_end():
    assert month(earth(), 1_000_000, 12).later is None
    assert month(structs.replace(earth(), starts=CalendarDate(5)), -1_000_000, 1).earlier is None
