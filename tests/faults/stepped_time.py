"""A clock that can be stepped: importing this puts it in the place of the process's own.

The monotonic clock goes on, as it does when an operator or NTP steps the real one.
"""

import mmap
import time
from pathlib import Path

NANOSECONDS_BYTES = 8


class _Stepped:
    """The real clock, and by how much it is off."""

    def __init__(self) -> None:
        self.offset: bytes | mmap.mmap = bytes(NANOSECONDS_BYTES)
        self._real = time.time_ns

    def nanoseconds(self) -> int:
        return self._real() + int.from_bytes(self.offset[:NANOSECONDS_BYTES], "little", signed=True)

    def seconds(self) -> float:
        return self.nanoseconds() / 1e9


_stepped = _Stepped()
time.time_ns, time.time = _stepped.nanoseconds, _stepped.seconds


def follow(clock: Path) -> None:
    """From now on be off by as many nanoseconds as a file says at each moment."""
    with clock.open("rb") as file:
        _stepped.offset = mmap.mmap(file.fileno(), NANOSECONDS_BYTES, access=mmap.ACCESS_READ)
