"""Calendars, and the dates of their moments: a group's own days, weeks, months, festivals and eras."""

from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from domain.campaign.day_count import Day, DayCount, ExtraDays, LeapRule, MonthDays, Restart
from domain.personal_text import Name

DAY_SECONDS = 86_400
"""The seconds of a day of 24 hours."""

INTERVALS = r"^[!+]{0,2}[1-9][0-9]{0,5}(,[!+]{0,2}[1-9][0-9]{0,5}){0,7}(?!\n)$"

Year = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
YearFormat = Annotated[str, Meta(max_length=60)]
DAYS = r"^-?[0-9]{1,6}(\.[0-9]{1,9})?(?!\n)$"
Days = Annotated[str, Meta(max_length=20, pattern=DAYS)]
"""A number of days with its fraction, written with a point, so that it stays exact: `29.53059`."""
PhaseNames = Annotated[list[Name], Meta(max_length=40)]


class Month(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A month, or a festival between months, with its number of days."""

    name: Name
    days: Annotated[int, Meta(ge=0, le=1_000)]
    """0: it exists only in years in which a leap rule gives it days."""
    kind: Literal["month", "festival"] = "month"
    """A festival of one day is written by its name alone."""
    outside_week: bool = False
    """Its days have no weekday, and the week goes on after them."""
    first_day: Annotated[int, Meta(ge=0, le=1_000)] = 1
    """The number of its first day."""
    first_weekday: Annotated[int, Meta(ge=1, le=30)] | None = None
    """The weekday with which it always begins, counted from 1; None: the week runs on."""


class LeapDays(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Days that a month or festival has in some years only."""

    rule: Annotated[str, Meta(max_length=80, pattern=INTERVALS)]
    """Intervals of years, from the most special: `400,!100,4` is every 4th, not every 100th, yet every 400th."""
    month: Annotated[int, Meta(ge=1, le=60)]
    """The month or festival that gets them, counted from 1."""
    days: Annotated[int, Meta(ge=-1_000, le=1_000)] = 1
    offset: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] = 0
    """The year from which the intervals count; those with a `+` count from 0."""
    name: Annotated[str, Meta(max_length=80)] = ""
    """The name of such a day, if it is a festival; empty: it is like every other day of its month."""
    after: Annotated[int, Meta(ge=0, le=1_000)] | None = None
    """The day of the month after which a festival stands; None: at the end."""
    outside_week: bool = False
    """They have no weekday, and the week goes on after them."""


