"""A rate counter for one process."""

from collections.abc import Callable
from itertools import islice
from time import time

KEYS_MAX = 50_000
"""Beyond that, expired counts are dropped, and the oldest if need be: at most 15 MB."""
OLDEST = KEYS_MAX // 10
"""How many keys are dropped together; one by one, each new key would scan all of them."""


class InProcessRateCounter:
    """Counts keys in fixed windows of time. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._counts: dict[str, tuple[int, int]] = {}
        self._remembered: dict[str, float] = {}

    async def count(self, key: str, window_seconds: int) -> tuple[int, int]:
        """Count one more. Returns the count in the current window and the seconds until the next window."""
        now = self._clock()
        ends = (int(now) // window_seconds + 1) * window_seconds
        kept_until, before = self._counts.get(key, (ends, 0))
        count = before + 1 if kept_until == ends else 1
        if len(self._counts) >= KEYS_MAX and key not in self._counts:
            self._make_room(now)
        self._counts[key] = (ends, count)
        return count, max(1, ends - int(now))

    async def remember(self, key: str, seconds: int) -> None:
        """Remember a key for so many seconds, or until there are `KEYS_MAX` newer ones."""
        self._remembered.pop(key, None)
        self._remembered[key] = self._clock() + seconds
        if len(self._remembered) > KEYS_MAX:
            del self._remembered[next(iter(self._remembered))]

    async def remembers(self, key: str) -> bool:
        """Whether a key is remembered."""
        return self._remembered.get(key, 0.0) > self._clock()

    def _make_room(self, now: float) -> None:
        self._counts = {key: count for key, count in self._counts.items() if count[0] > now}
        if len(self._counts) >= KEYS_MAX:
            for key in list(islice(self._counts, OLDEST)):
                del self._counts[key]
