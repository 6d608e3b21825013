"""A moment of a campaign is the end of an action: in the middle of one, money and timers need not add up."""

from domain.ids import CampaignId
from services.ports.event_store import EventStore


async def action_end(log: EventStore, campaign_id: CampaignId, seq: int) -> int:
    """The last seq of the action that a seq belongs to; the seq itself where the log does not have it."""
    rows = await log.tail(campaign_id, max(seq - 1, 0), limit=2)
    if len(rows) == 2 and rows[0].seq == seq and rows[0].action_id == rows[1].action_id:  # noqa: PLR2004
        rows = await log.action(campaign_id, rows[0].action_id)
        return rows[-1].seq
    return seq
