"""Campaign time, which moves only by events."""

from domain.asked import Asked
from domain.campaign.commands import AdvanceCalendar
from domain.campaign.events import CampaignEvent
from domain.campaign.membership import must_be_gm
from domain.campaign.state import CampaignState
from domain.moments import CalendarAdvanced
from domain.rejection import Rejection
from domain.sentences import say

HOUR_SECONDS = 3600
DAY_SECONDS = 24 * HOUR_SECONDS
GAME_TIME_SECONDS_MAX = 100_000 * 366 * DAY_SECONDS
"""A hundred thousand years: no campaign gets there, and no sum overflows a stored integer."""


def advance_calendar(state: CampaignState, command: AdvanceCalendar, asked: Asked) -> list[CampaignEvent]:
    """Let time pass. Refuses `no_time_given` and `calendar_ends`."""
    must_be_gm(asked, say("Only a GM may move the calendar."))
    seconds = command.by.days * DAY_SECONDS + command.by.hours * HOUR_SECONDS
    if seconds == 0:
        raise Rejection("no_time_given", "Say how much time passes: days, hours or both.")
    after = state.game_time + seconds
    if after > GAME_TIME_SECONDS_MAX:
        raise Rejection("calendar_ends", "The calendar ends after a hundred thousand years.")
    return [CalendarAdvanced(seconds=seconds, game_time_after=after)]
