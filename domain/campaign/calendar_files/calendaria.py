"""A calendar of Calendaria (1.0). Its lists are objects under keys of their own, in order."""

from math import lcm
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
    text,
    unreadable,
    whole,
    with_age,
)
from domain.campaign.calendar_shapes import CalendarShape, Era, LeapDays, Month, Moon
from domain.campaign.day_count import LeapRule
from domain.sentences import say

TOOL = "calendaria"
TITLE = "Calendaria"
YEARS_COMPARED = 4_000
DEPTH_MAX = 5


def matches(source: dict[str, Any]) -> bool:
    """Whether a file is one of this tool."""
    days, years = source.get("days"), source.get("years")
    return isinstance(days, dict) and "values" in days and isinstance(years, dict)


def parse(source: dict[str, Any]) -> CalendarReading:
    """The calendar in a file of this tool."""
    years, days = part(source, "years"), part(source, "days")
    reading = CalendarReading(TOOL, text(part(source, "metadata"), "id") or name(source, ""), CalendarShape())
    rule, offset = _rule(source, reading)
    weekdays = entries(days.get("values"), "days.values")
    months = entries(part(source, "months").get("values"), "months.values")
    if months:
        row = [_month(month, nth, len(weekdays)) for nth, month in enumerate(months, 1)]
        leaps = [
            LeapDays(rule, nth, more, offset)
            for nth, month in enumerate(months, 1)
            if rule and (more := whole(month, "leapDays", whole(month, "days", 0)) - whole(month, "days", 0))
        ]
    else:
        row = [Month("Year", whole(days, "daysPerYear", 365))]
        leaps = [LeapDays(rule, 1, 1, offset)] if rule else []
    leaps += _pauses(source, row, reading)
    shape = CalendarShape(
        months=row,
        week=[name(weekday, str(nth)) for nth, weekday in enumerate(weekdays, 1)],
        year=whole(years, "yearZero", 0),
        leap_days=leaps,
        first_weekday=whole(years, "firstWeekday", 0) % max(1, len(weekdays)) + 1,
        day=clock_of(
            whole(days, "hoursPerDay", 24), whole(days, "minutesPerHour", 60), whole(days, "secondsPerMinute", 60)
        ),
        eras=[_era(era, nth) for nth, era in enumerate(entries(source.get("eras"), "eras"), 1)],
    )
    reading.calendar = structs.replace(
        shape,
        moons=[
            _moon(shape, moon, nth, reading) for nth, moon in enumerate(entries(source.get("moons"), "moons"), 1)
        ],
    )
    if rule and not leaps:
        reading.contradict(say("There are leap years, and no month is longer in them"))
    if any(month.get("weekdays") for month in months):
        reading.leave_out("months.weekdays", True)
    for key in ("festivals", "seasons", "weather", "cycles", "canonicalHours", "weeks", "daylight"):
        value = source.get(key)
        reading.leave_out(key, value.get("values", value) if isinstance(value, dict) else value)
    return reading


def _rule(source: dict[str, Any], reading: CalendarReading) -> tuple[str, int]:
    """The intervals of leap years and the year from which they count; no intervals: there are none."""
    own, older = part(source, "leapYearConfig"), part(part(source, "years"), "leapYear")
    start = whole(own, "start", 0)
    rule, offset = "", 0
    match own.get("rule"):
        case "gregorian":
            rule, offset = GREGORIAN, start
        case "simple" if (every := whole(own, "interval", 0)) > 0:
            rule, offset = str(every), start
        case "custom" if text(own, "pattern"):
            rule, offset = text(own, "pattern").replace(" ", ""), start
            _compare_votes(rule, offset, reading)
        case _ if (every := whole(older, "leapInterval", 0)) > 0:
            return str(every), whole(older, "leapStart", 0)
    if rule and whole(older, "leapInterval", 0) > 0 and rule != str(whole(older, "leapInterval", 0)):
        reading.contradict(
            say("There are two rules of leap years; {rule} counts, as in {tool}", rule=rule, tool=TITLE)
        )
    return rule, offset


def _compare_votes(rule: str, offset: int, reading: CalendarReading) -> None:
    """Report a pattern by whose votes, which this tool counts, other years are leap years."""
    try:
        intervals = [
            (int(interval.lstrip("!+")), "!" in interval, "+" in interval) for interval in rule.split(",")
        ]
        common = lcm(*(interval for interval, _, _ in intervals))
    except ValueError:
        raise unreadable("leapYearConfig.pattern") from None
    if not common:
        raise unreadable("leapYearConfig.pattern")
    leap = LeapRule(rule, offset)
    for year in range(min(common, YEARS_COMPARED)):
        votes = sum(
            (-1 if denies else 1)
            for interval, denies, from_zero in intervals
            if (year - (0 if from_zero else offset)) % interval == 0
        )
        if (votes > 0) != leap.holds(year):
            reading.contradict(
                say(
                    "By the rule {rule} {tool} counts other leap years: here the most special interval decides",
                    rule=rule,
                    tool=TITLE,
                )
            )
            return


