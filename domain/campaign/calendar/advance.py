"""Campaign time, which moves only by events."""

from domain.campaign.commands import AdvanceCalendar
from domain.campaign.events import CampaignEvent
from domain.campaign.lifecycle.membership import must_be_gm
from domain.campaign.scheduling import timers
from domain.campaign.state import CampaignState
from domain.command_context import Asked
from domain.lifecycle_events import CalendarAdvanced
from domain.rejection import Rejection
from domain.sentences import say

FIRINGS_MAX = 2_000
"""What falls due at once is appended at once, so it must not grow without bounds."""

HOUR_SECONDS = 3600
DAY_SECONDS = 24 * HOUR_SECONDS


def advance_calendar(state: CampaignState, asked: Asked, command: AdvanceCalendar) -> list[CampaignEvent]:
    """Let time pass. Refuses `no_time_given`, `calendar_ends` and `too_much_due`."""
    must_be_gm(asked, say("Only a GM may move the calendar."))
    seconds = command.by.total_seconds
    if seconds == 0:
        raise Rejection("no_time_given", "Say how much time passes: days, hours, minutes or seconds.")
    after = state.game_time + seconds
    if after > timers.GAME_TIME_SECONDS_MAX:
        raise Rejection("calendar_ends", "The calendar ends after a hundred thousand years.")
    if timers.firings_by(state, after) > FIRINGS_MAX:
        raise Rejection(
            "too_much_due",
            say("More than {most} timers would fire by then: let time pass in smaller steps.", most=FIRINGS_MAX),
        )
    return [CalendarAdvanced(seconds=seconds, game_time_after=after)]
