"""Dates of a campaign's calendar: the usual one in a reader's language, a group's own as the group names it."""

from babel.dates import get_day_names, get_month_names
from msgspec import structs

from domain.campaign.calendar_shapes import (
    DAY_SECONDS,
    USUAL_PHASES,
    WEEK,
    CalendarShape,
    Date,
    MoonPhase,
    calendar_of,
    date_of,
    has_usual_names,
)
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import CampaignState
from domain.sentences import ENGLISH, Sentence, say
from projections.languages import render


def date_in(language: str, game_time: int, shape: CalendarShape) -> Date:
    """The date of a moment, given in seconds since the campaign began, with its names in a language."""
    date = date_of(game_time, shape)
    if language == ENGLISH or date.festival or not has_usual_names(shape):
        return date
    month = get_month_names(locale=language)[date.month]
    weekday = get_day_names(locale=language)[WEEK.index(date.weekday or "")]
    local_date = structs.replace(date, month_name=month, weekday=weekday)
    return structs.replace(local_date, text=render(_timed(local_date), language))


def moment_in(language: str, seconds: int, unit_seconds: int, shape: CalendarShape) -> str:
    """A moment of the calendar in words; only the day where its unit is a day, and nothing more is known."""
    text = date_in(language, seconds, shape).text
    return text.rpartition(", ")[0] if unit_seconds == DAY_SECONDS else text


class CampaignDates:
    """The dates of moments of a campaign in a language; they say nothing as long as time has not moved there."""

    def __init__(self, state: CampaignState, language: str) -> None:
        self._language = language
        self._shape = settings_of(OWN, state.changed_settings).calendar
        self._moves = state.game_time > 0

    def count(self, game_time: int | None) -> int | None:
        """The count of a moment's day; None: nothing is said of it."""
        return calendar_of(self._shape).day_of(game_time) if self._moves and game_time is not None else None

    def day(self, game_time: int | None) -> Sentence | str:
        """The day of a moment, as `Thursday, 4 January 1`; empty: nothing is said of it."""
        date = self._date(game_time)
        return "" if date is None else day_in_words(date)

    def moment(self, game_time: int | None) -> Sentence | str:
        """The same with the hour, unless that is midnight."""
        date = self._date(game_time)
        return "" if date is None else date_in_words(date)

    def days(self, first: int, last: int) -> Sentence | str:
        """The days from one moment to another, as 4 to 9 January 1; empty: nothing is said of them."""
        if not self._moves:
            return ""
        return days_in_words(*(date_in(self._language, game_time, self._shape) for game_time in (first, last)))

    def _date(self, game_time: int | None) -> Date | None:
        if not self._moves or game_time is None:
            return None
        return date_in(self._language, game_time, self._shape)


USUAL_PHASES_IN_WORDS = dict(
    zip(
        USUAL_PHASES,
        (
            *(say("new moon"), say("waxing crescent"), say("first quarter"), say("waxing gibbous")),
            *(say("full moon"), say("waning gibbous"), say("last quarter"), say("waning crescent")),
        ),
        strict=True,
    )
)


def moons_in(language: str, day: int, shape: CalendarShape) -> list[MoonPhase]:
    """The phases of the moons on a day, counted as a calendar counts it, in a language where they are usual."""
    phases = zip(calendar_of(shape).moons_on(day), shape.moons, strict=True)
    return [
        phase
        if moon.phases
        else structs.replace(phase, phase=render(USUAL_PHASES_IN_WORDS[phase.phase], language))
        for phase, moon in phases
    ]


def month_names(language: str, shape: CalendarShape) -> list[str]:
    """The names of a calendar's months and festivals in a language."""
    if language == ENGLISH or not has_usual_names(shape):
        return [month.name for month in shape.months]
    return [*get_month_names(locale=language).values()]


def weekday_names(language: str, shape: CalendarShape) -> list[str]:
    """The names of the days of a calendar's week in a language."""
    if language == ENGLISH or not has_usual_names(shape):
        return shape.week
    names = get_day_names(locale=language)
    return [names[nth] for nth in range(len(WEEK))]


def date_in_words(date: Date) -> Sentence:
    """A date as `Thursday, 4 January 1`, with the hour unless it is midnight."""
    return _timed(date) if date.hour or date.minute else day_in_words(date)


def _timed(date: Date) -> Sentence:
    return say("{day}, {time}", day=day_in_words(date), time=f"{date.hour:02}:{date.minute:02}")


def day_in_words(date: Date) -> Sentence:
    """A day as `Thursday, 4 January 1`."""
    day = _day(date)
    return say("{weekday}, {day}", weekday=date.weekday, day=day) if date.weekday else day


def days_in_words(first: Date, last: Date) -> Sentence:
    """The days from one date to another: 4 January 1, 4 to 9 January 1, 30 January to 2 February 1."""
    if (first.year, first.month, first.day) == (last.year, last.month, last.day):
        return _day(first)
    if first.year_text != last.year_text or first.year != last.year:
        return say("{first} to {last}", first=_day(first), last=_day(last))
    if (first.month, first.month_name) == (last.month, last.month_name):
        month = say("{month} {year}", month=last.month_name, year=last.year_text or str(last.year))
        return say("{first}\N{EN DASH}{last} {month}", first=first.day, last=last.day, month=month)
    return say("{first} to {last}", first=_day_of_year(first), last=_day(last))


def _day(date: Date) -> Sentence:
    """A day without its weekday."""
    year = date.year_text or str(date.year)
    if date.stands_alone:
        return say("{festival} {year}", festival=date.month_name, year=year)
    return say("{day} {month} {year}", day=date.day, month=date.month_name, year=year)


def _day_of_year(date: Date) -> Sentence | str:
    """A day without its year."""
    return date.month_name if date.stands_alone else say("{day} {month}", day=date.day, month=date.month_name)
