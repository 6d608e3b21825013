"""Withdrawals, noted in the database and in a journal outside it: campaigns, accounts and texts taken away."""

from collections.abc import Iterable, Sequence
from typing import Protocol
from uuid import UUID

from domain.withdrawals import Withdrawal


class WithdrawalStore(Protocol):
    """The database's notes. Every method may raise `DatabaseUnavailable`."""

    async def after(self, noted_at: int, withdrawal_id: UUID, limit: int) -> list[Withdrawal]:
        """The withdrawals after a moment, and at that moment behind an id; oldest first."""
        ...

    async def unknown(self, ids: Sequence[UUID]) -> set[UUID]:
        """Those of these that the database does not know of."""
        ...

    async def repeat(self, withdrawal: Withdrawal) -> None:
        """Take away again, and note it. Members are only noted: their removal is an event of its own."""
        ...


class WithdrawalJournal(Protocol):
    """The copy outside the database. Every method may raise OSError."""

    def read(self) -> list[Withdrawal]:
        """All of it, oldest first."""
        ...

    def add(self, withdrawals: Iterable[Withdrawal]) -> None:
        """Add those that are not in it."""
        ...
