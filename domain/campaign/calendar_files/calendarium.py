"""A calendar of Calendarium (2.0). It has no year 0, and its first weekday is that of the year 1."""

from typing import Any

from msgspec import structs

from domain.campaign.calendar_files.file_parts import (
    CalendarReading,
    decimal,
    entries,
    flag,
    name,
    number,
    part,
    start_date,
    text,
    unreadable,
    whole,
)
from domain.campaign.calendar_shapes import CalendarShape, Era, LeapDays, Month, Moon
from domain.sentences import say

TOOL = "calendarium"
TITLE = "Calendarium"


def matches(source: dict[str, Any]) -> bool:
    """Whether a file is one of this tool."""
    inner = source.get("static")
    return isinstance(inner, dict) and isinstance(inner.get("months"), list)


def parse(source: dict[str, Any]) -> CalendarReading:
    """The calendar in a file of this tool."""
    inner = part(source, "static")
    reading = CalendarReading(TOOL, text(source, "name"), CalendarShape())
    months = entries(inner.get("months"), "months")
    weekdays = entries(inner.get("weekdays"), "weekdays")
    runs_on = flag(inner, "overflow", default=True)
    row: list[Month] = []
    leaps: list[LeapDays] = []
    for nth, month in enumerate(months, 1):
        is_festival = month.get("type") == "intercalary"
        length, every = whole(month, "length", 0), whole(month, "interval", 1)
        row.append(
            Month(
                name(month, str(nth)),
                length if every <= 1 else 0,
                kind="festival" if is_festival else "month",
                outside_week=is_festival,
            )
        )
        if every > 1:
            leaps.append(LeapDays(str(every), nth, length, whole(month, "offset", 0)))
            reading.contradict(
                say(
                    "The month {month} comes every {n} years; {tool} counts its days in the others, too",
                    month=name(month, str(nth)),
                    n=every,
                    tool=TITLE,
                )
            )
        if month.get("week"):
            reading.leave_out("months.week", True)
    leaps += [_leap_day(leap, row) for leap in entries(inner.get("leapDays"), "leapDays")]
    shape = CalendarShape(
        months=row,
        week=[name(weekday, str(nth)) for nth, weekday in enumerate(weekdays, 1)],
        leap_days=leaps,
        first_weekday=whole(inner, "firstWeekDay", 0) % max(1, len(weekdays)) + 1 if runs_on else 1,
        week_restarts="never" if runs_on else "month",
        year_zero=False,
        eras=[_era(era, nth) for nth, era in enumerate(entries(inner.get("eras"), "eras"), 1)],
    )
    today = part(source, "current")
    reading.calendar = structs.replace(
        shape,
        moons=[_moon(moon, nth) for nth, moon in enumerate(entries(inner.get("moons"), "moons"), 1)],
        starts=start_date(shape, whole(today, "year", 1), whole(today, "month", 0), whole(today, "day", 1) - 1)
        if today.get("year") is not None
        else None,
    )
    if whole(inner, "offset", 0):
        reading.contradict(
            say("{tool} shifts the weekdays of all years but the first; here they run on", tool=TITLE)
        )
    if any(flag(era, "endsYear", default=False) for era in entries(inner.get("eras"), "eras")):
        reading.leave_out("eras.endsYear", True)
    for key in ("events", "seasonal", "locations", "categories"):
        value = source.get(key)
        reading.leave_out(key, any(value.values()) if key == "locations" and isinstance(value, dict) else value)
    return reading


def _leap_day(leap: dict[str, Any], months: list[Month]) -> LeapDays:
    """Leap days of a month; their intervals are ordered by size in the file, whatever stands first."""
    intervals = sorted(
        entries(leap.get("interval"), "interval"), key=lambda interval: -whole(interval, "interval", 1)
    )
    month = whole(leap, "timespan", 0)
    if not intervals or not 0 <= month < len(months):
        raise unreadable("leapDays")
    is_apart = flag(leap, "intercalary", default=False)
    return LeapDays(
        ",".join(
            f"{'+' if interval.get('ignore') else ''}{'!' if interval.get('exclusive') else ''}"
            f"{whole(interval, 'interval', 1)}"
            for interval in intervals
        ),
        month + 1,
        offset=whole(leap, "offset", 0),
        name=name(leap, "?") if is_apart else "",
        after=whole(leap, "after", 0) if is_apart and leap.get("after") is not None else None,
        outside_week=is_apart,
    )


def _era(era: dict[str, Any], nth: int) -> Era:
    date, template = part(era, "date"), text(era, "format")
    begins = date.get("year") is not None and not flag(era, "isStartingEra", default=False)
    for theirs, ours in (("{{abs_year}}", "{year}"), ("{{era_year}}", "{year}"), ("{{era_name}}", "{era}")):
        template = template.replace(theirs, ours)
    template = template.replace("{{year}}", "{year}")
    return Era(
        name(era, str(nth)),
        whole(date, "year", 1) if begins else None,
        counts="from_one" if "{{era_year}}" in text(era, "format") else "onwards",
        format=template[:60] if "{year}" in template and "{{" not in template else "{year}, {era}",
    )


def _moon(moon: dict[str, Any], nth: int) -> Moon:
    """A moon whose phases stand around their moments there, and after them here: an eighth of a cycle, halved."""
    cycle = number(moon, "cycle", 28)
    age = cycle / 16 - number(moon, "offset", 0)
    return Moon(name(moon, str(nth)), decimal(cycle), decimal(age % max(1.0, cycle)))
