"""Connections to PostgreSQL that are kept: some lanes for appends, others for everything else.

Taking a connection from a pool for each command halves the speed of the log (measured), so each lane
holds its own, serves one statement at a time, and connects anew after a break.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Self, TypeVar

import psycopg
from psycopg import AsyncConnection, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from domain.stored import DatabaseAway
from infra.postgres.binary_arrays import teach_arrays
from infra.postgres.session import Arguments, Session
from infra.postgres.statements import Statement

_Row = TypeVar("_Row")

CONNECT_SECONDS_MAX = 5
STATEMENT_SECONDS_MAX = 15
LOCK_MILLISECONDS_MAX = 400
"""Well under the second that a recorded time may be off: who waited in vain is still on time for the rest."""
SILENCE_SECONDS_MAX = STATEMENT_SECONDS_MAX + 3
"""After so long without an answer the server is taken for hung, since it should have stopped by itself."""

_KEEPALIVE: dict[str, Any] = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": SILENCE_SECONDS_MAX * 1000,
}

_EVERY_LANE = {
    "default_transaction_isolation": "read\\ committed",
    "statement_timeout": f"{STATEMENT_SECONDS_MAX}s",
    "lock_timeout": f"{LOCK_MILLISECONDS_MAX}ms",
    "idle_in_transaction_session_timeout": "10s",
    "client_encoding": "UTF8",
    "timezone": "UTC",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    # Statements are planned once, perhaps on empty tables: only plans that stay right as these grow.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}


class Blocked(DatabaseAway):
    """Somebody held a lock for too long, or the statement took too long. Nothing was written."""


class Lane:
    """One kept connection, for one caller at a time."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._name = name
        self._session: Session | None = None

    async def rows(
        self, statement: Statement, arguments: Arguments, row: Callable[[Sequence[Any]], _Row]
    ) -> list[_Row]:
        """Run a statement as a transaction of its own; `row` makes each of its rows.

        DatabaseAway when that failed for a reason outside the statement; when it may have been committed
        all the same, the connection is given up, and the next call opens another.
        """
        async with self._held() as session:
            return await session.rows(statement, arguments, row)

    async def together(self, statements: Sequence[tuple[Statement, Arguments]]) -> list[list[Any]]:
        """Run several statements as one transaction, each of which sees what those before it did; their rows.

        DatabaseAway as `rows`.
        """
        async with self._held() as session, session.connection.transaction():
            return [await session.rows(*each, _as_it_is) for each in statements]

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[Session]:
        """The session, watched, and given up if it breaks."""
        session = self._session or await self._connect()
        watch = asyncio.get_running_loop().call_later(SILENCE_SECONDS_MAX, _hang_up, session.connection)
        try:
            yield session
        except (errors.LockNotAvailable, errors.DeadlockDetected, errors.QueryCanceled) as blocked:
            raise Blocked(f"PostgreSQL gave up waiting: {blocked}") from blocked
        except (psycopg.OperationalError, psycopg.InterfaceError) as away:
            raise DatabaseAway(f"PostgreSQL broke off: {away}") from away
        finally:
            watch.cancel()
            if session.connection.pgconn.transaction_status != TransactionStatus.IDLE:
                await self.close()

    async def _connect(self) -> Session:
        given = conninfo_to_dict(self._url)
        settings = " ".join(f"-c {name}={value}" for name, value in _EVERY_LANE.items())
        try:
            connection = await AsyncConnection.connect(
                self._url,
                autocommit=True,
                prepare_threshold=0,
                application_name=self._name,
                connect_timeout=int(given.get("connect_timeout") or CONNECT_SECONDS_MAX),
                options=f"{given.get('options') or ''} {settings}".strip(),
                **_KEEPALIVE,
            )
        except psycopg.OperationalError as away:
            raise DatabaseAway(f"PostgreSQL cannot be reached: {away}") from away
        teach_arrays(connection.adapters)
        self._session = Session(connection)
        return self._session

    async def close(self) -> None:
        """Close the connection; the next call opens another."""
        session, self._session = self._session, None
        if session is not None:
            await session.connection.close()


class Lanes:
    """Lanes of which each caller has one alone: the free one that was used last."""

    def __init__(self, url: str, name: str, count: int) -> None:
        self._count = count
        self._free: asyncio.LifoQueue[Lane] = asyncio.LifoQueue()
        for _ in range(count):
            self._free.put_nowait(Lane(url, name))

    async def rows(
        self, statement: Statement, arguments: Arguments, row: Callable[[Sequence[Any]], _Row]
    ) -> list[_Row]:
        """As `Lane.rows`."""
        lane = await self._free.get()
        try:
            return await lane.rows(statement, arguments, row)
        finally:
            self._free.put_nowait(lane)

    async def together(self, statements: Sequence[tuple[Statement, Arguments]]) -> list[list[Any]]:
        """As `Lane.together`."""
        lane = await self._free.get()
        try:
            return await lane.together(statements)
        finally:
            self._free.put_nowait(lane)

    async def close(self) -> None:
        """Close every lane after the statement that it has under way."""
        for lane in [await self._free.get() for _ in range(self._count)]:
            await lane.close()
            self._free.put_nowait(lane)


class Connections:
    """The lanes of one process. They connect when first used; use as `async with`, or call `close`.

    `writers` has one for each group of commands that may be in flight.
    """

    def __init__(
        self, url: str, *, readers: int = 4, writers: int = 1, application_name: str = "fieldlog"
    ) -> None:
        self.writers = Lanes(url, f"{application_name} writer", writers)
        self._readers = Lanes(url, f"{application_name} reader", readers)

    async def rows(
        self, statement: Statement, row: Callable[[Sequence[Any]], _Row], **arguments: Any
    ) -> list[_Row]:
        """Run a statement. DatabaseAway as `Lane.rows`."""
        return await self._readers.rows(statement, statement.arguments(**arguments), row)

    async def read(
        self, statement: Statement, row: Callable[[Sequence[Any]], _Row], **arguments: Any
    ) -> list[_Row]:
        """`rows` for a statement that changes nothing: tried again, once, when a kept connection broke."""
        try:
            return await self.rows(statement, row, **arguments)
        except Blocked:
            raise
        except DatabaseAway:
            return await self.rows(statement, row, **arguments)

    async def close(self) -> None:
        """Close every lane after the statement that it has under way."""
        await self.writers.close()
        await self._readers.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _as_it_is(row: Sequence[Any]) -> Any:
    return row


def _hang_up(connection: AsyncConnection[Any]) -> None:
    """End a connection that went silent, so that whoever waits on it hears of it at once."""
    with socket.socket(fileno=os.dup(connection.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)
