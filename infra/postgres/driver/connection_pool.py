"""A pool of kept connections, each lent to one caller at a time.

Taking one from psycopg's pool for each command halves the speed of appends (measured).
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from domain.event_store_types import DatabaseBusy, DatabaseUnavailable
from infra.postgres.driver.connection import LONG_SECONDS_MAX, Connection
from infra.postgres.driver.connector import CALL_SECONDS_MAX
from infra.postgres.driver.server_watchdog import OVERLOADED, Watchdog
from infra.postgres.driver.session import Arguments
from infra.postgres.driver.statements import Statement
from infra.postgres.driver.wait_limits import Patience

_Row = TypeVar("_Row")

WAIT_SECONDS_MAX = 3
"""How long a caller waits for a free connection."""

CHECK_SECONDS_MAX = 0.5
"""And then, until the server says whether it answers at all."""


class ConnectionPool:
    """A fixed number of connections; a caller gets the free one that was used last."""

    def __init__(self, url: str, name: str, count: int, watchdog: Watchdog) -> None:
        self._count = count
        self._watchdog = watchdog
        self._free: asyncio.LifoQueue[Connection] = asyncio.LifoQueue()
        for _ in range(count):
            self._free.put_nowait(Connection(url, name, watchdog))

    async def execute(
        self,
        statement: Statement,
        arguments: Arguments,
        row: Callable[[Sequence[Any]], _Row],
        patience: Patience | None = None,
    ) -> list[_Row]:
        """As `Connection.execute`, with patience for `CALL_SECONDS_MAX` unless another is given."""
        patience = patience or Patience(CALL_SECONDS_MAX)
        connection = await self._borrow(patience)
        try:
            return await connection.execute(statement, arguments, row, patience)
        finally:
            self._free.put_nowait(connection)

    async def is_distributed(self) -> bool:
        """As `Connection.is_distributed`."""
        patience = Patience(CALL_SECONDS_MAX)
        connection = await self._borrow(patience)
        try:
            return await connection.is_distributed(patience)
        finally:
            self._free.put_nowait(connection)

    async def execute_together(self, statements: Sequence[tuple[Statement, Arguments]]) -> list[list[Any]]:
        """As `Connection.execute_together`, with time enough for erasures."""
        patience = Patience(LONG_SECONDS_MAX + CALL_SECONDS_MAX)
        connection = await self._borrow(patience)
        try:
            return await connection.execute_together(statements, patience)
        finally:
            self._free.put_nowait(connection)

    async def _borrow(self, patience: Patience) -> Connection:
        """Borrow a free connection.

        Raises DatabaseUnavailable at once while the server is silent. If none is free in time, the server is
        asked: where it answers, it is this service that has too much to do, and DatabaseBusy is raised.
        """
        self._watchdog.require_answers()
        if not self._free.empty():
            return self._free.get_nowait()
        try:
            async with asyncio.timeout(WAIT_SECONDS_MAX), patience.limit():
                return await self._free.get()
        except TimeoutError:
            trouble = await self._watchdog.check(CHECK_SECONDS_MAX)
            busy = f"no connection to PostgreSQL was free for {WAIT_SECONDS_MAX} s"
            if trouble is None or trouble.code == OVERLOADED:
                raise DatabaseBusy(busy) from None
            raise DatabaseUnavailable(f"{busy}: {trouble.met}") from None

    async def close_unused(self) -> None:
        """Close the free connections that were not used since the last time this was asked."""
        free = [self._free.get_nowait() for _ in range(self._free.qsize())]
        for connection in reversed(free):
            await connection.close_unless_used()
            self._free.put_nowait(connection)

    async def close(self) -> None:
        """Close every connection after its current statement."""
        for connection in [await self._free.get() for _ in range(self._count)]:
            await connection.close()
            self._free.put_nowait(connection)
