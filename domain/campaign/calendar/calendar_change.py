"""Another calendar in the middle of a campaign: the log keeps seconds, and the calendar says the date of today."""

from msgspec import structs

from domain.campaign.calendar_checks import require_date
from domain.campaign.calendar_shapes import CalendarDate, CalendarShape, calendar_of
from domain.rejection import Rejection
from domain.sentences import say

YEAR_MAX = 1_000_000


def with_today(shape: CalendarShape, game_time: int, today: CalendarDate) -> CalendarShape:
    """A calendar that begins so that a moment, in seconds since the campaign began, has a date.

    Raises `date_impossible`, with the `nearest` date that there is, and `calendar_invalid`.
    """
    calendar = calendar_of(structs.replace(shape, starts=None))
    begin = require_date(calendar, today) - game_time
    begin_minute = -(-begin // calendar.minute_seconds) * calendar.minute_seconds
    date = calendar.date_of(begin_minute)
    if abs(date.year) > YEAR_MAX:
        reason = say("the campaign would begin before the year {year}", year=str(-YEAR_MAX))
        raise Rejection("calendar_invalid", say("That is no calendar: {reason}.", reason=reason))
    return structs.replace(shape, starts=CalendarDate(date.year, date.month, date.day, date.hour, date.minute))


def same_day(before: CalendarShape, game_time: int, after: CalendarShape) -> CalendarDate:
    """The date of a moment by one calendar, in another: in the month of the same name, else in that of its place.

    Places are counted among months, and among festivals. The other calendar need not have such a date.
    """
    date = calendar_of(before).date_of(game_time)
    month = before.months[date.month - 1]
    names = [other.name for other in after.months]
    if names.count(month.name) == 1:
        place = names.index(month.name)
    else:
        nth = sum(other.kind == month.kind for other in before.months[: date.month - 1])
        alike = [place for place, other in enumerate(after.months) if other.kind == month.kind]
        place = alike[nth] if nth < len(alike) else date.month - 1
    return CalendarDate(date.year, place + 1, date.day, date.hour, date.minute)
