"""A calendar of Seasons & Stars (0.26). Dates there count from 1, and festivals hang on months by name."""

from typing import Any

from msgspec import structs

from domain.campaign.calendar_files.file_parts import (
    GREGORIAN,
    CalendarReading,
    clock_of,
    decimal,
    entries,
    flag,
    name,
    number,
    part,
    start_date,
    text,
    whole,
    with_age,
    year_format_of,
)
from domain.campaign.calendar_shapes import EARTH, WEEK, CalendarShape, LeapDays, Month, Moon
from domain.sentences import say

TOOL = "seasons-and-stars"
TITLE = "Seasons & Stars"


def matches(source: dict[str, Any]) -> bool:
    """Whether a file is one of this tool."""
    months, weekdays = source.get("months"), source.get("weekdays")
    has_days = isinstance(months, list) and any(isinstance(month, dict) and "days" in month for month in months)
    return has_days and isinstance(weekdays, list)


def parse(source: dict[str, Any]) -> CalendarReading:
    """The calendar in a file of this tool."""
    labels = part(source, "translations")
    label = next((text(words, "label") for words in labels.values() if isinstance(words, dict)), "")
    reading = CalendarReading(TOOL, label or text(source, "id"), CalendarShape())
    year, clock, leap = part(source, "year"), part(source, "time"), part(source, "leapYear")
    weekdays = entries(source.get("weekdays"), "weekdays")
    rule, offset = _rule(leap, "leapYear" in source)
    months, leap_days = _months(source, rule, offset, reading)
    leap_days += _extra(leap, months, rule, offset)
    shape = CalendarShape(
        months=[month for month, _ in months],
        week=[name(weekday, str(nth)) for nth, weekday in enumerate(weekdays, 1)] or [*WEEK],
        year=whole(year, "epoch", 0),
        leap_days=leap_days,
        first_weekday=whole(year, "startDay", 0) % max(1, len(weekdays)) + 1,
        day=clock_of(
            whole(clock, "hoursInDay", 24), whole(clock, "minutesInHour", 60), whole(clock, "secondsInMinute", 60)
        ),
        year_format=year_format_of(text(year, "prefix"), text(year, "suffix")),
    )
    places = [place for place, (_, is_festival) in enumerate(months) if not is_festival]
    reading.calendar = structs.replace(
        shape,
        moons=[
            _moon(shape, moon, nth, places) for nth, moon in enumerate(entries(source.get("moons"), "moons"), 1)
        ],
        starts=start_date(shape, whole(year, "currentYear", 0), places[0] if places else 0, 0)
        if "currentYear" in year
        else None,
    )
    for key in ("seasons", "events", "variants", "weeks", "canonicalHours", "solarAnchors"):
        reading.leave_out(key, source.get(key))
    return reading


def _rule(leap: dict[str, Any], is_there: bool) -> tuple[str, int]:
    match leap.get("rule", "none" if is_there else "gregorian"):
        case "gregorian":
            return GREGORIAN, 0
        case "custom" if (every := whole(leap, "interval", 0)) > 0:
            return str(every), whole(leap, "offset", 0)
        case _:
            return "", 0


def _months(
    source: dict[str, Any], rule: str, offset: int, reading: CalendarReading
) -> tuple[list[tuple[Month, bool]], list[LeapDays]]:
    """The months with the festivals between them, each with whether it is one, and the leap days of festivals."""
    plain = entries(source.get("months"), "months")
    month_days = [(name(month, str(nth)), whole(month, "days", 0)) for nth, month in enumerate(plain, 1)] or [
        *EARTH
    ]
    festivals = [
        festival
        for festival in entries(source.get("intercalary"), "intercalary")
        if rule or not _only_leap(festival)
    ]
    _report(festivals, {month for month, _ in month_days}, reading)
    order: list[tuple[Month, dict[str, Any] | None]] = []
    for month, days in month_days:
        order += [(_festival(festival), festival) for festival in festivals if text(festival, "before") == month]
        order.append((Month(month, days), None))
        order += [(_festival(festival), festival) for festival in festivals if text(festival, "after") == month]
    at_months = [id(festival) for _, festival in order if festival is not None]
    order += [(_festival(festival), festival) for festival in festivals if id(festival) not in at_months]
    leaps = [
        LeapDays(rule, nth, whole(festival, "days", 1), offset)
        for nth, (_, festival) in enumerate(order, 1)
        if festival is not None and _only_leap(festival)
    ]
    return [(month, festival is not None) for month, festival in order], leaps


def _report(festivals: list[dict[str, Any]], months: set[str], reading: CalendarReading) -> None:
    for festival in festivals:
        title = name(festival, "?")
        if text(festival, "before") and flag(festival, "countsForWeekdays", default=True):
            reading.contradict(
                say(
                    "{tool} skips a weekday after the festival “{festival}”; here the week goes on",
                    tool=TITLE,
                    festival=title,
                )
            )
        if not {text(festival, "after"), text(festival, "before")} & months:
            reading.contradict(
                say(
                    "The festival “{festival}” stands at no month of this calendar; here it ends the year",
                    festival=title,
                )
            )


def _only_leap(festival: dict[str, Any]) -> bool:
    return flag(festival, "leapYearOnly", default=False)


def _festival(festival: dict[str, Any]) -> Month:
    return Month(
        name(festival, "?"),
        0 if _only_leap(festival) else whole(festival, "days", 1),
        kind="festival",
        outside_week=not flag(festival, "countsForWeekdays", default=True),
    )


def _extra(leap: dict[str, Any], months: list[tuple[Month, bool]], rule: str, offset: int) -> list[LeapDays]:
    """The days that a month gets in leap years; of no named month, it is February, if there is one."""
    title = text(leap, "month") or "February"
    more = whole(leap, "extraDays", 1)
    for nth, (month, is_festival) in enumerate(months, 1):
        if rule and month.name == title and not is_festival:
            more = max(more, 1 - month.days)
            return [LeapDays(rule, nth, more, offset)] if more else []
    return []


def _moon(shape: CalendarShape, moon: dict[str, Any], nth: int, places: list[int]) -> Moon:
    new, phases = part(moon, "firstNewMoon"), entries(moon.get("phases"), "phases")
    cycle = number(moon, "cycleLength", 28)
    lengths = [number(phase, "length", 0) for phase in phases]
    if lengths:
        lengths[-1] = max(0.0, cycle - sum(lengths[:-1]))
    plain = Moon(
        name(moon, str(nth)),
        decimal(cycle),
        phases=[name(phase, str(place)) for place, phase in enumerate(phases, 1)],
        lengths=[decimal(length) for length in lengths],
    )
    month = whole(new, "month", 1) - 1
    place = places[month] if 0 <= month < len(places) else 0
    return with_age(shape, plain, whole(new, "year", 0), place, whole(new, "day", 1) - 1)
