"""Workers as PostgreSQL knows them: by the names of their connections, which end with their processes."""

from collections.abc import Collection

from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import SQL

NAME_BYTES_MAX = 63 - len(" watchdog")
"""PostgreSQL cuts off what is longer, and a connection adds what it is for."""


def connection_name(worker: str, queues: Collection[str]) -> str:
    """The name of the connections of a worker that serves these queues."""
    return f"fieldlog-worker {worker} {','.join(queues)}"


class PostgresWorkerDirectory:
    """Reads the names of all connections. May raise `DatabaseUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def queues(self) -> dict[str, frozenset[str]]:
        """The queues that each worker serves, by the worker's name."""
        rows = await self._database.read(SQL["read_workers"], tuple)
        return {worker: frozenset(queues.split(",")) for worker, queues in rows}
