"""A change of the calendar before it is made, as its reader sees it."""

from domain.campaign.calendar.calendar_change import with_today
from domain.campaign.calendar_files.calendar_reader import require_calendar
from domain.campaign.calendar_shapes import CalendarDate, CalendarShape
from projections.campaign.calendar_change import CalendarChange, change_of
from services.campaign.visible_campaign import VisibleCampaign, refusing_in
from services.reading.read_dependencies import Readers
from services.reading.timers import timer_views


async def preview_change(
    parts: Readers, campaign: VisibleCampaign, shape: CalendarShape, today: CalendarDate | None
) -> CalendarChange:
    """Today and the timers that the reader knows of, before and after; with `today`, that is the date then.

    Refuses `calendar_invalid` and `date_impossible`.
    """
    with refusing_in(campaign.language):
        require_calendar(shape)
        if today is not None:
            shape = with_today(shape, campaign.state.game_time, today)
    board = await timer_views(parts, campaign, None)
    return change_of(campaign.state, campaign.seq, shape, board, campaign.language)
