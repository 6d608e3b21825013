"""How long something takes, as commands say it: by a span, or until a date of the campaign's calendar."""

from msgspec import UNSET, UnsetType, structs

from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.calendar_checks import require_date
from domain.campaign.calendar_shapes import CalendarDate
from domain.campaign.messages.base_types import EndDate, Span
from domain.campaign.state import CampaignState
from domain.rejection import Rejection


def seconds_of(state: CampaignState, now: int, span: Span, until: EndDate | UnsetType) -> int:
    """The seconds that a span takes, or those from the moment `now` until a date; one of both is said.

    Raises `no_time_given`, `span_and_date`, `date_impossible` and `date_past`.
    """
    seconds = span.total_seconds
    if until is UNSET:
        if seconds == 0:
            raise Rejection(
                "no_time_given", "Say how much time passes (days, hours, minutes or seconds), or until which date."
            )
        return seconds
    if seconds:
        raise Rejection("span_and_date", "Say how much time passes, or until which date, but not both.")
    return moment_of(state, until, now) - now


def moment_of(state: CampaignState, date: EndDate, now: int) -> int:
    """The moment of a date that is still to come, in seconds since the campaign began.

    Raises `date_impossible`, with the `nearest` date that there is, and `date_past`.
    """
    moment = require_date(calendar_in(state), CalendarDate(*structs.astuple(date)))
    if moment <= now:
        raise Rejection("date_past", "That date is not later than now, and time only goes forward.")
    return moment
