"""Fieldlog's own programs in processes that are forked from one which has imported it already.

Importing it takes a second, which is longer than most of what these programs are tested with. That they start from
nothing, the tests of the front door show.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from pathlib import Path

from services import cli

_context = get_context("forkserver")
_context.set_forkserver_preload(
    [
        "tests.services.forked",
        "services.http.screen.app",
        *(f"services.cli.{name}" for name in ("serve", "verify", "worker")),
    ]
)

Runs = Callable[[], None]
"""What a program runs; a module's function, since it is sent to its process by name."""


class ForkedProgram:
    """`fieldlog` with these arguments and this environment, under way. Used as `subprocess.Popen` is."""

    def __init__(
        self, arguments: list[str], environ: Mapping[str, str], output: Path, errors: Path, runs: Runs = cli.main
    ) -> None:
        self._arguments = arguments
        for path in (output, errors):
            path.touch()
        target = (["fieldlog", *arguments], dict(environ), str(output), str(errors), runs)
        self._process = _context.Process(target=_run, args=target)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(self._arguments, timeout or 0.0)
        return code

    def kill(self) -> None:
        self._process.kill()

    def send_signal(self, how: signal.Signals) -> None:
        os.kill(self.pid, how)


def _run(arguments: list[str], environ: dict[str, str], output: str, errors: str, runs: Runs) -> None:
    os.setsid()
    for stream, path in ((sys.stdout, output), (sys.stderr, errors)):
        stream.flush()
        with open(path, "ab") as file:  # noqa: PTH123 — it is closed at once
            os.dup2(file.fileno(), stream.fileno())
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = arguments
    runs()
