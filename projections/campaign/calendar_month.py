"""A month of the campaign's calendar: its days, and what happened, goes on or comes on each of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct, structs

from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.calendar_checks import require_date
from domain.campaign.calendar_shapes import CalendarDate, CalendarShape, CountedCalendar, Date, MoonPhase
from domain.campaign.state import CampaignState
from domain.sentences import say
from projections.campaign.dates import date_in, moons_in, weekday_names
from projections.campaign.downtime_lanes import Lanes, Window
from projections.languages import render

FESTIVAL_DAYS_MAX = 15
"""A festival that is longer is shown by itself, shorter ones below the month before them."""
YEAR_MAX = 1_000_000


class MonthPlace(Struct, frozen=True):
    """A month: its year, and its place among the months and festivals of the calendar, from 1."""

    year: int
    month: int


class DayEntry(Struct, frozen=True):
    """Something on a day: a play session, a downtime, an activity in one, or a timer."""

    kind: Literal["session", "downtime", "activity", "timer"]
    title: str
    id: str
    """The number of a session, or the id of an activity or timer; empty for a downtime."""
    begins: bool
    """Whether this is the first of its days: an entry that lasts is on each of them."""
    ends: bool
    """Whether this is the last of its days."""
    times: int = 1
    """How often a timer fires on that day."""


class MonthDay(Struct, frozen=True):
    """A day of a month."""

    date: Date
    game_time: int
    """Its beginning, in seconds since the campaign began."""
    place_in_week: int | None
    """Counts from 0; null outside the week."""
    is_today: bool
    moons: list[MoonPhase]
    new_phases: list[MoonPhase]
    """Those of them that begin on that day."""
    entries: list[DayEntry]


class CalendarMonth(Struct, frozen=True):
    """A month with the festivals after it, as one reader knows it."""

    as_of: int
    year: int
    month: int
    title: str
    week: list[str]
    days: list[MonthDay]
    today: MonthPlace
    """The month of today."""
    earlier: MonthPlace | None
    later: MonthPlace | None
    names: dict[str, str] = {}


class Happening(Struct, frozen=True):
    """Something on the calendar from a moment to a moment, in seconds since the campaign began."""

    kind: Literal["session", "downtime", "activity", "timer"]
    title: str
    id: str
    begin: int
    end: int


class MonthSpan(Struct, frozen=True):
    """The days of a month with the festivals that are shown below it, as a calendar counts days."""

    calendar: CountedCalendar
    place: MonthPlace
    first: int
    days: int

    @property
    def window(self) -> Window:
        """The same, counted from the day on which the campaign begins."""
        return Window(self.calendar, self.first - self.calendar.day_of(0), self.days)


def month_around(state: CampaignState, year: int | None, month: int | None) -> MonthSpan:
    """The month of a year; without a year or month, that of today. Raises `date_impossible`."""
    calendar = calendar_in(state)
    today = calendar.date_of(state.game_time)
    year, month = (today.year if year is None else year), (today.month if month is None else month)
    days = (
        None
        if month > len(calendar.shape.months)
        else calendar.days.days_of(calendar.counted_year(year), month - 1)
    )
    require_date(calendar, CalendarDate(year, month, 1 if days is None else days[0]))
    group = next(group for group in _groups(calendar.shape) if month - 1 in group)
    span = _span_of(calendar, calendar.counted_year(year), group)
    assert span is not None  # the month has days
    return span


def _groups(shape: CalendarShape) -> list[list[int]]:
    """The months and festivals that are shown together, by their places from 0."""
    groups: list[list[int]] = []
    for place, month in enumerate(shape.months):
        if not groups or month.kind == "month" or month.days > FESTIVAL_DAYS_MAX:
            groups.append([])
        groups[-1].append(place)
    return groups


def _span_of(calendar: CountedCalendar, year: int, group: Sequence[int]) -> MonthSpan | None:
    """The days of such months in a counted year; None: there are none then."""
    stretches = [stretch for stretch in calendar.days.plan_of(year).stretches if stretch.month in group]
    if not stretches:
        return None
    place = MonthPlace(calendar.shown_year(year), stretches[0].month + 1)
    first = calendar.days.start_of(year) + stretches[0].start
    return MonthSpan(calendar, place, first, sum(stretch.length for stretch in stretches))


def _beside(span: MonthSpan, step: Literal[-1, 1]) -> MonthPlace | None:
    """The month before another, or after it; None: years go no further."""
    calendar = span.calendar
    groups = _groups(calendar.shape)
    year = calendar.counted_year(span.place.year)
    nth = next(nth for nth, group in enumerate(groups) if span.place.month - 1 in group)
    while abs(year) <= YEAR_MAX:
        nth += step
        if not 0 <= nth < len(groups):
            year, nth = year + step, 0 if step > 0 else len(groups) - 1
        beside = _span_of(calendar, year, groups[nth])
        if beside is not None:
            return beside.place if abs(beside.place.year) <= YEAR_MAX else None
    return None


def happenings_of(lanes: Lanes, sessions: Iterable[Happening], language: str) -> Iterator[Happening]:
    """Everything in a month, in the order in which its days show it."""
    for period in lanes.periods:
        title = say("Downtime: {reason}", reason=period.reason) if period.reason else say("Downtime")
        yield Happening("downtime", render(title, language), "", period.begin, period.end)
    yield from sessions
    for lane in lanes.lanes:
        for bar in lane.bars:
            title = say("{who}: {activity}", who=lane.name, activity=bar.title)
            yield Happening("activity", render(title, language), bar.activity, bar.begin, bar.end)
    for mark in lanes.marks:
        yield Happening("timer", mark.title, mark.timer, mark.at, mark.at)


def title_of(span: MonthSpan, language: str) -> str:
    """A month by its name and year."""
    date = date_in(language, span.calendar.moment_of_day(span.first), span.calendar.shape)
    return render(say("{month} {year}", month=date.month_name, year=date.year_text or str(date.year)), language)


def month_view(
    state: CampaignState, as_of: int, span: MonthSpan, happenings: Iterable[Happening], language: str
) -> CalendarMonth:
    """A month with what is on its days, as the audience of a state knows it, in a language."""
    shape = span.calendar.shape
    entries = _entries(span, happenings)
    today = span.calendar.day_of(state.game_time)
    days = []
    moons_before = moons_in(language, span.first - 1, shape)
    for day in range(span.first, span.first + span.days):
        moment, moons = span.calendar.moment_of_day(day), moons_in(language, day, shape)
        days.append(
            MonthDay(
                date=date_in(language, moment, shape),
                game_time=moment,
                place_in_week=span.calendar.days.day(day).weekday,
                is_today=day == today,
                moons=moons,
                new_phases=[moon for moon in moons if moon not in moons_before],
                entries=entries.get(day, []),
            )
        )
        moons_before = moons
    return CalendarMonth(
        as_of=as_of,
        year=span.place.year,
        month=span.place.month,
        title=title_of(span, language),
        week=weekday_names(language, shape),
        days=days,
        today=month_around(state, None, None).place,
        earlier=_beside(span, -1),
        later=_beside(span, 1),
    )


def _entries(span: MonthSpan, happenings: Iterable[Happening]) -> dict[int, list[DayEntry]]:
    """The entries of each day of a month; a timer that fires several times on a day is there once."""
    counts: dict[tuple[int, DayEntry], int] = {}
    for happening in happenings:
        begin, end = span.calendar.day_of(happening.begin), span.calendar.day_of(happening.end)
        for day in range(max(begin, span.first), min(end + 1, span.first + span.days)):
            entry = DayEntry(happening.kind, happening.title, happening.id, day == begin, day == end)
            counts[day, entry] = counts.get((day, entry), 0) + 1
    entries: dict[int, list[DayEntry]] = {}
    for (day, entry), times in counts.items():
        entries.setdefault(day, []).append(structs.replace(entry, times=times))
    return entries


class WeekRow(Struct, frozen=True):
    """Days of a month that stand in a row: one for each day of the week, or a single one `apart` from the week."""

    cells: list[MonthDay | None]
    is_apart: bool = False


def week_rows(month: CalendarMonth) -> list[WeekRow]:
    """The days of a month in rows of its calendar's week."""
    rows: list[WeekRow] = []
    after = len(month.week)
    for day in month.days:
        place = day.place_in_week
        if place is None:
            rows.append(WeekRow([day], is_apart=True))
            after = len(month.week)
            continue
        if place < after:
            rows.append(WeekRow([None] * len(month.week)))
        rows[-1].cells[place] = day
        after = place + 1
    return rows
