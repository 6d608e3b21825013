"""Rules by which timers repeat, in words."""

from domain.campaign.calendar_shapes import CalendarShape
from domain.campaign.messages.timers import (
    AnyRepetition,
    EveryDay,
    EveryMonth,
    EveryMonthEnd,
    EveryMonthWeekday,
    EveryWeek,
    EveryYear,
)
from domain.sentences import Sentence, in_a_row, say
from projections.campaign.dates import month_names, weekday_names


def repetition_in_words(repeats: AnyRepetition, language: str, shape: CalendarShape) -> Sentence:
    """A rule as `every week on Monday and Friday`, with the names that a calendar has in a language."""
    match repeats:
        case EveryYear():
            return _of_years(repeats, _name(month_names(language, shape), repeats.month))
        case EveryMonth() | EveryMonthEnd() | EveryMonthWeekday():
            return _of_months(repeats, weekday_names(language, shape))
        case EveryWeek():
            names = weekday_names(language, shape)
            weekdays = in_a_row([_name(names, weekday) for weekday in repeats.weekdays])
            return say("every week on {weekdays}", weekdays=weekdays)
        case EveryDay():
            return say("every day")


def _of_months(repeats: EveryMonth | EveryMonthEnd | EveryMonthWeekday, weekdays: list[str]) -> Sentence:
    match repeats:
        case EveryMonth():
            return say("on day {day} of every month", day=repeats.day)
        case EveryMonthEnd():
            return say("on the last day of every month")
        case EveryMonthWeekday(weekday=weekday, nth=None):
            return say("every month on the last {weekday}", weekday=_name(weekdays, weekday))
        case EveryMonthWeekday(weekday=weekday, nth=nth):
            return say("every month on {weekday} number {nth}", weekday=_name(weekdays, weekday), nth=str(nth))


def _of_years(repeats: EveryYear, month: str) -> Sentence:
    if repeats.otherwise == "not_at_all":
        return say("on {day} {month} in the years that have it", day=repeats.day, month=month)
    return say("every year on {day} {month}", day=repeats.day, month=month)


def _name(names: list[str], place: int) -> str:
    """The name at a place from 1, or its number where a calendar has no such place."""
    return names[place - 1] if place <= len(names) else str(place)
