"""`python -m tests.faults.stepped_clock FILE <command>`: `fieldlog <command>` with a clock that can be stepped.

FILE holds eight bytes: by how many nanoseconds the clock of the process is off. Its monotonic clock goes on, as it
does when an operator or NTP steps the real one.
"""

import mmap
import struct
import sys
import time
from pathlib import Path

from tests.services.processes import Program

OFFSET = struct.Struct("<q")


class SteppedProgram(Program):
    """A program whose clock is off by what a file says."""

    def __init__(self, folder: Path, clock: Path, command: str, **settings: str | None) -> None:
        self.runs = ("-m", "tests.faults.stepped_clock", str(clock))
        super().__init__(folder, command, **settings)


def set_off(clock: Path, seconds: float) -> None:
    """Step the clock of whatever runs with this file, so that it is off by so many seconds."""
    with clock.open("r+b" if clock.exists() else "wb") as file:
        file.write(OFFSET.pack(int(seconds * 1e9)))


def _run() -> None:
    real_nanoseconds, real_seconds = time.time_ns, time.time
    with Path(sys.argv.pop(1)).open("rb") as file:
        offset = mmap.mmap(file.fileno(), OFFSET.size, access=mmap.ACCESS_READ)

    def nanoseconds() -> int:
        moved: int = OFFSET.unpack_from(offset)[0]
        return real_nanoseconds() + moved

    def seconds() -> float:
        moved: int = OFFSET.unpack_from(offset)[0]
        return real_seconds() + moved / 1e9

    time.time_ns, time.time = nanoseconds, seconds
    from services.cli import main  # noqa: PLC0415 - what it imports takes the clock that is there

    main()


if __name__ == "__main__":
    _run()
