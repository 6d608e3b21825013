"""Wakes the worker in this process after a commit; where there is none, those in others."""

import asyncio
from collections.abc import Callable

PAUSE_SECONDS = 0.05
"""The pause between two wake-ups; a worker that is woken once finds all the work there is by then."""


class InProcessWorkerNotifier:
    """Calls `looks` at once, and then at most once every 50 ms: notifications in between are merged.

    While there are none, it calls `elsewhere`, each time.
    """

    def __init__(self, elsewhere: Callable[[], object]) -> None:
        self._elsewhere = elsewhere
        self.looks: list[Callable[[], object]] = []
        self._pause: asyncio.TimerHandle | None = None
        self._again = False

    def notify(self) -> None:
        """Tell the worker that there is work. Call it on the event loop's thread."""
        if not self.looks:
            self._elsewhere()
        elif self._pause is not None:
            self._again = True
        else:
            self._pause = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._paused)
            for look in self.looks:
                look()

    def _paused(self) -> None:
        self._pause = None
        if self._again:
            self._again = False
            self.notify()
