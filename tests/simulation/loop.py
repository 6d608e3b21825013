"""An event loop whose time is virtual and whose order comes from a seed: no thread, no socket, no waiting."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from heapq import heappop
from random import Random
from typing import Any, Literal

Order = Literal["as asyncio", "shuffled"]

CALLBACKS_AT_ONE_MOMENT_MAX = 1_000_000
"""So many callbacks without any time passing are a circle."""

THREAD_SECONDS = 0.002
"""How long work takes that is given to a thread: here it is done at once, and its result comes later."""

PROCESS: ContextVar["Life | None"] = ContextVar("PROCESS", default=None)
"""In whose process a callback runs; None: in that of the simulation itself."""


class Stalled(Exception):  # noqa: N818 — a state of the simulation
    """Nothing is ready, and nothing ever will be."""


class Life:
    """One life of a process: when it ends, nothing of it runs any more, not even what tidies up."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_dead = False
        self.tasks: list[asyncio.Task[Any]] = []

    def context(self) -> Context:
        """A context in which everything belongs to this life."""
        context = copy_context()
        context.run(PROCESS.set, self)
        return context

    def bury(self) -> None:
        """Close what was in the middle of something when it ended. Call it where a loop runs."""
        for task in self.tasks:
            with suppress(Exception):  # whatever tidying up comes upon, nobody lives to see it
                task.get_coro().close()

    def pending(self) -> list[asyncio.Task[Any]]:
        """Its tasks that are not done."""
        self.tasks = [task for task in self.tasks if not task.done()]
        return self.tasks


class SimulatedLoop(asyncio.BaseEventLoop):
    """Runs callbacks in an order drawn from a seed, and jumps to the next timer when none is ready.

    "as asyncio" runs what is ready first in, first out, as real loops do, and draws only the order of timers that
    are due at the same moment (in a real loop: of sockets that become readable at once). What fails so, fails in
    truth. "shuffled" draws the order of everything that is ready at a moment, which no loop promises not to do
    between tasks that wait for different things; between two that wait for one and the same future asyncio does
    promise first come, first served, so no check may rest on that in this order.
    """

    _ready: deque[Any]
    _scheduled: list[Any]

    def __init__(self, chance: Random, order: Order) -> None:
        super().__init__()
        self._chance = chance
        self._order = order
        self._now = 0.0
        self._idle = 0
        self._selector = self
        self._clock_resolution = 1e-9
        self.failures: list[dict[str, Any]] = []
        self.set_exception_handler(lambda _, failure: self.failures.append(failure))
        self.set_task_factory(_new_task)

    def time(self) -> float:
        """Virtual seconds since the simulation began."""
        return self._now

    def pass_time(self, seconds: float) -> None:
        """Let time pass as it does while a process computes: nothing else happens meanwhile."""
        self._now += seconds

    def kill(self, life: Life) -> None:
        """End a process at once."""
        life.is_dead = True
        for handle in self._scheduled:
            if _is_dead(handle):
                handle.cancel()
        for task in life.pending():
            task._log_destroy_pending = False  # type: ignore[attr-defined]

    # --- what BaseEventLoop asks of a real loop ---------------------------------------------------------------

    def select(self, timeout: float | None) -> list[Any]:
        """Jump to the next timer."""
        if timeout is None:
            raise Stalled
        self._idle = 0 if timeout else self._idle + len(self._ready)
        assert self._idle < CALLBACKS_AT_ONE_MOMENT_MAX, "callbacks go on and on while no time passes"
        self._now += timeout
        return []

    def _process_events(self, _: list[Any]) -> None:
        """Take what is due out of the timers, and put what is ready into its order."""
        due = []
        while self._scheduled and self._scheduled[0]._when <= self._now + self._clock_resolution:
            due.append(heappop(self._scheduled))
            due[-1]._scheduled = False
        self._chance.shuffle(due)
        ready = [each for each in (*self._ready, *due) if not _is_dead(each)]
        if self._order == "shuffled":
            self._chance.shuffle(ready)
        self._ready.clear()
        self._ready.extend(ready)

    def _asyncgen_finalizer_hook(self, agen: Any) -> None:
        """End at once what was broken off in the middle; none here waits for anything when it ends."""
        with suppress(StopIteration, RuntimeError):  # it may have been killed while it waited
            agen.aclose().send(None)

    def run_in_executor(self, _: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """Do it here and now, and tell of it a little later."""
        done: asyncio.Future[Any] = self.create_future()
        try:
            told: Callable[..., None] = done.set_result
            result: Any = func(*args)
        except Exception as failure:  # noqa: BLE001 — whoever waits for it gets it
            told, result = done.set_exception, failure
        self.call_later(THREAD_SECONDS, lambda: None if done.done() else told(result))
        return done


def _is_dead(handle: Any) -> bool:
    life = handle._context.get(PROCESS)
    return life is not None and life.is_dead


def _new_task(loop: Any, coro: Any, context: Context | None = None, **named: Any) -> asyncio.Task[Any]:
    task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, context=context, **named)
    life = (context or copy_context()).get(PROCESS)
    if life is not None:
        life.tasks.append(task)
    return task


@contextmanager
def a_loop(chance: Random, order: Order) -> Iterator[SimulatedLoop]:
    """A loop for one simulation."""
    loop = SimulatedLoop(chance, order)
    try:
        yield loop
    finally:
        loop.close()
