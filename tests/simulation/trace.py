"""What happened in a simulation, line by line, as it is told when something was wrong."""

from collections import Counter, deque
from collections.abc import Callable
from hashlib import sha256

LINES_KEPT = 40


class Trace:
    """Keeps the last lines, a digest of all of them, and counts. `time` gives virtual seconds."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._digest = sha256()
        self.last: deque[str] = deque(maxlen=LINES_KEPT)
        self.counts: Counter[str] = Counter()

    def __call__(self, line: str) -> None:
        """Something happened."""
        told = f"{self._time():12.6f} {line}"
        self._digest.update(told.encode())
        self.last.append(told)

    @property
    def digest(self) -> str:
        """The same for the same seed."""
        return self._digest.hexdigest()
