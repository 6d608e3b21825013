"""The rolls of a campaign, counted."""

from projections.statistics.roll_statistics import RollTally
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.event_scan import events_of
from services.reading.readers import Readers


async def rolls_counted(parts: Readers, campaign: VisibleCampaign, after: int = 0) -> RollTally:
    """The rolls after a seq that a member may see, counted."""
    tally = RollTally()
    async for record in events_of(parts.log, campaign, after, with_undone=True):  # dice are facts
        tally.add(record)
    return tally
