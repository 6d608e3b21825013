"""The front door as it is started from outside."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from services.cli import listen_address
from tests.root import ROOT

READY_SECONDS_MAX = 60.0


HERE = (sys.executable, "-m", "services.cli")


class FrontDoor:
    """A `fieldlog` command under way, with a home and a port of its own; `program` runs it in a folder."""

    def __init__(
        self,
        home: Path,
        port: int,
        *command: str,
        program: Sequence[str] = HERE,
        folder: Path = ROOT,
        **said: str,
    ) -> None:
        self.home = home
        self.port = port
        self.output = home.with_name(f"output-{time.monotonic_ns()}.txt")
        environ = {name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")}
        environ |= {"FIELDLOG_HOME": str(home), "FIELDLOG_PORT": str(port), "PYTHONUNBUFFERED": "1"} | said
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(  # noqa: S603 - this file's own words
                [*program, *command],
                cwd=folder,
                env=environ,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def is_ready(self) -> bool:
        assert self.process.poll() is None, self.said()
        return listen_address.status("127.0.0.1", self.port, "/health/ready") == 200

    def has_welcomed(self) -> bool:
        return self.is_ready() and "Fieldlog is ready" in self.said()

    def left(self) -> list[int]:
        """Processes that belong to this home: by their command line, working folder or environment."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with contextlib.suppress(OSError):
                    traces = [(entry / name).read_bytes() for name in ("cmdline", "environ")]
                    traces.append(bytes((entry / "cwd").readlink()))
                    if any(bytes(self.home) in trace for trace in traces):
                        found.append(int(entry.name))
        return found

    def service(self, name: str) -> int:
        for pid in self.left():
            with contextlib.suppress(OSError):
                if Path(f"/proc/{pid}/cmdline").read_bytes().find(f"services.cli\0{name}\0".encode()) > 0:
                    return pid
        raise AssertionError(f"no {name} runs")


def eventually(holds: Callable[[], bool], seconds_max: float = READY_SECONDS_MAX) -> bool:
    deadline = time.monotonic() + seconds_max
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


@contextlib.contextmanager
def up(
    home: Path, port: int, program: Sequence[str] = HERE, folder: Path = ROOT, **said: str
) -> Iterator[FrontDoor]:
    door = FrontDoor(home, port, "up", program=program, folder=folder, **said)
    try:
        assert eventually(door.has_welcomed), door.said()
        yield door
    finally:
        if door.process.poll() is None:
            door.process.terminate()
        door.process.wait(30)
