"""Dates of the campaign's calendar, with the group's own days, weeks and months."""

from typing import Annotated

from msgspec import Meta, Struct, field

from domain.personal_text import Name

DAY_SECONDS = 86_400


class Month(Struct, frozen=True, forbid_unknown_fields=True):
    """A month: its name and its number of days."""

    name: Name
    days: Annotated[int, Meta(ge=1, le=1_000)]


EARTH = (
    *(("January", 31), ("February", 28), ("March", 31), ("April", 30), ("May", 31), ("June", 30)),
    *(("July", 31), ("August", 31), ("September", 30), ("October", 31), ("November", 30), ("December", 31)),
)
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class CalendarShape(Struct, frozen=True, forbid_unknown_fields=True):
    """A calendar: its months, the days of its week (perhaps none), and the year in which the campaign begins.

    A day has 24 hours; the campaign begins with the first day of the first month, on the first day of the week.
    """

    months: Annotated[list[Month], Meta(min_length=1, max_length=60)] = field(
        default_factory=lambda: [Month(name, days) for name, days in EARTH]
    )
    week: Annotated[list[Name], Meta(max_length=30)] = field(default_factory=lambda: [*WEEK])
    year: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] = 1


class Date(Struct, frozen=True):
    """A moment of a campaign's calendar; `month` and `day` count from 1."""

    year: int
    month: int
    month_name: str
    day: int
    weekday: str | None
    hour: int
    minute: int
    second: int
    text: str


def date_of(game_time: int, shape: CalendarShape) -> Date:
    """The date of a moment, given in seconds since the campaign began."""
    days, seconds = divmod(game_time, DAY_SECONDS)
    years, day = divmod(days, sum(month.days for month in shape.months))
    nth = 0
    while day >= shape.months[nth].days:
        day -= shape.months[nth].days
        nth += 1
    hour, rest = divmod(seconds, 3600)
    minute, second = divmod(rest, 60)
    month, weekday = shape.months[nth].name, shape.week[days % len(shape.week)] if shape.week else None
    return Date(
        year=shape.year + years,
        month=nth + 1,
        month_name=month,
        day=day + 1,
        weekday=weekday,
        hour=hour,
        minute=minute,
        second=second,
        text=f"{f'{weekday}, ' if weekday else ''}{day + 1} {month} {shape.year + years}, {hour:02}:{minute:02}",
    )
