"""A kept connection: one caller at a time; reopened after it broke."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from domain.event_store_types import DatabaseUnavailable, LockTimeout
from infra.postgres.driver.connector import connect
from infra.postgres.driver.server_watchdog import Watchdog
from infra.postgres.driver.session import Arguments, Session
from infra.postgres.driver.sqlstates import Meaning, meaning_of
from infra.postgres.driver.statements import Statement
from infra.postgres.driver.wait_limits import Patience

_Row = TypeVar("_Row")

LONG_SECONDS_MAX = 15
"""Time limit of a statement that erases: one campaign's texts, answers and stored views in one transaction."""


class Unprepared(DatabaseUnavailable):
    """The connection has lost its prepared statements. Nothing was executed."""


class ConnectionBroken(DatabaseUnavailable):
    """A kept connection broke. Another one may work."""


class Connection:
    """One kept connection, for one caller at a time."""

    def __init__(self, url: str, name: str, watchdog: Watchdog) -> None:
        self._url = url
        self._name = name
        self._watchdog = watchdog
        self._session: Session | None = None
        self._generation = 0
        self._was_used = False

    async def execute(
        self, statement: Statement, arguments: Arguments, row: Callable[[Sequence[Any]], _Row], patience: Patience
    ) -> list[_Row]:
        """Run a statement as a transaction of its own; `row` makes each of its rows.

        Raises DatabaseUnavailable when the statement failed for a reason outside itself or took all the patience.
        If it may have been committed all the same, the connection is dropped, and the next call opens another.
        """
        try:
            async with self._hold_session(patience) as session:
                return await session.execute(statement, arguments, row)
        except Unprepared:
            async with self._hold_session(patience) as session:
                return await session.execute(statement, arguments, row)

    async def is_distributed(self, patience: Patience) -> bool:
        """Whether campaigns are shared out to shards; asks nothing of the server but what connecting does."""
        return (await self._connected(patience)).is_distributed

    async def execute_together(
        self, statements: Sequence[tuple[Statement, Arguments]], patience: Patience
    ) -> list[list[Any]]:
        """Run several statements as one transaction, each seeing those before it; returns the rows of each.

        Each may take up to `LONG_SECONDS_MAX`. Raises DatabaseUnavailable as `execute` does.
        """
        try:
            return await self._execute_together(statements, patience)
        except Unprepared:
            return await self._execute_together(statements, patience)

    async def _execute_together(
        self, statements: Sequence[tuple[Statement, Arguments]], patience: Patience
    ) -> list[list[Any]]:
        async with self._hold_session(patience) as session, session.connection.transaction():
            await session.execute(_ALLOW_LONG, _ALLOW_LONG.arguments(limit=f"{LONG_SECONDS_MAX}s"), tuple)
            return [await session.execute(*statement, tuple) for statement in statements]

    @asynccontextmanager
    async def _hold_session(self, patience: Patience) -> AsyncIterator[Session]:
        """The session under the watchdog; dropped if it breaks."""
        session = await self._connected(patience)
        call = self._watchdog.begin(session.connection, patience)
        try:
            yield session
        except psycopg.Error as error:
            meaning = meaning_of(error)
            if meaning not in (Meaning.DEFECT, Meaning.LOCK_TIMEOUT, Meaning.TOO_LONG):
                await self.close()
            if meaning not in (Meaning.DEFECT, Meaning.LOCK_TIMEOUT, Meaning.UNPREPARED):
                self._watchdog.met(meaning, error, self._generation)
            if meaning is Meaning.DEFECT:
                raise
            if call.hung_up:
                raise DatabaseUnavailable("PostgreSQL did not answer in time, and was hung up on") from error
            raise _as_unavailable(meaning, error) from error
        finally:
            self._watchdog.end(call)
            if session.connection.pgconn.transaction_status != TransactionStatus.IDLE:
                await self.close()

    async def _connected(self, patience: Patience) -> Session:
        self._watchdog.require_answers()
        self._was_used = True
        if self._session is not None and self._generation == self._watchdog.generation:
            return self._session
        await self.close()
        self._generation = self._watchdog.generation
        try:
            connection, is_distributed = await connect(self._url, self._name, patience)
        except psycopg.Error as refused:
            self._watchdog.refused(refused)
            raise DatabaseUnavailable(f"PostgreSQL cannot be reached: {refused}") from refused
        self._session = Session(connection, is_distributed=is_distributed)
        return self._session

    async def close_unless_used(self) -> None:
        """Close the connection if it was not used since the last time this was asked."""
        if not self._was_used:
            await self.close()
        self._was_used = False

    async def close(self) -> None:
        """Close the connection; the next call opens another."""
        session, self._session = self._session, None
        if session is not None:
            await session.connection.close()


_ALLOW_LONG = Statement("SELECT set_config('statement_timeout', :limit, true)")


def _as_unavailable(meaning: Meaning, error: psycopg.Error) -> DatabaseUnavailable:
    match meaning:
        case Meaning.LOCK_TIMEOUT:
            return LockTimeout(f"PostgreSQL gave up waiting: {error}")
        case Meaning.UNPREPARED:
            return Unprepared(f"PostgreSQL does not know a prepared statement any more: {error}")
        case Meaning.UNREACHABLE:
            return ConnectionBroken(f"PostgreSQL broke off: {error}")
        case _:
            return DatabaseUnavailable(f"PostgreSQL cannot serve: {error}")
