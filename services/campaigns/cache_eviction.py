"""What is deleted leaves the memory of every process, long before it is purged."""

import asyncio
from contextlib import suppress
from typing import Any

from domain.event_store_types import DatabaseUnavailable
from services.ports.deletion_store import DeletionStore
from services.state.lru_cache import LruCache

EVERY_SECONDS = 60.0


async def forget_gone(deletions: DeletionStore, *memories: LruCache[Any]) -> None:
    """Forget the campaigns that are deleted, or not there any more."""
    kept = {campaign_id for memory in memories for campaign_id in memory.campaigns()}
    if kept:
        for campaign_id in await deletions.gone(kept):
            for memory in memories:
                memory.forget(campaign_id)


async def forget_on(deletions: DeletionStore, *memories: LruCache[Any]) -> None:
    """Do so every minute, until cancelled."""
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        with suppress(DatabaseUnavailable):
            await forget_gone(deletions, *memories)
