"""The loop of all workers: look for work, do it, and look again when woken or after a pause."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress

from domain.event_store_types import DatabaseUnavailable
from services.runtime.readiness import Missed


class PollingWorker(ABC):
    """Works in rounds until it is stopped; waits `again_seconds` after a round without the database."""

    again_seconds: float

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._stopping = False

    def wake(self) -> None:
        """Begin the next round now. Call it on the event loop's thread."""
        self._woken.set()

    def stop(self) -> None:
        """Finish the current step and end. Call it on the event loop's thread."""
        self._stopping = True
        self._woken.set()

    async def run(self, missed: Missed) -> None:
        """Work until told to stop; each failure of the database is passed to `missed`."""
        while not self._stopping:
            self._woken.clear()
            try:
                pause = await self.round()
            except DatabaseUnavailable as away:
                missed(away)
                pause = self.again_seconds
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._woken.wait()

    @abstractmethod
    async def round(self) -> float:
        """Do the work there is; returns the longest pause before the next round, in seconds.

        Raises `DatabaseUnavailable`.
        """

    def is_stopping(self) -> bool:
        """Whether the worker was told to stop."""
        return self._stopping