class DayShape(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The length of a day."""

    hours: Annotated[int, Meta(ge=1, le=1_000)] = 24
    minutes: Annotated[int, Meta(ge=1, le=1_000)] = 60
    """Of an hour."""
    seconds: Annotated[int, Meta(ge=1, le=1_000)] = 60
    """Of a minute."""


class Era(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A time of many years with a name."""

    name: Name
    first_year: Year | None = None
    """Its first year; None: it has no beginning."""
    short: Annotated[str, Meta(max_length=20)] = ""
    counts: Literal["onwards", "from_one", "backwards"] = "onwards"
    """Whether its years count on, begin at 1, or count backwards to 1 before the next era."""
    format: YearFormat = ""
    """The writing of its years, such as `{year} DR`; empty: as the calendar says."""


class Moon(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A moon."""

    name: Name
    cycle: Days
    """Days from one new moon to the next."""
    age: Days = "0"
    """Days since new moon at the beginning of the first day of the calendar's `year`."""
    phases: PhaseNames = []
    """The names of its phases from new moon on; empty: the eight usual ones."""
    lengths: Annotated[list[Days], Meta(max_length=40)] = []
    """How long its phases are beside one another; empty: all alike."""


class CalendarDate(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A date of a campaign's calendar, with the hour and minute of the day."""

    year: Year
    month: Annotated[int, Meta(ge=1, le=60)] = 1
    """The month or festival, counted from 1."""
    day: Annotated[int, Meta(ge=0, le=2_000)] = 1
    """The day as it is written, in most months from 1."""
    hour: Annotated[int, Meta(ge=0, le=999)] = 0
    minute: Annotated[int, Meta(ge=0, le=999)] = 0


EARTH = (
    *(("January", 31), ("February", 28), ("March", 31), ("April", 30), ("May", 31), ("June", 30)),
    *(("July", 31), ("August", 31), ("September", 30), ("October", 31), ("November", 30), ("December", 31)),
)
MONTHS = tuple(name for name, _ in EARTH)
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class CalendarShape(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A calendar: its months, the days of its week (perhaps none), and all that makes its years differ.

    Left as it is, a day has 24 hours, no year is a leap year, and the campaign begins with the first day of
    `year`, on the first day of the week. Months, week and year are always written down, since a factory makes
    their defaults.
    """

    months: Annotated[list[Month], Meta(min_length=1, max_length=60)] = field(
        default_factory=lambda: [Month(name, days) for name, days in EARTH]
    )
    week: Annotated[list[Name], Meta(max_length=30)] = field(default_factory=lambda: [*WEEK])
    year: Year = field(default_factory=lambda: 1)
    """The year from which days, weeks and moons are counted."""
    leap_days: Annotated[list[LeapDays], Meta(max_length=20)] = []
    first_weekday: Annotated[int, Meta(ge=1, le=30)] = 1
    """The weekday, counted from 1, of the first day of `year` (of its first day in the week)."""
    week_restarts: Restart = "never"
    """When the week begins again with its first day: each year with the `first_weekday`."""
    day: DayShape | None = None
    """The length of a day; None: 24 hours."""
    year_zero: bool = True
    """Whether there is a year 0 between -1 and 1."""
    eras: Annotated[list[Era], Meta(max_length=60)] = []
    year_format: YearFormat = ""
    """How a year is written, with `{year}`, `{era}` and `{short}`; empty: by its number."""
    moons: Annotated[list[Moon], Meta(max_length=12)] = []
    starts: CalendarDate | None = None
    """The date on which the campaign begins; None: the first day of `year`."""


class Date(Struct, frozen=True, omit_defaults=True):
    """A moment of a campaign's calendar; `month` counts from 1, `day` is as it is written.

    `festival` is the name of a day that is none of an ordinary month. `year_text` is the year in the calendar's
    own way, where that is more than its number.
    """

    year: int
    month: int
    month_name: str
    day: int
    weekday: str | None
    hour: int
    minute: int
    second: int
    text: str
    festival: str | None = None
    year_text: str = ""
    stands_alone: bool = False
    """Whether it is a festival's only day, which is written without a number."""


class MoonPhase(Struct, frozen=True):
    """The phase of a moon on a day; `index` counts from 0 at new moon, of `phases` phases."""

    moon: str
    phase: str
    index: int
    phases: int


USUAL_PHASES = (
    *("new moon", "waxing crescent", "first quarter", "waxing gibbous"),
    *("full moon", "waning gibbous", "last quarter", "waning crescent"),
)

EARTH_RULE = "400,!100,4"
PRESETS = ("earth", "plain")


def has_usual_names(shape: CalendarShape) -> bool:
    """Whether months and weekdays are those of Earth, which have names in every language."""
    usual = CalendarShape()
    return (shape.months, shape.week) == (usual.months, usual.week)


def earth(starts: CalendarDate | None = None) -> CalendarShape:
    """The calendar of Earth, with its leap days and its weekdays: 1 January 1 is a Monday."""
    return CalendarShape(leap_days=[LeapDays(EARTH_RULE, 2)], starts=starts)


def as_json(shape: CalendarShape) -> dict[str, Any]:
    """A calendar as a setting stores it: without the parts that are as usual."""
    usual = CalendarShape()
    plain: dict[str, Any] = msgspec.to_builtins(shape)
    return {name: plain[name] for name in plain if getattr(shape, name) != getattr(usual, name)}


class CountedCalendar:
    """A calendar whose days have been counted: the dates of its moments, and the moments of its dates."""

    def __init__(self, shape: CalendarShape) -> None:
        self.shape = shape
        self.clock = shape.day or DayShape()
        self.minute_seconds = self.clock.seconds
        self.hour_seconds = self.clock.minutes * self.minute_seconds
        self.day_seconds = self.clock.hours * self.hour_seconds
        self.days = DayCount(
            [
                MonthDays(
                    month.days,
                    month.outside_week,
                    month.first_day,
                    None if month.first_weekday is None else month.first_weekday - 1,
                )
                for month in shape.months
            ],
            [
                ExtraDays(
                    extra.month - 1,
                    LeapRule(extra.rule, extra.offset),
                    extra.days,
                    extra.name,
                    extra.after,
                    extra.outside_week,
                )
                for extra in shape.leap_days
            ],
            origin=self.counted_year(shape.year),
            week=len(shape.week),
            first_weekday=shape.first_weekday - 1,
            restarts=shape.week_restarts,
        )
        self._writes_years = bool(shape.eras or shape.year_format)
        self.starts = 0 if shape.starts is None else self._seconds(shape.starts) or 0
        """Seconds from the first day of the calendar's `year` to the campaign's first moment."""

    def counted_year(self, year: int) -> int:
        """A year as it is counted, with a year 0 in any case."""
        return year if self.shape.year_zero or year > 0 else year + 1

    def shown_year(self, counted: int) -> int:
        """The number of a counted year."""
        return counted if self.shape.year_zero or counted > 0 else counted - 1

    def day_of(self, game_time: int) -> int:
        """The count of the day of a moment, from the first day of the calendar's `year`."""
        return (game_time + self.starts) // self.day_seconds

    def moment_of_day(self, count: int) -> int:
        """The moment at which a day begins, in seconds since the campaign began."""
        return count * self.day_seconds - self.starts

    def moment_of(self, date: CalendarDate) -> int | None:
        """The moment of a date, in seconds since the campaign began; None: there is no such date."""
        seconds = self._seconds(date)
        return None if seconds is None else seconds - self.starts

    def date_of(self, game_time: int) -> Date:
        """The date of a moment, given in seconds since the campaign began."""
        count, seconds = divmod(game_time + self.starts, self.day_seconds)
        hour, rest = divmod(seconds, self.hour_seconds)
        minute, second = divmod(rest, self.minute_seconds)
        day = self.days.day(count)
        shape = self.shape
        month = shape.months[day.month]
        weekday = None if day.weekday is None else shape.week[day.weekday]
        year = self.shown_year(day.year)
        year_text = self.year_text(year) if self._writes_years else ""
        name = day.festival or month.name
        festival = name if day.festival or month.kind == "festival" else None
        words = f"{name} {year_text or year}"
        stands_alone = festival is not None and self._is_alone(day)
        if not stands_alone:
            words = f"{day.day} {words}"
        return Date(
            year,
            day.month + 1,
            name,
            day.day,
            weekday,
            hour,
            minute,
            second,
            f"{f'{weekday}, ' if weekday else ''}{words}, {hour:02}:{minute:02}",
            festival,
            year_text,
            stands_alone,
        )

    def _is_alone(self, day: Day) -> bool:
        """Whether a festival's day is its only one, so that it is written without a number."""
        stretches = self.days.plan_of(day.year).stretches
        return sum(part.length for part in stretches if (part.month, part.name) == (day.month, day.festival)) == 1

    def year_text(self, year: int) -> str:
        """A year as the calendar writes it."""
        era = self.era_of(year)
        template = era.format if era is not None and era.format else self.shape.year_format
        number = year
        if era is not None and era.counts == "from_one" and era.first_year is not None:
            number = self.counted_year(year) - self.counted_year(era.first_year) + 1
        elif era is not None and era.counts == "backwards" and (after := self._first_year_after(era)) is not None:
            number = self.counted_year(after) - self.counted_year(year)
        if not template:
            short = "" if era is None else era.short
            return f"{number} {short}" if short else str(number)
        words = {"{year}": str(number), "{era}": era.name if era else "", "{short}": era.short if era else ""}
        for key, value in words.items():
            template = template.replace(key, value)
        return template.strip()

    def era_of(self, year: int) -> Era | None:
        """The era of a year: of those that have begun, the one that began last."""
        eras = [era for era in self.shape.eras if era.first_year is None or era.first_year <= year]
        return max(eras, key=_beginning, default=None)

    def _first_year_after(self, era: Era) -> int | None:
        later = [
            other.first_year
            for other in self.shape.eras
            if other.first_year is not None and (era.first_year is None or other.first_year > era.first_year)
        ]
        return min(later, default=None)

    def moons_on(self, count: int) -> list[MoonPhase]:
        """The phases of the moons in the middle of a day."""
        return [_phase(moon, count) for moon in self.shape.moons]

    def _seconds(self, date: CalendarDate) -> int | None:
        """Seconds from the first day of the calendar's `year` to a date; None: there is no such date."""
        if date.month > len(self.shape.months) or (date.year == 0 and not self.shape.year_zero):
            return None
        if date.hour >= self.clock.hours or date.minute >= self.clock.minutes:
            return None
        count = self.days.count(self.counted_year(date.year), date.month - 1, date.day)
        if count is None:
            return None
        return count * self.day_seconds + date.hour * self.hour_seconds + date.minute * self.minute_seconds


def _beginning(era: Era) -> float:
    return float("-inf") if era.first_year is None else era.first_year


def _phase(moon: Moon, count: int) -> MoonPhase:
    names = moon.phases or USUAL_PHASES
    lengths = [float(length) for length in moon.lengths]
    if len(lengths) != len(names) or sum(lengths) <= 0:
        lengths = [1.0] * len(names)
    cycle = float(moon.cycle)
    position = (count + float(moon.age)) % cycle / cycle * sum(lengths)
    index = 0
    while index < len(lengths) - 1 and position >= lengths[index]:
        position -= lengths[index]
        index += 1
    return MoonPhase(moon.name, names[index], index, len(names))


@lru_cache(maxsize=256)
def _calendar_of(shape: bytes) -> CountedCalendar:
    return CountedCalendar(msgspec.json.decode(shape, type=CalendarShape))


_SHAPES: dict[int, tuple[CalendarShape, CountedCalendar]] = {}
"""The last shapes by identity, since equal shapes are only known by their bytes."""
_SHAPES_MAX = 64


def calendar_of(shape: CalendarShape) -> CountedCalendar:
    """A calendar with its days counted; the same for equal calendars, as long as it is in use."""
    entry = _SHAPES.get(id(shape))
    if entry is not None:
        return entry[1]
    calendar = _calendar_of(msgspec.json.encode(shape))
    if len(_SHAPES) >= _SHAPES_MAX:
        _SHAPES.clear()
    _SHAPES[id(shape)] = shape, calendar
    return calendar


def date_of(game_time: int, shape: CalendarShape) -> Date:
    """The date of a moment, given in seconds since the campaign began."""
    return calendar_of(shape).date_of(game_time)
