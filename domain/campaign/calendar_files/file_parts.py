"""Reading a file of another tool: its parts, whatever they hold, and a report of what became of them."""

import math
from typing import Any

import msgspec
from msgspec import Struct, field, structs

from domain.campaign.calendar_checks import fault_of
from domain.campaign.calendar_shapes import CalendarDate, CalendarShape, DayShape, Moon, calendar_of
from domain.one_line import CONTROLS
from domain.personal_text import NAME_MAX
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from domain.shape_faults import faults_in

NUMBER_MAX = 1_000_000_000
GREGORIAN = "400,!100,4"


class CalendarReading(Struct):
    """A calendar that was read, and the report about it."""

    tool: str
    name: str
    calendar: CalendarShape
    understood: list[Sentence] = field(default_factory=list)
    left_out: list[Sentence] = field(default_factory=list)
    contradictions: list[Sentence] = field(default_factory=list)

    def leave_out(self, what: str, part: Any) -> None:
        """Report a part as left out, if the file has anything in it."""
        if part:
            self.left_out.append(say("{part}: there is no place for it here", part=what))

    def contradict(self, sentence: Sentence) -> None:
        """Report something that the file says in two ways, or in a way that most readers get wrong."""
        self.contradictions.append(sentence)


def unreadable(place: str) -> Rejection:
    """The refusal of a file with something else at a place than the tool writes there."""
    return Rejection("calendar_unreadable", say("The file cannot be read at “{place}”.", place=place[:NAME_MAX]))


def require_limits(shape: CalendarShape) -> None:
    """Raise `calendar_unreadable` if a calendar is larger than one may be here, or none at all."""
    fault = next(iter(faults_in(msgspec.to_builtins(shape), CalendarShape)), None)
    if fault is not None:
        raise Rejection("calendar_unreadable", say("The file cannot be read: {reason}.", reason=fault.sentence))
    if (reason := fault_of(shape)) is not None:
        raise Rejection("calendar_unreadable", say("The file cannot be read: {reason}.", reason=reason))


def entries(value: Any, place: str) -> list[dict[str, Any]]:
    """The entries of a list, or of an object under keys of its own."""
    if value is None:
        return []
    items = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise unreadable(place)
    return items


def part(source: dict[str, Any], key: str) -> dict[str, Any]:
    """An object in another; empty where there is none."""
    value = source.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise unreadable(key)
    return value


def number(source: dict[str, Any], key: str, default: float) -> float:
    """A number, or a text of one; the default where there is none."""
    value = source.get(key)
    if value is None or value == "":
        return default
    try:
        figure = float(value)
    except (TypeError, ValueError):
        raise unreadable(key) from None
    if not math.isfinite(figure) or abs(figure) > NUMBER_MAX:
        raise unreadable(key)
    return figure


def whole(source: dict[str, Any], key: str, default: int) -> int:
    """A whole number, or a text of one; the default where there is none."""
    return int(number(source, key, default))


def clock_of(hours: int, minutes: int = 60, seconds: int = 60) -> DayShape | None:
    """The length of a day; None: it is the usual one."""
    clock = DayShape(hours, minutes, seconds)
    return None if clock == DayShape() else clock


def flag(source: dict[str, Any], key: str, *, default: bool) -> bool:
    """A yes or no; the default where there is none."""
    value = source.get(key)
    return default if value is None else bool(value)


def text(source: dict[str, Any], key: str) -> str:
    """A text on one line; empty where there is none."""
    value = source.get(key)
    return CONTROLS.sub(" ", value) if isinstance(value, str) else ""


def name(source: dict[str, Any], default: str) -> str:
    """The name of a thing; of a key of a language file, its last part."""
    title = text(source, "name").strip()
    if title.startswith("CALENDARIA."):
        title = title.rpartition(".")[2]
    return (title or default)[:NAME_MAX].strip()


def year_format_of(prefix: str, suffix: str) -> str:
    """How a year is written between two texts; empty: by its number alone."""
    template = f"{prefix[:20]}{{year}}{suffix[:20]}".strip()
    return "" if template == "{year}" else template


def start_date(shape: CalendarShape, year: int, month: int, day: int, seconds: int = 0) -> CalendarDate | None:
    """A date to begin with, month and day counted from 0; else the first day of the month or year."""
    require_limits(shape)
    calendar = calendar_of(shape)
    counted_year = calendar.counted_year(year)
    month = month if 0 <= month < len(shape.months) else 0
    days = calendar.days.days_of(counted_year, month) or calendar.days.days_of(counted_year, month := 0)
    if days is None or (year == 0 and not shape.year_zero):
        return None
    first, last = days
    minutes = seconds // calendar.clock.seconds
    hour, minute = divmod(minutes, calendar.clock.minutes)
    hour = hour if 0 <= hour < calendar.clock.hours else 0
    return CalendarDate(year, month + 1, first + day if first + day <= last else first, hour, minute)


def with_age(shape: CalendarShape, moon: Moon, year: int, month: int, day: int, shift: float = 0) -> Moon:
    """A moon that was new on a date, month and day counted from 0, or so many days before it."""
    require_limits(shape)
    calendar = calendar_of(shape)
    year = calendar.counted_year(year)
    start = calendar.days.start_of(year)
    plan = calendar.days.plan_of(year)
    before = next((stretch.start for stretch in plan.stretches if stretch.month >= month), plan.days)
    return structs.replace(moon, age=decimal((shift - (start + before + day)) % max(1.0, float(moon.cycle))))


def decimal(figure: float) -> str:
    """A number of days as calendars write it."""
    return f"{figure:.9f}".rstrip("0").rstrip(".")
