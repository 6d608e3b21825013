"""Eviction of deleted campaigns from the memory of every process, long before they are purged."""

import asyncio
from contextlib import suppress
from typing import Any

from domain.event_store_types import DatabaseUnavailable
from services.campaign.lru_cache import LruCache
from services.ports.deletion_store import DeletionStore

EVERY_SECONDS = 60.0


async def evict_deleted(deletions: DeletionStore, *memories: LruCache[Any]) -> None:
    """Evict the campaigns that are deleted or do not exist any more."""
    campaign_ids = {campaign_id for memory in memories for campaign_id in memory.campaigns()}
    if campaign_ids:
        for campaign_id in await deletions.deleted_among(campaign_ids):
            for memory in memories:
                memory.evict(campaign_id)


async def keep_evicting(deletions: DeletionStore, *memories: LruCache[Any]) -> None:
    """Evict deleted campaigns every 60 s, until cancelled."""
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        with suppress(DatabaseUnavailable):
            await evict_deleted(deletions, *memories)
