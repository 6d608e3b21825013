"""Checks of ledgers in a plain dict, over the heads of a `MemoryEventStore`."""

from collections.abc import Callable
from uuid import UUID

from domain.event_store_types import LedgerCheck
from domain.ids import CampaignId
from domain.worker_shares import WHOLE, holds
from tests.doubles.projection_store import MemoryProjectionStore


class MemoryLedgerCheckStore:
    """Keeps the last check of each ledger. `clock` gives microseconds UTC."""

    def __init__(self, views: MemoryProjectionStore, clock: Callable[[], int]) -> None:
        self._views = views
        self._clock = clock
        self._checks: dict[CampaignId, LedgerCheck] = {}

    async def unchecked(
        self, first: UUID, limit: int, share: bytes = WHOLE, *, quiet: int = 0
    ) -> list[CampaignId]:
        """Campaigns in a share that have gone on since their last check, and not lately, from an id on."""
        known = await self._views.campaigns(UUID(int=0), 2**31)
        behind = [
            campaign_id
            for campaign_id in known
            if campaign_id >= first
            and holds(share, campaign_id)
            and await self._views.caught_up(campaign_id) > self._seq(campaign_id)
            and (quiet == 0 or self._views.recorded_at(campaign_id) <= self._clock() - quiet)
        ]
        return behind[:limit]

    async def of(self, campaign_id: CampaignId) -> LedgerCheck | None:
        """The last check of a campaign's ledger."""
        return self._checks.get(campaign_id)

    async def save(self, campaign_id: CampaignId, seq: int, balances: bytes, drift: bytes) -> None:
        """Keep a check."""
        self._checks[campaign_id] = LedgerCheck(seq, self._clock(), balances, drift)

    async def drifting(self) -> int:
        """How many campaigns have a ledger that is not right."""
        known = await self._views.campaigns(UUID(int=0), 2**31)
        return sum(self._checks[each].drift != b"[]" for each in known if each in self._checks)

    def _seq(self, campaign_id: CampaignId) -> int:
        check = self._checks.get(campaign_id)
        return check.seq if check is not None else 0
