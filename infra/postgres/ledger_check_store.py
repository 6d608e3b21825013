"""Checks of ledgers in PostgreSQL."""

from uuid import UUID

from psycopg.types.numeric import Int8

from domain.event_store_types import LedgerCheck
from domain.ids import CampaignId
from domain.worker_shares import WHOLE
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column, row_as
from infra.postgres.driver.statements import SQL


class PostgresLedgerCheckStore:
    """Stores the last check of each ledger. Every method may raise `DatabaseUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def unchecked(
        self, first: UUID, limit: int, share: bytes = WHOLE, *, quiet: int = 0
    ) -> list[CampaignId]:
        """Campaigns in a share with events since their last check, from an id on.

        Only those that had none for `quiet` microseconds.
        """
        return await self._database.read(
            SQL["read_unchecked"],
            column(CampaignId),
            first=first,
            most=Int8(limit),
            share=share,
            quiet=Int8(quiet),
        )

    async def of(self, campaign_id: CampaignId) -> LedgerCheck | None:
        """The last check of a campaign's ledger."""
        return await self._database.read_one(SQL["read_ledger_check"], row_as(LedgerCheck), campaign=campaign_id)

    async def save(self, campaign_id: CampaignId, seq: int, balances: bytes, drift: bytes) -> None:
        """Store a check."""
        await self._database.execute(
            SQL["save_ledger_check"], tuple, campaign=campaign_id, seq=Int8(seq), balances=balances, drift=drift
        )

    async def drifting(self) -> int:
        """How many campaigns have drift in their ledger."""
        return (await self._database.read(SQL["count_drifting"], column(int)))[0]
