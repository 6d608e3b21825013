"""Stores the checks of ledgers."""

from typing import Protocol
from uuid import UUID

from domain.event_store_types import LedgerCheck
from domain.ids import CampaignId
from domain.worker_shares import WHOLE


class LedgerCheckStore(Protocol):
    """Stores the last check of each ledger. Every method may raise `DatabaseUnavailable`."""

    async def unchecked(
        self, first: UUID, limit: int, share: bytes = WHOLE, *, quiet: int = 0
    ) -> list[CampaignId]:
        """Campaigns in a share with events since their last check, from an id on.

        Only those that had none for `quiet` microseconds.
        """
        ...

    async def of(self, campaign_id: CampaignId) -> LedgerCheck | None:
        """The last check of a campaign's ledger."""
        ...

    async def save(self, campaign_id: CampaignId, seq: int, balances: bytes, drift: bytes) -> None:
        """Store a check."""
        ...

    async def drifting(self) -> int:
        """How many campaigns have drift in their ledger."""
        ...
