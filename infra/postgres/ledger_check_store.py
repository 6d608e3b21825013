"""Checks of ledgers in PostgreSQL."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.event_store_types import LedgerCheck
from domain.ids import CampaignId
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import statement

_UNCHECKED = statement("read_unchecked")
_READ = statement("read_ledger_check")
_SAVE = statement("save_ledger_check")
_COUNT = statement("count_drifting")


class PostgresLedgerCheckStore:
    """Stores the last check of each ledger. Every method may raise `DatabaseUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def unchecked(self, first: UUID, limit: int) -> list[CampaignId]:
        """Campaigns with events since their last check, from an id on."""
        return await self._database.read(_UNCHECKED, _first, first=first, most=Int8(limit))

    async def of(self, campaign_id: CampaignId) -> LedgerCheck | None:
        """The last check of a campaign's ledger."""
        found = await self._database.read(_READ, lambda row: LedgerCheck(*row), campaign=campaign_id)
        return found[0] if found else None

    async def save(self, campaign_id: CampaignId, seq: int, balances: bytes, drift: bytes) -> None:
        """Store a check."""
        await self._database.execute(
            _SAVE, _first, campaign=campaign_id, seq=Int8(seq), balances=balances, drift=drift
        )

    async def drifting(self) -> int:
        """How many campaigns have drift in their ledger."""
        return int((await self._database.read(_COUNT, _first))[0])


def _first(row: Sequence[Any]) -> Any:
    return row[0]
