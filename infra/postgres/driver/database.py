"""One process's connections to PostgreSQL: some for appends, others for everything else."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

from domain.event_store_types import DatabaseUnavailable
from infra.postgres.driver.connection import ConnectionBroken
from infra.postgres.driver.connection_pool import ConnectionPool
from infra.postgres.driver.connector import CALL_SECONDS_MAX
from infra.postgres.driver.server_watchdog import Watchdog
from infra.postgres.driver.statements import Statement
from infra.postgres.driver.wait_limits import Patience

_Row = TypeVar("_Row")

UNUSED_SECONDS = 60.0


class Database:
    """The connections of one process, opened when first used; use as `async with`, or call `close`.

    `writers`: one connection for each group of commands that may be in flight. `wants_standby`: warn where commits
    are confirmed that no standby has.
    """

    def __init__(
        self,
        url: str,
        *,
        readers: int = 4,
        writers: int = 1,
        application_name: str = "fieldlog",
        wants_standby: bool = False,
    ) -> None:
        self._watchdog = Watchdog(url, f"{application_name} watchdog", wants_standby=wants_standby)
        self.writers = ConnectionPool(url, f"{application_name} writer", writers, self._watchdog)
        self._readers = ConnectionPool(url, f"{application_name} reader", readers, self._watchdog)
        self._is_distributed: bool | None = None

    async def is_distributed(self) -> bool:
        """Whether campaigns are shared out to shards. Raises DatabaseUnavailable as `Connection.execute` does."""
        if self._is_distributed is None:
            self._is_distributed = await self._readers.is_distributed()
        return self._is_distributed

    async def execute(
        self, statement: Statement, row: Callable[[Sequence[Any]], _Row], **arguments: Any
    ) -> list[_Row]:
        """Run a statement. Raises DatabaseUnavailable as `Connection.execute` does."""
        return await self._readers.execute(statement, statement.arguments(**arguments), row)

    async def read(
        self, statement: Statement, row: Callable[[Sequence[Any]], _Row], **arguments: Any
    ) -> list[_Row]:
        """As `execute`, for a statement that changes nothing: retried once when a kept connection broke."""
        patience = Patience(CALL_SECONDS_MAX)
        values = statement.arguments(**arguments)
        try:
            return await self._readers.execute(statement, values, row, patience)
        except ConnectionBroken:
            return await self._readers.execute(statement, values, row, patience)

    async def execute_one(
        self, statement: Statement, row: Callable[[Sequence[Any]], _Row], **arguments: Any
    ) -> _Row | None:
        """The first row of `execute`; None: there is none."""
        return next(iter(await self.execute(statement, row, **arguments)), None)

    async def read_one(
        self, statement: Statement, row: Callable[[Sequence[Any]], _Row], **arguments: Any
    ) -> _Row | None:
        """The first row of `read`; None: there is none."""
        return next(iter(await self.read(statement, row, **arguments)), None)

    async def check(self, seconds_max: float) -> str | None:
        """Return within `seconds_max` why the database cannot be used, as a stable code; None if it can.

        The codes are `database_away`, `database_read_only`, `disk_full` and `too_many_connections`, and
        `overloaded` where it is this process that has more to do than it can. A failure of a write stands until a
        write succeeds.
        """
        trouble = await self._watchdog.check(seconds_max)
        return None if trouble is None else trouble.code

    def is_away(self) -> bool:
        """Whether the server is known not to answer: any query fails at once."""
        return self._watchdog.is_away()

    def missed(self, failure: DatabaseUnavailable) -> None:
        """Count a request, or a round of background work, that failed because the database was unavailable.

        Failures are logged as one outage, from the first failure until the server is well.
        """
        self._watchdog.missed(failure)

    async def keep_few_open(self) -> None:
        """Close, once a minute, connections that were not used for so long: each is a process of the server."""
        while True:
            await asyncio.sleep(UNUSED_SECONDS)
            await self.writers.close_unused()
            await self._readers.close_unused()

    async def close(self) -> None:
        """Close every connection after its current statement."""
        await self.writers.close()
        await self._readers.close()
        await self._watchdog.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
