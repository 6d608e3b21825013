"""Campaign time, which moves by events only."""

from domain.campaign.calendar import timers
from domain.campaign.calendar.durations import seconds_of
from domain.campaign.calendar.timers import FIRINGS_MAX
from domain.campaign.commands import AdvanceCalendar
from domain.campaign.events import CampaignEvent
from domain.campaign.membership import must_be_gm
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.lifecycle_events import CalendarAdvanced
from domain.rejection import Rejection
from domain.sentences import say

HOUR_SECONDS = 3600
DAY_SECONDS = 24 * HOUR_SECONDS


def advance_calendar(
    state: CampaignState, context: CommandContext, command: AdvanceCalendar
) -> list[CampaignEvent]:
    """Move campaign time forward. Raises `calendar_ends`, `too_much_due`, and what `spans` does."""
    must_be_gm(context, say("Only a GM may move the calendar."))
    seconds = seconds_of(state, state.game_time, command.by, command.until)
    after = state.game_time + seconds
    if after > timers.GAME_TIME_SECONDS_MAX:
        raise Rejection("calendar_ends", "The calendar ends after a hundred thousand years.")
    if timers.firings_by(state, after) > FIRINGS_MAX:
        raise Rejection(
            "too_much_due",
            say(
                "More than {most} timers would fire by then: let time pass in smaller steps.",
                most=FIRINGS_MAX,
            ),
        )
    return [CalendarAdvanced(seconds=seconds, game_time_after=after)]
