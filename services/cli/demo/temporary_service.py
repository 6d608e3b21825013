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
from services.cli import listen_address
from services.cli.errors import Refused
from services.wiring.database_engines import free_port, remove_home, start_child, stop_child

READY_SECONDS_MAX = 330.0  # `up` gives up before, and says why
STOP_SECONDS_MAX = 45.0
LOOK_SECONDS = 0.1
OUTPUT = "output.txt"
HOME = "home"
LINES_SHOWN = 5
HOST = "127.0.0.1"
# The demo must never play on a database that is named for another purpose; on its own machine it needs no TLS.
NOT_PASSED_ON = (
    *("FIELDLOG_DATABASE_URL", "FIELDLOG_OWNER_URL", "FIELDLOG_REDIS_URL"),
    *("FIELDLOG_TLS_CERTIFICATE", "FIELDLOG_TLS_KEY"),
)


class TemporaryService:
    """Runs `fieldlog up` on embedded engines and a free port; stops and removes everything at the end."""

    def __init__(self) -> None:
        self._port = free_port()
        self.base = listen_address.url_base(HOST, self._port)
        self._folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self._folder = Path(tempfile.mkdtemp(prefix="fieldlog-demo-"))
            if os.geteuid() == 0:
                self._folder.chmod(0o711)  # root's engines run as `nobody`, who must be able to pass
            output = self._folder / OUTPUT
            self._process = self._start(self._folder / HOME, output)
            self._wait_until_ready(self._process, output)
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def _start(self, home: Path, output: Path) -> subprocess.Popen[bytes]:
        environ = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
        environ |= {"FIELDLOG_HOME": str(home), "FIELDLOG_HOST": HOST, "FIELDLOG_PORT": str(self._port)}
        with output.open("wb") as file:
            return start_child(
                [sys.executable, "-m", "services.cli", "up"],
                death_signal=signal.SIGTERM,
                environ=environ,
                folder=Path(services.__file__).parents[1],
                output=file,
            )

    def _wait_until_ready(self, process: subprocess.Popen[bytes], output: Path) -> None:
        deadline = time.monotonic() + READY_SECONDS_MAX
        while listen_address.status(HOST, self._port, "/health/ready") != 200:  # noqa: PLR2004 - HTTP's OK
            if process.poll() is not None or time.monotonic() > deadline:
                lines = output.read_text(encoding="utf-8", errors="replace").splitlines()
                last = "\n".join(f"  {line}" for line in lines[-LINES_SHOWN:])
                raise Refused(f"the temporary service did not start:\n{last}")
            time.sleep(LOOK_SECONDS)

    def _remove(self) -> None:
        """Stop and remove; a second Ctrl-C must not leave engines or a folder behind."""
        handlers = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            if self._process is not None:
                stop_child(self._process, signal.SIGTERM, STOP_SECONDS_MAX)
            if self._folder is not None:
                remove_home(self._folder / HOME)
                shutil.rmtree(self._folder, ignore_errors=True)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
