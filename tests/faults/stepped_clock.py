"""`fieldlog <command>` with a clock that can be stepped, forked from a process that has imported everything.

Most of a start is imports, and what is killed over and over would hardly ever be at work.
"""

import os
import sys
import time
from multiprocessing import get_context
from pathlib import Path

from tests.services.processes import ROOT, environment

PRELOADED = (
    "tests.faults.stepped_time",
    "services.cli.serve",
    "services.cli.worker",
    "services.http.api.app",
    "services.http.middleware.http_server",
    "pytest",
)
"""The clock comes first: what is imported after it takes the clock that is there."""

_forks = get_context("forkserver")


class SteppedProgram:
    """A program whose clock is off by what a file says; what the program says goes to a file."""

    def __init__(self, folder: Path, clock: Path, command: str, **settings: str | None) -> None:
        self._output = folder / f"{command}-{time.monotonic_ns()}.txt"
        _forks.set_forkserver_preload([*PRELOADED])
        told = (clock, self._output, command, environment(**settings))
        self._process = _forks.Process(target=_run, args=told, daemon=True)
        self._process.start()

    @property
    def ended(self) -> int | None:
        """Its exit code, or less than 0 for a signal; None while it runs."""
        return self._process.exitcode

    def said(self) -> str:
        """All that it said so far."""
        return self._output.read_text("utf-8") if self._output.exists() else ""

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.join()


def set_off(clock: Path, seconds: float) -> None:
    """Step the clock of whatever runs with this file, so that it is off by so many seconds."""
    with clock.open("r+b" if clock.exists() else "wb") as file:
        file.write(int(seconds * 1e9).to_bytes(8, "little", signed=True))


def _run(clock: Path, output: Path, command: str, environ: dict[str, str]) -> None:
    from services.cli import main  # noqa: PLC0415 - it is imported where it was imported before
    from tests.faults.stepped_time import follow  # noqa: PLC0415 - importing it changes the clock

    os.setsid()
    os.chdir(ROOT)
    with output.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    os.environ.clear()
    os.environ.update(environ)
    follow(clock)
    sys.argv = ["fieldlog", command]
    main()
