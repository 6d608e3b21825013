"""A place for each read, so that the reads of one reader take the event loop from no other.

A reader (an account, or strangers at one address) has a few places, and one for what takes long: more reads wait
for these, or are refused. The processor time of a read is charged to its reader and paid off as time passes:
a reader who owes more than is lent waits. Long reads are a debt of their own, which only long reads wait
for. Counts are per process: it is the process's time that is shared.
"""

import asyncio
from collections.abc import Callable
from math import ceil
from time import monotonic

from msgspec import Struct, field

from domain.sentences import say, say_many
from services.errors import RateLimitExceeded

AT_ONCE = 4
"""Reads of one reader that are under way: a browser asks for no more than six at a time."""
WAITING_MAX = 128
"""More reads of one reader do not wait, but are refused."""
WAIT_SECONDS_MAX = 5.0
"""How long a read waits for its place."""
LENT_MINUTES = 1 / 10
"""So many minutes' worth a reader may owe: as much as opening a browser full of pages takes."""
READ_SECONDS = 0.000_5
"""The server's own work for a request, which is not measured."""
READERS_MAX = 10_000
"""Readers beyond these are forgotten who have nothing under way and owe nothing."""
MINUTE_SECONDS = 60


class _Debt(Struct, eq=False):
    """A reader's debt as of `paid_at`."""

    paid_at: float
    seconds: float = 0.0


class _Reader(Struct, eq=False):
    """A reader's debts for short and for long reads, and the places that its reads take."""

    debt: _Debt
    long_debt: _Debt

    here: int = 0
    """So many reads are not answered yet."""
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    long: asyncio.Lock = field(default_factory=asyncio.Lock)


class Reads:
    """All reads of this process. `seconds_per_minute` of the processor are for each reader; 0: any number."""

    def __init__(self, seconds_per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._rate = seconds_per_minute / MINUTE_SECONDS
        self._lent = seconds_per_minute * LENT_MINUTES
        self._clock = clock
        self._readers: dict[str, _Reader] = {}

    async def begin(self, who: str) -> "RunningRead":
        """A read of a reader, in its place. Raises `RateLimitExceeded` for one that would wait too long."""
        now = self._clock()
        reader = self._readers.setdefault(who, _Reader(_Debt(now), _Debt(now)))
        reader.here += 1
        read = RunningRead(self, reader)
        try:
            await self._admit(read, reader)
        except BaseException:
            read.end(0.0)
            raise
        return read

    async def _admit(self, read: "RunningRead", reader: _Reader) -> None:
        """Wait until a read has its place and its reader owes little enough."""
        if reader.here > WAITING_MAX:
            raise self._too_many(reader.debt)
        until = self.wait_ends()
        try:
            async with asyncio.timeout(WAIT_SECONDS_MAX):
                await read.take_place()
        except TimeoutError:
            raise self._too_many(reader.debt) from None
        await self.wait_for(reader.debt, until)

    async def wait_for(self, debt: _Debt, until: float) -> None:
        """Wait until little enough is owed. Raises `RateLimitExceeded` when it is not by then."""
        while (seconds := self._again_in(debt)) > 0:  # others of its reads are charged meanwhile
            seconds_left = until - self._clock()
            if (
                seconds_left <= 0
            ):  # not before: a program that asks again at once would be refused thousands of times
                raise self._too_many(debt)
            await asyncio.sleep(min(seconds, seconds_left))

    def wait_ends(self) -> float:
        """When a read that begins to wait now has waited long enough."""
        return self._clock() + WAIT_SECONDS_MAX

    def charge(self, reader: _Reader, debt: _Debt, seconds: float) -> None:
        """Charge a reader for a read."""
        reader.here -= 1
        if self._rate:
            self._pay(debt)
            debt.seconds += seconds
        if len(self._readers) > READERS_MAX:
            self._forget()

    def _again_in(self, debt: _Debt) -> float:
        """The seconds until no more is owed than is lent."""
        if not self._rate:
            return 0.0
        self._pay(debt)
        return max(0.0, (debt.seconds - self._lent) / self._rate)

    def _pay(self, debt: _Debt) -> None:
        now = self._clock()
        debt.seconds = max(0.0, debt.seconds - (now - debt.paid_at) * self._rate)
        debt.paid_at = now

    def _too_many(self, debt: _Debt) -> RateLimitExceeded:
        seconds = max(1, ceil(self._again_in(debt)))
        sentence = say_many(
            "That is too often: try again in {n} second.", "That is too often: try again in {n} seconds.", seconds
        )
        return RateLimitExceeded("too_many_reads", sentence, seconds)

    def _forget(self) -> None:
        for who, reader in [*self._readers.items()]:
            self._pay(reader.debt)
            self._pay(reader.long_debt)
            if not (reader.here or reader.debt.seconds or reader.long_debt.seconds):
                del self._readers[who]


class RunningRead:
    """One read while it is under way."""

    def __init__(self, reads: Reads, reader: _Reader) -> None:
        self._reads = reads
        self._reader = reader
        self._debt = reader.debt
        self._place: asyncio.Semaphore | asyncio.Lock | None = None

    async def take_place(self) -> None:
        """Wait for a place among the reader's others."""
        await self._reader.places.acquire()
        self._place = self._reader.places

    async def take_long(self) -> None:
        """Leave its place to others and take that of the one long read. Raises `RateLimitExceeded`."""
        if self._place is self._reader.long:
            return
        self._leave()
        until = self._reads.wait_ends()
        try:
            async with asyncio.timeout(WAIT_SECONDS_MAX):
                await self._reader.long.acquire()
        except TimeoutError:
            sentence = say("Another long read of yours is under way: try again when it is done.")
            raise RateLimitExceeded("long_read_under_way", sentence, int(WAIT_SECONDS_MAX)) from None
        self._place = self._reader.long
        self._debt = self._reader.long_debt
        await self._reads.wait_for(self._debt, until)

    def end(self, seconds: float) -> None:
        """Give its place back, and charge what it took of the processor."""
        self._leave()
        self._reads.charge(self._reader, self._debt, seconds)

    def _leave(self) -> None:
        if self._place is not None:
            self._place.release()
            self._place = None
