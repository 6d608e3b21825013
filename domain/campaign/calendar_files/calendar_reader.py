"""Reading a calendar file of any of the tools that are known."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, structs

from domain.campaign.calendar_checks import fault_of
from domain.campaign.calendar_files import (
    calendaria,
    calendarium,
    fantasy_calendar,
    seasons_and_stars,
    simple_calendar,
)
from domain.campaign.calendar_files.file_parts import CalendarReading, require_limits
from domain.campaign.calendar_shapes import CalendarShape, calendar_of
from domain.one_line import on_one_line
from domain.rejection import Rejection
from domain.sentences import Sentence, in_a_row, say

FILE_BYTES_MAX = 2 * 1024 * 1024
"""Of a file that comes over the network: notes make the files of some tools long."""


class CalendarTool(Struct, frozen=True):
    """A tool whose files can be read."""

    title: str
    matches: Callable[[dict[str, Any]], bool]
    parse: Callable[[dict[str, Any]], CalendarReading]
    looked_for: str
    """The fields by which its files are known."""


TOOLS = (
    CalendarTool(
        fantasy_calendar.TITLE, fantasy_calendar.matches, fantasy_calendar.parse, "static data, year data"
    ),
    CalendarTool(calendarium.TITLE, calendarium.matches, calendarium.parse, "static.months"),
    CalendarTool(calendaria.TITLE, calendaria.matches, calendaria.parse, "days.values, years"),
    CalendarTool(simple_calendar.TITLE, simple_calendar.matches, simple_calendar.parse, "months[].numberOfDays"),
    CalendarTool(
        seasons_and_stars.TITLE, seasons_and_stars.matches, seasons_and_stars.parse, "months[].days, weekdays"
    ),
)


def read_calendar(source: Any) -> CalendarReading:
    """The calendar in the JSON of a file, and a report about it.

    Raises `calendar_unknown` and `calendar_unreadable`.
    """
    tool = next((tool for tool in TOOLS if isinstance(source, dict) and tool.matches(source)), None)
    if tool is None:
        looked_for = in_a_row(f"{tool.title} ({tool.looked_for})" for tool in TOOLS)
        raise Rejection(
            "calendar_unknown", say("This is no calendar of a known tool. Looked for: {tools}.", tools=looked_for)
        )
    reading = tool.parse(source)
    reading.calendar = on_one_line(reading.calendar, CalendarShape)
    require_limits(reading.calendar)
    reading.understood = _summary(tool.title, reading.calendar)
    reading.left_out = _once(reading.left_out)
    reading.contradictions = _once(reading.contradictions)
    return reading


def require_calendar(shape: CalendarShape) -> None:
    """Raise `calendar_invalid` if a shape is no calendar."""
    if (fault := fault_of(shape)) is not None:
        raise Rejection("calendar_invalid", say("That is no calendar: {reason}.", reason=fault))


def without_start(shape: CalendarShape) -> CalendarShape:
    """A calendar that begins with the first day of its year, so that days can be counted from there."""
    return structs.replace(shape, starts=None)


def _once(sentences: list[Sentence]) -> list[Sentence]:
    return [sentence for nth, sentence in enumerate(sentences) if sentence not in sentences[:nth]]


def _summary(title: str, shape: CalendarShape) -> list[Sentence]:
    festivals = sum(month.kind == "festival" for month in shape.months)
    counts = {
        "months": len(shape.months) - festivals,
        "festivals": festivals + sum(bool(leap.name) for leap in shape.leap_days),
        "weekdays": len(shape.week),
        "leaps": len(shape.leap_days),
        "eras": len(shape.eras),
        "moons": len(shape.moons),
    }
    return [
        say("A calendar of {tool}", tool=title),
        say("Months: {months}; festivals: {festivals}; days of the week: {weekdays}", **counts),
        say("Rules of leap days: {leaps}; eras: {eras}; moons: {moons}", **counts),
        say("It begins on {date}", date=calendar_of(shape).date_of(0).text),
    ]
