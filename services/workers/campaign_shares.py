"""Which campaigns this worker looks after first, of each queue that it serves.

To use its loaded campaigns again, a worker keeps to a share of its own; others take that work only when it is
late. Workers find each other in the database, each by itself. Where one is wrong about the others, work is late
or two look for it, and PostgreSQL gives it to one of them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from domain.event_store_types import DatabaseUnavailable
from domain.worker_shares import WHOLE, share_of
from services.ports.worker_directory import WorkerDirectory
from services.workers.queues import SHARED

LOOK_SECONDS = 1.0
"""How often a worker looks for others. After one dies or comes, work may be late or wanted twice for so long."""


def everything() -> bytes:
    """The share of a worker that knows of no other."""
    return WHOLE


class Shares:
    """A worker's shares by queue, as large as those of the others that serve it. At first they are everything."""

    def __init__(self, worker: str, directory: WorkerDirectory) -> None:
        self._worker = worker
        self._directory = directory
        self._others: dict[str, frozenset[str]] = {}
        self._shares = dict.fromkeys(SHARED, WHOLE)

    def of(self, queue: str) -> bytes:
        """The share of a queue's campaigns."""
        return self._shares[queue]

    async def look(self) -> None:
        """Find out which other workers there are. Raises `DatabaseUnavailable`."""
        queues_by_worker = await self._directory.queues()
        for queue in SHARED:
            others = frozenset(worker for worker, queues in queues_by_worker.items() if queue in queues) - {
                self._worker
            }
            if others != self._others.get(queue, frozenset()):
                self._others[queue] = others
                self._shares[queue] = share_of(self._worker, {self._worker, *others})

    @asynccontextmanager
    async def keep_current(self) -> AsyncIterator[None]:
        """Look now and every second, until the end."""
        with suppress(DatabaseUnavailable):
            await self.look()
        looking = asyncio.create_task(self._keep_looking())
        try:
            yield
        finally:
            looking.cancel()

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(DatabaseUnavailable):
                await self.look()
