"""The database's clock without a query per reading."""

from services.ports.clock_and_randomness import Clock
from services.ports.event_store import EventStore


class DatabaseClock:
    """Tells the database's time (microseconds UTC) from the local clock and their measured difference."""

    def __init__(self, clock: Clock, log: EventStore) -> None:
        self._clock = clock
        self._log = log
        self._ahead: int | None = None

    def __call__(self) -> int:
        """The database's time; the local time until `synchronise` was called."""
        return self._clock() + (self._ahead or 0)

    @property
    def is_set(self) -> bool:
        """Whether the difference is known."""
        return self._ahead is not None

    async def synchronise(self) -> None:
        """Measure how far the database is ahead, less half the round trip. Raises `DatabaseUnavailable`."""
        before = self._clock()
        theirs = await self._log.now()
        self._ahead = theirs - (before + self._clock()) // 2

    def invalidate(self) -> None:
        """Forget the difference, because the database reported clock skew."""
        self._ahead = None
