"""What is deleted leaves the memory of every process, long before it is purged."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Protocol

from domain.ids import AccountId, CampaignId
from domain.stored import DatabaseAway, Deletion
from services.commands.campaign_cache import LruCache

EVERY_SECONDS = 60.0


class Deletions(Protocol):
    """Campaigns that are deleted and can be restored. Every method may raise `DatabaseAway`."""

    async def delete(
        self, campaign_id: CampaignId, account_id: AccountId, name: str, grace: int, *, rested: bool
    ) -> Deletion | None:
        """Delete a campaign, to be purged after `grace` microseconds; None: the account is no GM of it."""
        ...

    async def restore(self, campaign_id: CampaignId, account_id: AccountId) -> bool | None:
        """Restore a campaign; whether it had `rested`. None: the account is no GM of it, or it is not deleted."""
        ...

    async def of(self, account_id: AccountId, after: CampaignId | None, limit: int) -> list[Deletion]:
        """The deleted campaigns that an account is a GM of, by campaign id."""
        ...

    async def gone(self, campaigns: Iterable[CampaignId]) -> list[CampaignId]:
        """Which of these are deleted, or not there at all."""
        ...


async def forget_gone(deletions: Deletions, *memories: LruCache[Any]) -> None:
    """Forget the campaigns that are deleted, or not there any more."""
    kept = {campaign_id for memory in memories for campaign_id in memory.campaigns()}
    if kept:
        for campaign_id in await deletions.gone(kept):
            for memory in memories:
                memory.forget(campaign_id)


async def forget_on(deletions: Deletions, *memories: LruCache[Any]) -> None:
    """Do so every minute, until cancelled."""
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        with suppress(DatabaseAway):
            await forget_gone(deletions, *memories)
