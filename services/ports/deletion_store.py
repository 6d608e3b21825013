"""Stores which campaigns are deleted, and until when each can be restored."""

from collections.abc import Iterable
from typing import Protocol

from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId


class DeletionStore(Protocol):
    """Deletes and restores campaigns. Every method may raise `DatabaseUnavailable`."""

    async def delete(
        self, campaign_id: CampaignId, account_id: AccountId | None, name: str, grace: int, *, rested: bool
    ) -> Deletion | None:
        """Delete a campaign, to be purged after `grace` microseconds; None: the account is no GM of it.

        Without an account the host does it.
        """
        ...

    async def restore(self, campaign_id: CampaignId, account_id: AccountId | None) -> bool | None:
        """Restore a campaign; returns its `rested`. None: the account is no GM of it, or it is not deleted."""
        ...

    async def of(
        self, account_id: AccountId, after: CampaignId | None, limit: int, *, before: CampaignId | None = None
    ) -> list[Deletion]:
        """The deleted campaigns that an account is a GM of, by id; the last ones first where `before` is given."""
        ...

    async def deleted_among(self, campaigns: Iterable[CampaignId]) -> list[CampaignId]:
        """Those of these campaigns that are deleted or do not exist."""
        ...
