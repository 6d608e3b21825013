"""Finds campaigns whose log was set back by a restored backup."""

from msgspec import Struct

from domain.event_store_types import Head
from domain.ids import CampaignId
from services.campaign.rollback_detector import RollbackDetector
from services.ports.event_store import EventStore


class Comparison(Struct, frozen=True):
    """A campaign's kept head beside the head of its log; None: there is none.

    `is_restored`: the log ends before the kept head, or has another event there.
    """

    campaign_id: CampaignId
    stored_head: Head | None
    head: Head | None
    is_restored: bool


async def compare(log: EventStore, detector: RollbackDetector, campaign_id: CampaignId) -> Comparison:
    """Compare a campaign's log with its kept head. Raises `DatabaseUnavailable`."""
    stored_head = detector.stored_head(campaign_id)
    head = await log.head(campaign_id)
    is_restored = head is not None and not await detector.is_whole(campaign_id, stored_head, head)
    return Comparison(campaign_id, stored_head, head, is_restored)
