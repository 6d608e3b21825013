"""Where it is stored which campaigns are deleted, and until when each can be restored."""

from collections.abc import Iterable
from typing import Protocol

from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId


class DeletionStore(Protocol):
    """Campaigns that are deleted and can be restored. Every method may raise `DatabaseUnavailable`."""

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
