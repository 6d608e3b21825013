"""How long the server is waited for: only such time counts in which the event loop ran.

A loop that is full of other work reads no answers, and neither does a process that was stopped. By a clock on the
wall it would take the server for silent, and keep the service away by the requests that it refuses meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

STEP_SECONDS = 0.1
"""Time is counted in such steps: one that is longer, because the loop does not come round, counts for no more."""


class Patience:
    """Seconds that may be waited, in any number of waits one after another."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds
        self.lost = 0.0
        """Seconds that did not count, since the loop did not come round."""

    def wait(
        self,
        at_end: Callable[[], object],
        at_step: Callable[[], object] | None = None,
        step_seconds: float = STEP_SECONDS,
    ) -> "Wait":
        """Begin to wait; `at_step` is called after each step, and `at_end` once nothing is left."""
        return Wait(self, at_end, at_step, step_seconds)

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """Raise TimeoutError inside once nothing is left, as `asyncio.timeout` does."""
        now = asyncio.get_running_loop().time
        async with asyncio.timeout(None) as timeout:
            wait = self.wait(lambda: timeout.reschedule(now()))
            try:
                yield
            finally:
                wait.cancel()

    async def outlasts(self, task: "asyncio.Task[Any]") -> bool:
        """Whether a task ends before the patience does; it is not cancelled."""
        with suppress(TimeoutError):
            async with self.limit():
                await asyncio.wait({task})
        return task.done()


class Wait:
    """One wait, until `cancel`."""

    def __init__(
        self,
        patience: Patience,
        at_end: Callable[[], object],
        at_step: Callable[[], object] | None,
        step_seconds: float,
    ) -> None:
        self._patience = patience
        self._at_end = at_end
        self._at_step = at_step
        self._step_seconds = step_seconds
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._begin_step()

    def cancel(self) -> None:
        """Note that the wait is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._count()

    def _begin_step(self) -> None:
        self._began = self._loop.time()
        self._seconds = min(self._step_seconds, max(self._patience.left, 0.0))
        self._timer = self._loop.call_at(self._began + self._seconds, self._end_step)

    def _end_step(self) -> None:
        self._timer = None
        self._count()
        if self._patience.left <= 0:
            self._at_end()
            return
        if self._at_step is not None:
            self._at_step()
        self._begin_step()

    def _count(self) -> None:
        seconds = self._loop.time() - self._began
        self._patience.left -= min(seconds, self._seconds)
        self._patience.lost += max(0.0, seconds - self._seconds)
