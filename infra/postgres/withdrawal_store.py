"""Withdrawals, as the database notes them. Every method may raise `DatabaseUnavailable`."""

from collections.abc import Sequence
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.withdrawals import Withdrawal
from infra.postgres.driver.binary_arrays import TextArray, UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column, row_as
from infra.postgres.driver.statements import SQL


class PostgresWithdrawalStore:
    """Reads the notes that triggers write, and takes away again what was taken away before."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def after(self, noted_at: int, withdrawal_id: UUID, limit: int) -> list[Withdrawal]:
        """The withdrawals after a moment, and at that moment behind an id; oldest first."""
        return await self._database.read(
            SQL["read_withdrawals"],
            row_as(Withdrawal),
            since=Int8(noted_at),
            after=withdrawal_id,
            most=Int8(limit),
        )

    async def unknown(self, ids: Sequence[UUID]) -> set[UUID]:
        """Those of these that the database does not know of."""
        ids_found = await self._database.read(SQL["read_unknown_withdrawals"], column(UUID), ids=UuidArray(ids))
        return set(ids_found)

    async def repeat(self, withdrawal: Withdrawal) -> None:
        """Take away again, and note it. Members are only noted: their removal is an event of its own."""
        await self._database.execute(
            SQL["repeat_withdrawal"],
            tuple,
            id=withdrawal.withdrawal_id,
            noted_at=Int8(withdrawal.noted_at),
            kind=withdrawal.kind,
            campaign=withdrawal.campaign,
            subject=withdrawal.subject,
            seq=None if withdrawal.seq is None else Int8(withdrawal.seq),
            salt=withdrawal.salt,
            stays=TextArray(withdrawal.stays),
        )
