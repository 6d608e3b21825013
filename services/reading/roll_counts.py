"""The rolls of a campaign, counted."""

from msgspec import structs

from projections.statistics.roll_statistics import RollTally
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.event_scan import events_of
from services.reading.readers import Readers


async def rolls_counted(parts: Readers, campaign: VisibleCampaign, after: int = 0) -> RollTally:
    """The rolls after a seq that a member may see, counted.

    The rolls of a person of an import count for the member who is said to be that person.
    """
    tally, stands_for = RollTally(), campaign.state.stands_for
    async for record in events_of(parts.log, campaign, after, with_undone=True):  # dice are facts
        member = stands_for.get(record.actor) if record.actor is not None else None
        tally.add(record if member is None else structs.replace(record, actor=member))
    return tally
