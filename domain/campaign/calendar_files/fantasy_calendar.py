"""An export of Fantasy-Calendar (2026). Weekdays and days count from 1 there, months from 0."""

from typing import Any

from msgspec import structs

from domain.campaign.calendar_files.file_parts import (
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
    unreadable,
    whole,
)
from domain.campaign.calendar_shapes import CalendarShape, Era, LeapDays, Month, Moon
from domain.sentences import say

TOOL = "fantasy-calendar"
TITLE = "Fantasy-Calendar"


def matches(source: dict[str, Any]) -> bool:
    """Whether a file is one of this tool."""
    inner = source.get("static_data")
    return isinstance(inner, dict) and isinstance(inner.get("year_data"), dict)


def parse(source: dict[str, Any]) -> CalendarReading:
    """The calendar in a file of this tool."""
    inner, today = part(source, "static_data"), part(source, "dynamic_data")
    years, clock, settings = part(inner, "year_data"), part(inner, "clock"), part(inner, "settings")
    reading = CalendarReading(TOOL, text(source, "name"), CalendarShape())
    week = years.get("global_week")
    if not isinstance(week, list):
        raise unreadable("global_week")
    runs_on = flag(years, "overflow", default=True)
    year_zero = flag(settings, "year_zero_exists", default=False)
    row: list[Month] = []
    leaps: list[LeapDays] = []
    for nth, month in enumerate(entries(years.get("timespans"), "timespans"), 1):
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
        if month.get("week"):
            reading.leave_out("timespans.week", True)
    rare = {leap.month for leap in leaps}
    leaps += [_leap_day(leap, row, rare, reading) for leap in entries(years.get("leap_days"), "leap_days")]
    shape = CalendarShape(
        months=row,
        week=[str(weekday)[:80].strip() or str(nth) for nth, weekday in enumerate(week, 1)],
        year=0 if year_zero else 1,
        leap_days=leaps,
        first_weekday=(whole(years, "first_day", 1) - 1) % max(1, len(week)) + 1 if runs_on else 1,
        week_restarts="never" if runs_on else "month",
        day=clock_of(whole(clock, "hours", 24), whole(clock, "minutes", 60)),
        year_zero=year_zero,
        eras=[_era(era, nth) for nth, era in enumerate(entries(inner.get("eras"), "eras"), 1)],
    )
    seconds = 60 * (whole(today, "hour", 0) * whole(clock, "minutes", 60) + whole(today, "minute", 0))
    reading.calendar = structs.replace(
        shape,
        moons=[_moon(moon, nth) for nth, moon in enumerate(entries(inner.get("moons"), "moons"), 1)],
        starts=start_date(
            shape, whole(today, "year", 1), whole(today, "timespan", 0), whole(today, "day", 1) - 1, seconds
        )
        if today.get("year") is not None
        else None,
    )
    for era in entries(inner.get("eras"), "eras"):
        reading.leave_out("eras.ends_year", flag(part(era, "settings"), "ends_year", default=False))
    for key in ("events", "categories"):
        reading.leave_out(key, source.get(key))
    reading.leave_out("seasons", part(inner, "seasons").get("data"))
    reading.leave_out("cycles", part(inner, "cycles").get("data"))
    return reading


def _leap_day(leap: dict[str, Any], months: list[Month], rare: set[int], reading: CalendarReading) -> LeapDays:
    month = whole(leap, "timespan", 0)
    rule = str(leap.get("interval", "1")).replace(" ", "")
    if not 0 <= month < len(months):
        raise unreadable("leap_days")
    title = name(leap, "?")
    if flag(leap, "cyclic_interval", default=False):
        raise unreadable("cyclic_interval")
    if flag(leap, "adds_week_day", default=False):
        reading.leave_out("adds_week_day", True)
    if month + 1 in rare:
        reading.contradict(
            say(
                "{tool} counts how often the month of “{leap}” has come; here years are counted",
                tool=TITLE,
                leap=title,
            )
        )
    is_apart = flag(leap, "intercalary", default=False)
    if is_apart and flag(leap, "not_numbered", default=False):
        reading.contradict(say("The day “{leap}” has no number there; here it has one", leap=title))
    return LeapDays(
        _without_trailing_exceptions(rule),
        month + 1,
        offset=whole(leap, "offset", 0),
        name=title if is_apart else "",
        after=whole(leap, "day", 0) if is_apart else None,
        outside_week=is_apart,
    )


def _without_trailing_exceptions(rule: str) -> str:
    parts = rule.split(",")
    while len(parts) > 1 and "!" in parts[-1]:
        parts.pop()
    return ",".join(parts)


def _era(era: dict[str, Any], nth: int) -> Era:
    settings, date = part(era, "settings"), part(era, "date")
    template = text(era, "formatting") or text(era, "format")
    is_own = flag(settings, "restart", default=False)
    for theirs, ours in (("{{year}}", "{year}"), ("{{era_year}}", "{year}"), ("{{era_name}}", "{era}")):
        template = template.replace(theirs, ours)
    return Era(
        name(era, str(nth)),
        None if flag(settings, "starting_era", default=False) else whole(date, "year", 1),
        counts="from_one" if is_own else "onwards",
        format=template[:60] if "{year}" in template and "{{" not in template else "",
    )


def _moon(moon: dict[str, Any], nth: int) -> Moon:
    """A moon whose phases stand around their moments there, and after them here: an eighth of a cycle, halved."""
    cycle = number(moon, "cycle", 28)
    age = cycle / 16 + number(moon, "shift", 0)
    return Moon(name(moon, str(nth)), decimal(cycle), decimal(age % max(1.0, cycle)))
