"""Checks that a shape is a calendar, beyond each of its parts being in order by itself."""

from domain.campaign.dates import USUAL_PHASES, CalendarShape, calendar_of
from domain.sentences import Sentence, say


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
