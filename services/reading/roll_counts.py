"""The rolls of a campaign, counted."""

from msgspec import structs

from domain.campaign.calendar_shapes import CalendarDate
from projections.campaign.calendar_month import MonthSpan
from projections.campaign.downtime_lanes import Window
from projections.statistics.roll_statistics import RollTally
from services.campaign.visible_campaign import PointInTime, VisibleCampaign
from services.reading.event_scan import events_of
from services.reading.read_dependencies import Readers


async def rolls_counted(
    parts: Readers, campaign: VisibleCampaign, after: int = 0, window: Window | None = None
) -> RollTally:
    """The rolls after a seq that a member may see, counted; with a `window`, those of its days of the calendar.

    The rolls of a person of an import count for the member who is said to be that person.
    """
    tally, stands_for = RollTally(), campaign.state.stands_for
    async for record in events_of(parts.log, campaign, after, with_undone=True):  # dice are facts
        if window is not None and not window.begin <= record.game_time < window.end:
            continue
        member = stands_for.get(record.actor) if record.actor is not None else None
        tally.add(record if member is None else structs.replace(record, actor=member))
    return tally


async def as_of_month(parts: Readers, campaign: VisibleCampaign, span: MonthSpan) -> VisibleCampaign:
    """The campaign with nothing after a month of its calendar that is over.

    Raises `date_before_start` for a month before the campaign began.
    """
    if span.window.end > campaign.state.game_time:
        return campaign
    last = span.calendar.date_of(span.window.end - 1)
    date = CalendarDate(last.year, last.month, last.day)
    return structs.replace(campaign, seq=await parts.campaigns.seq_of(campaign, PointInTime(date=date)))
