"""Measures how long an awaitable keeps the event loop: the cost of one request for all others.

A request's work elsewhere, in threads and in tasks of its own, is added to its bill where it is done.
"""

from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import Any, Generic, TypeVar

from msgspec import Struct

Result = TypeVar("Result")


class Bill(Struct, eq=False):
    """The processor's seconds that a request took in threads and in tasks of its own."""

    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        """Add what was done for the request."""
        self.seconds += seconds


_bill: ContextVar[Bill | None] = ContextVar("bill", default=None)


@contextmanager
def billing() -> Iterator[Bill]:
    """A bill for what is done within, also by threads and tasks that are begun there."""
    bill = Bill()
    token = _bill.set(bill)
    try:
        yield bill
    finally:
        _bill.reset(token)


def charge(seconds: float) -> None:
    """Add the processor's seconds to the bill of the request that this is done for, if there is one."""
    if (bill := _bill.get()) is not None:
        bill.add(seconds)


def charge_nobody() -> None:
    """Charge what the running task does from now on to no request: it is done for all of them."""
    _bill.set(None)


class MeteredWork(Generic[Result]):
    """Awaits another awaitable in its place, and adds up the processor's seconds of its steps in `spent`.

    The work of others while it waits does not count, nor its own in threads and tasks. `tell` is told
    the seconds of each step.
    """

    def __init__(
        self,
        work: Awaitable[Result],
        clock: Callable[[], float] = thread_time,
        tell: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.spent = 0.0
        self._work = work
        self._clock = clock
        self._tell = tell

    def __await__(self) -> Generator[Any, Any, Result]:
        """The work's own steps, and its result."""
        steps = self._work.__await__()
        thrown: BaseException | None = None
        while True:
            began = self._clock()
            try:
                waits_for = next(steps) if thrown is None else steps.throw(thrown)
            except StopIteration as end:
                result: Result = end.value
                return result
            finally:
                seconds = self._clock() - began
                self.spent += seconds
                self._tell(seconds)
            thrown = None
            try:
                yield waits_for
            except BaseException as failure:  # noqa: BLE001 — such as a cancellation: it is the work's own
                thrown = failure


async def charged(work: Awaitable[Result]) -> Result:
    """The result of work in a task of its own, each step of which is charged to the request that began it."""
    bill = _bill.get()  # the work may have a bill of its own later
    return await (work if bill is None else MeteredWork(work, tell=bill.add))
