"""A whole Fieldlog for the length of one command: `fieldlog up` in a folder that is removed afterwards."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import services
from services.cli import port
from services.cli.refusal import Refused
from services.wiring.engines import free_port, start_child, stop_child

READY_SECONDS_MAX = 90.0
STOP_SECONDS_MAX = 45.0
LOOK_SECONDS = 0.1
OUTPUT = "output.txt"
LINES_SHOWN = 5
HOST = "127.0.0.1"
# The demo must never play on a database that somebody named for something else.
NOT_PASSED_ON = ("FIELDLOG_DATABASE_URL", "FIELDLOG_OWNER_URL", "FIELDLOG_REDIS_URL")


class TemporaryService:
    """Runs `fieldlog up` on embedded engines and a free port; stops and removes everything at the end."""

    def __init__(self) -> None:
        self._port = free_port()
        self.base = port.url_base(HOST, self._port)
        # Root's engines run as `nobody`, who must be able to reach the folder.
        as_root = os.geteuid() == 0
        self._folder = Path(tempfile.mkdtemp(prefix="fieldlog-demo-", dir="/var/tmp" if as_root else None))  # noqa: S108 - the name is random
        if as_root:
            self._folder.chmod(0o711)
        self._environ = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON} | {
            "FIELDLOG_HOME": str(self._folder / "home"),
            "FIELDLOG_HOST": HOST,
            "FIELDLOG_PORT": str(self._port),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            with (self._folder / OUTPUT).open("wb") as output:
                self._process = start_child(
                    [sys.executable, "-m", "services.cli", "up"],
                    death_signal=signal.SIGTERM,
                    environ=self._environ,
                    folder=Path(services.__file__).parents[1],
                    output=output,
                )
            self._wait_until_ready(self._process)
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + READY_SECONDS_MAX
        while port.status(HOST, self._port, "/health/ready") != 200:  # noqa: PLR2004 - HTTP's OK
            if process.poll() is not None or time.monotonic() > deadline:
                said = (self._folder / OUTPUT).read_text(encoding="utf-8", errors="replace").splitlines()
                last = "\n".join(f"  {line}" for line in said[-LINES_SHOWN:])
                raise Refused(f"the temporary service did not start:\n{last}")
            time.sleep(LOOK_SECONDS)

    def _remove(self) -> None:
        """Stop and remove; a second Ctrl-C must not leave engines or a folder behind."""
        handlers = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            if self._process is not None:
                stop_child(self._process, signal.SIGTERM, STOP_SECONDS_MAX)
            shutil.rmtree(self._folder, ignore_errors=True)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
