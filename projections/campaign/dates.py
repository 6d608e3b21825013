"""Dates of a campaign's calendar: the usual one in a reader's language, a group's own as the group names it."""

from babel.dates import get_day_names, get_month_names
from msgspec import structs

from domain.campaign.dates import WEEK, CalendarShape, Date, date_of, has_usual_names
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


def month_names(language: str, shape: CalendarShape) -> list[str]:
    """The names of a calendar's months and festivals in a language."""
    if language == ENGLISH or not has_usual_names(shape):
        return [month.name for month in shape.months]
    return [*get_month_names(locale=language).values()]


def date_in_words(date: Date) -> Sentence:
    """A date as `Thursday, 4 January 1`, with the hour unless it is midnight."""
    return _timed(date) if date.hour or date.minute else _day(date)


def _timed(date: Date) -> Sentence:
    return say("{day}, {time}", day=_day(date), time=f"{date.hour:02}:{date.minute:02}")


def _day(date: Date) -> Sentence:
    year = date.year_text or str(date.year)
    if date.stands_alone:
        day = say("{festival} {year}", festival=date.month_name, year=year)
    else:
        day = say("{day} {month} {year}", day=date.day, month=date.month_name, year=year)
    return say("{weekday}, {day}", weekday=date.weekday, day=day) if date.weekday else day
