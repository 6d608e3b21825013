"""Deleted campaigns over a `MemoryEventStore`."""

from collections.abc import Callable, Iterable
from uuid import UUID

from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId
from tests.doubles.event_store import MemoryEventStore

_BEFORE_ALL = UUID(int=0)


class MemoryDeletionStore:
    """Deletes campaigns of a log and restores them. `clock` gives microseconds UTC."""

    def __init__(self, log: MemoryEventStore, clock: Callable[[], int]) -> None:
        self._log = log
        self._clock = clock

    async def delete(
        self, campaign_id: CampaignId, account_id: AccountId | None, name: str, grace: int, *, rested: bool
    ) -> Deletion | None:
        """Delete a campaign, to be purged after `grace` microseconds; None: the account is no GM of it."""
        if await self._log.head(campaign_id) is None or not self._may(campaign_id, account_id):
            return None
        now = self._clock()
        deletion = Deletion(campaign_id, name, now, account_id, now + grace, rested)
        self._log.deleted[campaign_id] = deletion
        return deletion

    async def restore(self, campaign_id: CampaignId, account_id: AccountId | None) -> bool | None:
        """Restore a campaign; whether it had `rested`. None: the account is no GM of it, or it is not deleted."""
        if campaign_id not in self._log.deleted or not self._may(campaign_id, account_id):
            return None
        return self._log.deleted.pop(campaign_id).rested

    async def of(
        self, account_id: AccountId, after: CampaignId | None, limit: int, *, before: CampaignId | None = None
    ) -> list[Deletion]:
        """Page through the deleted campaigns that the account is a GM of, by campaign id.

        Those after `after`, or those before `before`, the last ones first.
        """
        mine = [each for each in sorted(self._log.deleted.items()) if self._log.is_gm(each[0], account_id)]
        if before is not None:
            return [deletion for campaign_id, deletion in reversed(mine) if campaign_id < before][:limit]
        return [deletion for campaign_id, deletion in mine if campaign_id > (after or _BEFORE_ALL)][:limit]

    async def deleted_among(self, campaigns: Iterable[CampaignId]) -> list[CampaignId]:
        """Say which of these are deleted, or not there at all."""
        return [campaign_id for campaign_id in campaigns if await self._log.head(campaign_id) is None]

    def _may(self, campaign_id: CampaignId, account_id: AccountId | None) -> bool:
        return account_id is None or self._log.is_gm(campaign_id, account_id)
