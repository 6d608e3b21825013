"""Appends that erase something."""

from msgspec.structs import replace

from domain.event_store_types import Erasure, EventBatch, Head
from domain.ids import CampaignId
from tests.infra.log_entries import batch_after


def erasing_after(campaign_id: CampaignId, head: Head, erasure: Erasure) -> EventBatch:
    """An event together with which texts go."""
    return replace(batch_after(campaign_id, head), erasure=erasure)