def _month(month: dict[str, Any], nth: int, week: int) -> Month:
    is_festival = month.get("type") == "intercalary"
    begins = month.get("startingWeekday")
    return Month(
        name(month, str(nth)),
        whole(month, "days", 0),
        kind="festival" if is_festival else "month",
        outside_week=is_festival,
        first_weekday=None if begins is None or not week else whole(month, "startingWeekday", 0) % week + 1,
    )


def _pauses(source: dict[str, Any], months: list[Month], reading: CalendarReading) -> list[LeapDays]:
    """Days of ordinary months on which the week pauses, as festivals of every year; they leave `months`."""
    pauses: list[LeapDays] = []
    for festival in entries(source.get("festivals"), "festivals"):
        if flag(festival, "countsForWeekday", default=True):
            continue
        month, day = _place(festival, months)
        if not 0 <= month < len(months) or months[month].outside_week:
            continue
        length = max(1, whole(festival, "duration", 1))
        if flag(festival, "leapYearOnly", default=False) or day + length > months[month].days:
            reading.leave_out(name(festival, "?"), True)
            continue
        months[month] = structs.replace(months[month], days=months[month].days - length)
        earlier = sum(pause.days for pause in pauses if pause.month == month + 1 and (pause.after or 0) < day)
        pauses.append(
            LeapDays("1", month + 1, length, name=name(festival, "?"), after=day - earlier, outside_week=True)
        )
    return pauses


def _place(festival: dict[str, Any], months: list[Month]) -> tuple[int, int]:
    """The month and day of a festival, from 0. The tree of conditions counts before its own date."""
    conditions = dict(_conditions(festival.get("conditionTree"), 0))
    if "month" in conditions and "day" in conditions:
        return conditions["month"] - 1, conditions["day"] - 1
    of_year = conditions.get("dayOfYear", 0) - 1 if "dayOfYear" in conditions else None
    if of_year is None and "dayOfYear" in festival:
        of_year = whole(festival, "dayOfYear", 0)
    if of_year is not None:
        for nth, month in enumerate(months):
            if of_year < month.days:
                return nth, of_year
            of_year -= month.days
        return -1, 0
    if "dayOfMonth" in festival:
        return whole(festival, "month", 0), whole(festival, "dayOfMonth", 0)
    return whole(festival, "month", 1) - 1, whole(festival, "day", 1) - 1


def _conditions(tree: Any, depth: int) -> list[tuple[str, int]]:
    if not isinstance(tree, dict) or depth > DEPTH_MAX:
        return []
    if tree.get("type") == "condition" and tree.get("op") == "==" and isinstance(tree.get("value"), int):
        return [(text(tree, "field"), tree["value"])]
    children = tree.get("children")
    if tree.get("mode", "and") != "and" or not isinstance(children, list):
        return []
    return [condition for child in children for condition in _conditions(child, depth + 1)]


def _era(era: dict[str, Any], nth: int) -> Era:
    short = text(era, "abbreviation").rpartition(".")[2] if "CALENDARIA." in text(era, "abbreviation") else ""
    first = era.get("startYear")
    return Era(
        name(era, str(nth)),
        None if first is None else whole(era, "startYear", 0),
        short=(short or text(era, "abbreviation")).strip()[:20],
        format="{short} {year}" if era.get("format") == "prefix" else "",
    )


def _moon(shape: CalendarShape, moon: dict[str, Any], nth: int, reading: CalendarReading) -> Moon:
    new, phases = part(moon, "referenceDate"), entries(moon.get("phases"), "phases")
    plain = Moon(
        name(moon, str(nth)),
        decimal(number(moon, "cycleLength", 28)),
        phases=[name(phase, str(place)) for place, phase in enumerate(phases, 1)],
        lengths=[decimal(max(0.0, number(phase, "end", 0) - number(phase, "start", 0))) for phase in phases],
    )
    if moon.get("phaseMode") == "randomized":
        reading.contradict(
            say("The moon {moon} has phases by chance there; here it keeps its cycle", moon=plain.name)
        )
    if moon.get("anchorPhases"):
        reading.leave_out("anchorPhases", True)
    day = whole(new, "dayOfMonth", 0) if "dayOfMonth" in new else whole(new, "day", 1) - 1
    shift = 0.5 + number(moon, "cycleDayAdjust", 0) + number(moon, "referencePhase", 0)
    return with_age(shape, plain, whole(new, "year", 1), whole(new, "month", 0), day, shift)
