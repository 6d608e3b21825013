"""Days of a calendar that come again and again: computed from a rule, never by adding seconds to the last one."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import structs

from domain.campaign.calendar_shapes import CountedCalendar
from domain.campaign.messages.timers import (
    AnyRepetition,
    EveryDay,
    EveryMonth,
    EveryMonthEnd,
    EveryMonthWeekday,
    EveryWeek,
    EveryYear,
)

WEEK_DAYS_SCANNED = 2_000
"""So many days are looked through for the next weekday: longer than every month with the festivals around it."""
YEARS_SCANNED = 1_000
"""So many years are looked through for one that has the day."""

DaysOfYear = Callable[[CountedCalendar, int], Iterator[int]]
"""The days of a counted year, as a calendar counts days, in order."""


def moments_after(
    calendar: CountedCalendar, repeats: AnyRepetition, second_of_day: int, moment: int
) -> Iterator[int]:
    """The moments at which something repeats after a moment, in seconds since the campaign began.

    `second_of_day` is when on each of the days; where days are shorter, it is their last second.
    """
    second = min(second_of_day, calendar.day_seconds - 1)
    for day in _days_from(calendar, repeats, calendar.day_of(moment)):
        at = calendar.moment_of_day(day) + second
        if at > moment:
            yield at


def comes(calendar: CountedCalendar, repeats: AnyRepetition) -> bool:
    """Whether a calendar has such days, and not only days after them."""
    own = structs.replace(repeats, otherwise="not_at_all") if isinstance(repeats, EveryYear) else repeats
    return next(moments_after(calendar, own, 0, 0), None) is not None


def _days_from(calendar: CountedCalendar, repeats: AnyRepetition, first: int) -> Iterator[int]:
    """The days of a rule from a day on; they end where none comes for a long time."""
    match repeats:
        case EveryDay():
            return _every_day(first)
        case EveryWeek():
            return _weekdays(calendar, {weekday - 1 for weekday in repeats.weekdays}, first)
        case _:
            return _days_of_years(calendar, _days_in_year(repeats), first)


def _every_day(first: int) -> Iterator[int]:
    day = first
    while True:
        yield day
        day += 1


def _weekdays(calendar: CountedCalendar, weekdays: set[int], first: int) -> Iterator[int]:
    last = first
    day = first
    while day - last < WEEK_DAYS_SCANNED:
        if calendar.days.day(day).weekday in weekdays:
            last = day
            yield day
        day += 1


def _days_of_years(calendar: CountedCalendar, days_in: DaysOfYear, first: int) -> Iterator[int]:
    year = last = calendar.days.day(first).year
    while year - last < YEARS_SCANNED:
        for day in days_in(calendar, year):
            if day >= first:
                last = year
                yield day
        year += 1


def _days_in_year(repeats: Any) -> DaysOfYear:
    match repeats:
        case EveryMonth(day=number):
            return lambda calendar, year: _same_day_of_months(calendar, year, number)
        case EveryMonthEnd():
            return lambda calendar, year: _each_month(calendar, year, lambda days: days[-1:])
        case EveryMonthWeekday(weekday=weekday, nth=nth):
            return lambda calendar, year: _each_month(
                calendar, year, lambda days: _nth_weekday(calendar, days, weekday - 1, nth)
            )
        case EveryYear():
            return lambda calendar, year: _birthdays(calendar, year, repeats)
    raise AssertionError(repeats)


def _same_day_of_months(calendar: CountedCalendar, year: int, number: int) -> Iterator[int]:
    """The day of this number in each month of a counted year that has it; festivals are no months."""
    for place, month in enumerate(calendar.shape.months):
        day = calendar.days.count(year, place, number) if month.kind == "month" else None
        if day is not None:
            yield day


def _each_month(calendar: CountedCalendar, year: int, chosen: Callable[[range], Any]) -> Iterator[int]:
    """The chosen days of each month of a counted year; festivals are no months."""
    start = calendar.days.start_of(year)
    stretches = calendar.days.plan_of(year).stretches
    for place, month in enumerate(calendar.shape.months):
        own = [stretch for stretch in stretches if stretch.month == place]
        if month.kind == "month" and own:
            yield from chosen(range(start + own[0].start, start + own[-1].start + own[-1].length))


def _nth_weekday(calendar: CountedCalendar, days: range, weekday: int, nth: int | None) -> list[int]:
    """The day of a month that is the nth of its weekday; None: the last."""
    if nth is not None and (nth - 1) * len(calendar.shape.week) >= len(days):
        return []  # in a month, a weekday comes again after a whole week at the earliest
    matching = [day for day in days if calendar.days.day(day).weekday == weekday]
    return matching[-1:] if nth is None else matching[nth - 1 : nth]


def _birthdays(calendar: CountedCalendar, year: int, repeats: EveryYear) -> Iterator[int]:
    day = calendar.days.count(year, repeats.month - 1, repeats.day)
    if day is not None:
        yield day
    elif repeats.otherwise == "day_after":
        later = [
            stretch.start for stretch in calendar.days.plan_of(year).stretches if stretch.month >= repeats.month
        ]
        yield calendar.days.start_of(year) + later[0] if later else calendar.days.start_of(year + 1)
