"""Dates of a campaign's calendar: the usual one in the reader's language, a group's own as the group names it."""

from babel.dates import get_day_names, get_month_names

from domain.campaign.calendar.dates import CalendarShape, Date
from domain.sentences import Part, say

USUAL = CalendarShape()


def date_in_words(date: Date, shape: CalendarShape, language: str) -> Part:
    """A date as `Thursday, 4 January 1`, with the hour unless it is midnight."""
    month, weekday = date.month_name, date.weekday or ""
    if (shape.months, shape.week) == (USUAL.months, USUAL.week):
        month = get_month_names(locale=language)[date.month]
        weekday = get_day_names(locale=language)[USUAL.week.index(weekday)] if weekday else ""
    day = say("{day} {month} {year}", day=date.day, month=month, year=str(date.year))
    if weekday:
        day = say("{weekday}, {day}", weekday=weekday, day=day)
    if date.hour or date.minute:
        day = say("{day}, {time}", day=day, time=f"{date.hour:02}:{date.minute:02}")
    return day
