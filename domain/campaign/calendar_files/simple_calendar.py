"""A calendar of Simple Calendar (2.4): one of its own, or its export. Dates there count from 0."""

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
from domain.campaign.calendar_shapes import CalendarShape, LeapDays, Month, Moon
from domain.sentences import say

TOOL = "simple-calendar"
TITLE = "Simple Calendar"


def matches(source: dict[str, Any]) -> bool:
    """Whether a file is one of this tool."""
    return _calendar_in(source) is not None


def parse(source: dict[str, Any]) -> CalendarReading:
    """The calendar in a file of this tool."""
    inner = _calendar_in(source) or {}
    year, clock = _settings(inner, "year"), _settings(inner, "time")
    weekdays = entries(_setting(inner, "weekdays", "weekdaySettings"), "weekdays")
    months = entries(_setting(inner, "months", "monthSettings"), "months")
    rule, offset = _rule(_settings(inner, "leapYear"))
    shape = CalendarShape(
        months=[_month(month, nth, len(weekdays)) for nth, month in enumerate(months, 1)],
        week=[name(weekday, str(nth)) for nth, weekday in enumerate(weekdays, 1)],
        year=whole(year, "yearZero", 0),
        leap_days=[
            LeapDays(rule, nth, more, offset)
            for nth, month in enumerate(months, 1)
            if rule and (more := whole(month, "numberOfLeapYearDays", 0) - whole(month, "numberOfDays", 0))
        ],
        first_weekday=whole(year, "firstWeekday", 0) % max(1, len(weekdays)) + 1,
        day=clock_of(
            whole(clock, "hoursInDay", 24), whole(clock, "minutesInHour", 60), whole(clock, "secondsInMinute", 60)
        ),
        year_format=year_format_of(text(year, "prefix"), text(year, "postfix")),
    )
    moons = entries(_setting(inner, "moons", "moonSettings"), "moons")
    today = part(inner, "currentDate")
    shape = structs.replace(
        shape,
        moons=[_moon(shape, moon, nth) for nth, moon in enumerate(moons, 1)],
        starts=start_date(
            shape,
            whole(today, "year", shape.year),
            whole(today, "month", 0),
            whole(today, "day", 0),
            whole(today, "seconds", 0),
        )
        if today
        else None,
    )
    reading = CalendarReading(TOOL, text(inner, "name") or text(source, "name"), shape)
    if rule and any("numberOfLeapYearDays" not in month for month in months):
        reading.contradict(
            say("Months without a length for leap years have no days in them, as {tool} counts", tool=TITLE)
        )
    if any(part(moon, "firstNewMoon").get("yearReset") not in (None, "none") for moon in moons):
        reading.contradict(say("A moon that begins anew after some years runs on here"))
    reading.leave_out("notes", source.get("notes"))
    reading.leave_out("seasons", inner.get("seasons") or inner.get("seasonSettings"))
    reading.leave_out("yearNames", year.get("yearNames"))
    reading.leave_out("calendars", len(source.get("calendars") or []) > 1)
    return reading


def _calendar_in(source: dict[str, Any]) -> dict[str, Any] | None:
    """The calendar in its wrapping, or in an export the first of several."""
    calendars = source.get("calendars")
    candidates = [source.get("calendar"), *(calendars if isinstance(calendars, list) else []), source]
    for candidate in candidates:
        if isinstance(candidate, dict):
            months = candidate.get("months", candidate.get("monthSettings"))
            if isinstance(months, list) and any(
                isinstance(month, dict) and "numberOfDays" in month for month in months
            ):
                return candidate
    return None


def _setting(inner: dict[str, Any], key: str, older: str) -> Any:
    return inner.get(key, inner.get(older))


def _settings(inner: dict[str, Any], key: str) -> dict[str, Any]:
    return part(inner, key if key in inner else f"{key}Settings")


def _rule(leap: dict[str, Any]) -> tuple[str, int]:
    match leap.get("rule"):
        case "gregorian":
            return GREGORIAN, whole(leap, "startingYear", 0)
        case "custom" if (every := whole(leap, "customMod", 0)) > 0:
            return str(every), whole(leap, "startingYear", 0)
        case _:
            return "", 0


def _month(month: dict[str, Any], nth: int, week: int) -> Month:
    is_festival = flag(month, "intercalary", default=False)
    begins = month.get("startingWeekday")
    return Month(
        name(month, str(nth)),
        whole(month, "numberOfDays", 0),
        kind="festival" if is_festival else "month",
        outside_week=is_festival and not flag(month, "intercalaryInclude", default=False),
        first_day=1 + whole(month, "numericRepresentationOffset", 0),
        first_weekday=None if begins is None or not week else (whole(month, "startingWeekday", 1) - 1) % week + 1,
    )


def _moon(shape: CalendarShape, moon: dict[str, Any], nth: int) -> Moon:
    new, phases = part(moon, "firstNewMoon"), entries(moon.get("phases"), "phases")
    plain = Moon(
        name(moon, str(nth)),
        decimal(number(moon, "cycleLength", 28)),
        phases=[name(phase, str(place)) for place, phase in enumerate(phases, 1)],
        lengths=[decimal(number(phase, "length", 0)) for phase in phases],
    )
    shift = number(moon, "cycleDayAdjust", 0)
    return with_age(
        shape, plain, whole(new, "year", 0), max(0, whole(new, "month", 0)), whole(new, "day", 0), shift
    )
