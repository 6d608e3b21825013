"""The database's clock, without asking it each time."""

from services.ports.crypto import Clock
from services.ports.event_store import EventStore


class DatabaseClock:
    """Tells the database's time (microseconds UTC) by a clock of our own, once it is known how far that is off."""

    def __init__(self, clock: Clock, log: EventStore) -> None:
        self._clock = clock
        self._log = log
        self._ahead: int | None = None

    def __call__(self) -> int:
        """The time there; until it has been set, the time here."""
        return self._clock() + (self._ahead or 0)

    @property
    def is_set(self) -> bool:
        """Whether it is known how far the database's clock is off."""
        return self._ahead is not None

    async def synchronise(self) -> None:
        """Find out how far the database is ahead, less half the round trip. Raises `DatabaseUnavailable`."""
        before = self._clock()
        theirs = await self._log.now()
        self._ahead = theirs - (before + self._clock()) // 2

    def invalidate(self) -> None:
        """The database says that the time is wrong: it has to be set anew."""
        self._ahead = None
