"""Fieldlog's own programs as processes of a test, which end with it."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from services import cli
from tests.engines import DICE_KEY
from tests.services.forked import ForkedProgram, Runs

ROOT = Path(__file__).parents[2]
SECONDS_MAX = 30.0


def eventually(holds: Callable[[], Any], seconds_max: float = SECONDS_MAX) -> bool:
    deadline = time.monotonic() + seconds_max
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def environment(**settings: str | None) -> dict[str, str]:
    """The environment of a program with these settings, and none of those that this process has."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")}
    # The key that the seeds of every test's database are sealed with; and views are stored at once.
    said = {"dice_key": DICE_KEY, "password_kib": "64", "views_quiet_seconds": "0", **settings}
    return environ | {f"FIELDLOG_{name.upper()}": value for name, value in said.items() if value is not None}


class Program:
    """`fieldlog <command>` under way; what it says goes to a file."""

    runs: Runs = staticmethod(cli.main)

    def __init__(self, folder: Path, *command: str, **settings: str | None) -> None:
        self.output = folder / f"{command[0]}-{time.monotonic_ns()}.txt"
        self.process = ForkedProgram([*command], environment(**settings), self.output, self.output, self.runs)

    def said(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def has_said(self, words: str) -> bool:
        assert self.process.poll() is None, self.said()
        return words in self.said()

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def stop(self, how: signal.Signals = signal.SIGTERM, seconds_max: float = 15.0) -> int:
        """Ask it to stop; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(seconds_max)


@contextlib.contextmanager
def running(folder: Path, *command: str, **settings: str | None) -> Iterator[Program]:
    """A program that is killed at the end, if it still runs then."""
    program = Program(folder, *command, **settings)
    try:
        yield program
    finally:
        program.kill()


@contextlib.contextmanager
def worker(folder: Path, database_url: str, redis_url: str | None = None) -> Iterator[Program]:
    """A worker that is ready."""
    with running(folder, "worker", database_url=database_url, redis_url=redis_url) as program:
        assert eventually(lambda: program.has_said("worker_ready")), program.said()
        yield program
