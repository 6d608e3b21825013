"""Appends that erase something."""

from msgspec.structs import replace

from domain.event_store_types import Chunk, Erasure, Head
from domain.ids import CampaignId
from tests.infra.log_entries import chunk_after


def erasing_after(campaign_id: CampaignId, head: Head, erasure: Erasure) -> Chunk:
    """An event together with which texts go."""
    return replace(chunk_after(campaign_id, head), erasure=erasure)
