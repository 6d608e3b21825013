"""Runs long work in slices, so that the event loop serves other tasks in between."""

import asyncio
from collections.abc import Callable, Generator
from time import perf_counter, thread_time
from typing import TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct

SLICE_SECONDS = 0.005
"""As long as a thread keeps Python's lock anyway while another one waits for it."""

REST_SECONDS = 0.002
"""The pause between slices where others wait: a command needs several turns of the event loop."""

QUIET_SECONDS = 0.000_2
"""Turns of the event loop in which nothing else is done take less."""
TURNS = 3
"""So many are taken after each slice: the jobs that have arrived are read in one, and done in the next."""

Result = TypeVar("Result")

_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


class Pace:
    """Divides one piece of long work on the event loop itself: `await pace.step()` after every small step of it.

    For what reads states that the next fold changes in place: a thread would read them meanwhile. After a slice
    others are served first. Of several works on an event loop one begins its next slice after each rest.
    """

    def __init__(self) -> None:
        self._until = perf_counter() + SLICE_SECONDS

    async def step(self) -> None:
        """A step has been done."""
        if perf_counter() < self._until:
            return
        async with _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            await _rest()
        self._until = perf_counter() + SLICE_SECONDS


class _Result(Struct, frozen=True):
    """The result of a generator."""

    value: object


class Slices:
    """Runs the steps of generators on a thread, a slice of them at a time, and one generator's at once.

    The next slice waits until the event loop has come round, and rested if others had something to do: they are
    served first, and several generators take turns. A slice ends with the first step that comes to `seconds` or
    more by `clock`, so a step should take much less.
    """

    def __init__(self, seconds: float = SLICE_SECONDS, clock: Callable[[], float] | None = None) -> None:
        self._seconds = seconds
        self._clock = clock or perf_counter
        self._turn = asyncio.Lock()

    async def finish(
        self, steps: Generator[object, None, Result], tell: Callable[[float], None] = lambda _: None
    ) -> Result:
        """Run a generator to its end; returns its result. Raises what it raises.

        `tell` is told the processor's seconds of each slice.
        """
        ended = None
        while ended is None:
            async with self._turn:
                ended = await asyncio.to_thread(self._take, steps, tell)
                await _rest()
        return ended.value  # type: ignore[return-value]

    def _take(self, steps: Generator[object, None, object], tell: Callable[[float], None]) -> _Result | None:
        until, began = self._clock() + self._seconds, thread_time()
        try:
            while True:
                next(steps)
                if self._clock() >= until:
                    return None
        except StopIteration as end:
            return _Result(end.value)
        finally:
            tell(thread_time() - began)


async def _rest() -> None:
    """Let other tasks do what they can, and wait for those that go on."""
    began = thread_time()
    for _ in range(TURNS):
        await asyncio.sleep(0)
    if thread_time() - began > QUIET_SECONDS:
        await asyncio.sleep(REST_SECONDS)
