"""Checks that a shape is a calendar, beyond each of its parts being in order, and that a calendar has a date."""

from typing import NamedTuple

import msgspec
from msgspec import structs

from domain.campaign.calendar_shapes import (
    USUAL_PHASES,
    CalendarDate,
    CalendarShape,
    CountedCalendar,
    calendar_of,
    has_usual_names,
)
from domain.campaign.messages.base_types import EndDate
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, say, say_many, term

YEARS_AROUND = 1_000
"""So many years before and after are looked at for one that has a month of leap years."""


def fault_of(shape: CalendarShape) -> Sentence | None:
    """The first reason for which a shape is no calendar; None: it is one."""
    return _fault_of_parts(shape) or _fault_of_years(shape)


def _fault_of_parts(shape: CalendarShape) -> Sentence | None:
    places, week = len(shape.months), max(1, len(shape.week))
    if any(leap.month > places for leap in shape.leap_days):
        return say("leap days need one of the {most} months and festivals", most=places)
    if any(leap.days < 1 for leap in shape.leap_days if leap.name or leap.outside_week):
        return say("a festival of leap years needs at least one day")
    if any(day > week for day in [shape.first_weekday, *(month.first_weekday or 1 for month in shape.months)]):
        return say("the week has only {most} days", most=len(shape.week))
    if shape.year == 0 and not shape.year_zero:
        return say("there is no year 0")
    return _fault_of_moons(shape)


def _fault_of_moons(shape: CalendarShape) -> Sentence | None:
    if any(moon.lengths and len(moon.lengths) != len(moon.phases or USUAL_PHASES) for moon in shape.moons):
        return say("a moon needs as many lengths as phases")
    if any(float(moon.cycle) < 1 for moon in shape.moons):
        return say("the cycle of a moon takes at least a day")
    return None


def _fault_of_years(shape: CalendarShape) -> Sentence | None:
    shortest = [
        month.days + sum(min(0, leap.days) for leap in shape.leap_days if leap.month == nth)
        for nth, month in enumerate(shape.months, 1)
    ]
    if min(shortest) < 0:
        return say("leap years take more days from a month than it has")
    if sum(shortest) < 1:
        return say("every year needs at least one day")
    if shape.starts is not None and calendar_of(shape).moment_of(shape.starts) is None:
        return say("it has no such day to begin with")
    return None


class DateFault(NamedTuple):
    """Why a calendar has no such date, and the nearest date that it has; None: none is near."""

    reason: Sentence
    nearest: CalendarDate | None


def fault_of_date(calendar: CountedCalendar, date: CalendarDate) -> DateFault | None:
    """The first reason for which a calendar does not have a date; None: it has it."""
    months = len(calendar.shape.months)
    if not 1 <= date.month <= months:
        reason = say("the calendar has {most} months and festivals", most=months)
        return DateFault(reason, _nearest(calendar, date, month=min(max(date.month, 1), months)))
    if date.year == 0 and not calendar.shape.year_zero:
        return DateFault(say("there is no year 0"), _nearest(calendar, date, year=1))
    days = calendar.days.days_of(calendar.counted_year(date.year), date.month - 1)
    if days is None:
        return _fault_of_month(calendar, date)
    if not days[0] <= date.day <= days[1]:
        return DateFault(_length_of_month(calendar, date, *days), _nearest(calendar, date))
    return _fault_of_time(calendar, date)


def require_date(calendar: CountedCalendar, date: CalendarDate) -> int:
    """The moment of a date, in seconds since the campaign began.

    Raises `date_impossible`, with the `nearest` date that there is.
    """
    fault = fault_of_date(calendar, date)
    if fault is not None:
        raise Rejection(
            "date_impossible",
            say("There is no such date: {reason}.", reason=fault.reason),
            nearest=fault.nearest and msgspec.to_builtins(EndDate(*structs.astuple(fault.nearest))),
        )
    moment = calendar.moment_of(date)
    assert moment is not None  # it has no fault
    return moment


def _fault_of_time(calendar: CountedCalendar, date: CalendarDate) -> DateFault | None:
    """The fault of the hour or minute of a date whose day there is."""
    hour, minute = calendar.clock.hours - 1, calendar.clock.minutes - 1
    if date.hour > hour:
        reason = say("the hours of a day go from 0 to {last}", last=hour)
        return DateFault(reason, structs.replace(date, hour=hour))
    if date.minute > minute:
        reason = say("the minutes of an hour go from 0 to {last}", last=minute)
        return DateFault(reason, structs.replace(date, minute=minute))
    return None


def _fault_of_month(calendar: CountedCalendar, date: CalendarDate) -> DateFault:
    """The fault of a date in a month or festival that does not come in its year."""
    month, year = _month_name(calendar.shape, date.month), calendar.counted_year(date.year)
    for distance in range(1, YEARS_AROUND):
        for near in (year + distance, year - distance):
            if calendar.days.days_of(near, date.month - 1) is not None:
                shown = calendar.shown_year(near)
                reason = say(
                    "{month} does not come in {year}; the nearest year that has it is {near}",
                    month=month,
                    year=str(date.year),
                    near=str(shown),
                )
                return DateFault(reason, _nearest(calendar, date, year=shown))
    return DateFault(say("{month} does not come in {year}", month=month, year=str(date.year)), None)


def _length_of_month(calendar: CountedCalendar, date: CalendarDate, first: int, last: int) -> Sentence:
    month, year = _month_name(calendar.shape, date.month), str(date.year)
    if first == 1:
        return say_many("{month} {year} has one day", "{month} {year} has {n} days", last, month=month, year=year)
    return say(
        "the days of {month} {year} go from {first} to {last}", month=month, year=year, first=first, last=last
    )


def _nearest(calendar: CountedCalendar, date: CalendarDate, **changes: int) -> CalendarDate | None:
    """A date with some parts changed, and with the nearest day that its month has then."""
    date = structs.replace(date, **changes)
    days = calendar.days.days_of(calendar.counted_year(date.year), date.month - 1)
    return None if days is None else structs.replace(date, day=min(max(date.day, days[0]), days[1]))


def _month_name(shape: CalendarShape, month: int) -> Part:
    name = shape.months[month - 1].name
    return term(name) if has_usual_names(shape) else name
