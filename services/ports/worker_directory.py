"""Tells which worker processes there are."""

from typing import Protocol


class WorkerDirectory(Protocol):
    """The workers that are connected to the database. May raise `DatabaseUnavailable`."""

    async def queues(self) -> dict[str, frozenset[str]]:
        """The queues that each worker serves, by the worker's name."""
        ...
