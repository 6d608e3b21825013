"""What the faults are done to: API and worker processes on a PostgreSQL and a Valkey of their own."""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psycopg

from infra.embedded.child_process import free_port, processes_in
from infra.embedded.errors import EngineFailed, StartFailed
from infra.embedded.postgres import EmbeddedPostgres
from infra.embedded.valkey import ACCESS, EmbeddedValkey
from services.cli.errors import EXIT_TRY_AGAIN
from services.wiring.schema import migrate_database
from tests.engines import engine_folder
from tests.faults.disk import Disk
from tests.faults.stepped_clock import SteppedProgram, set_off
from tests.services.outage import NO_RATES
from tests.services.processes import eventually

AGAIN_SECONDS = 0.3
BACK_SECONDS_MAX = 60.0
LOWEST_OUTGOING_PORT = 32_768
"""Where Linux begins to number outgoing connections unless told otherwise; others begin above that."""


def kept_port() -> int:
    """A free port that no outgoing connection is given: not even while what listens on it is down."""
    for port in range(LOWEST_OUTGOING_PORT - 1 - secrets.randbelow(10_000), 1024, -1):
        if free_port(port) == port:
            return port
    raise AssertionError("no port is free")


class Post:
    """One place where a program runs, whatever became of those before it."""

    def __init__(self, town: "Town", name: str, port: int | None) -> None:
        self.name = name
        self.port = port
        self.clock = town.folder / f"{name}.clock"
        self._town = town
        self._again_at = 0.0
        set_off(self.clock, 0)
        self.program = self._start()

    def _start(self) -> SteppedProgram:
        town = self._town
        settings = {
            "database_url": town.database_url,
            "redis_url": town.redis_url,
            "home": str(town.home),
            "allow_unsafe": "1" if town.is_unsafe else None,
            "campaigns_per_account": "0",
            **NO_RATES,
        }
        command = "worker" if self.port is None else "serve"
        if self.port is not None:
            settings["port"] = str(self.port)
        return SteppedProgram(town.folder, self.clock, command, **settings)

    def is_at_work(self) -> bool:
        """Whether it has come so far that it does its work, or would if its engines let it."""
        if self.port is None:
            return "worker_ready" in self.program.said()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def tend(self) -> str:
        """Start it again when it is gone; a sentence when it went for a reason that no fault excuses."""
        code = self.program.ended
        if code is None or time.monotonic() < self._again_at:
            return ""
        wrong = ""
        if code not in (-signal.SIGKILL, EXIT_TRY_AGAIN):
            wrong = f"{self.name} ended by itself with {code}: {self.program.said()[-1_500:]}"
        self.program = self._start()
        self._again_at = time.monotonic() + AGAIN_SECONDS
        return wrong


class Town:
    """So many APIs and two workers, which come back when gone; `wrong` are deaths that no fault excuses."""

    def __init__(
        self, stack: ExitStack, folder: Path, disk: Disk | None, *, is_unsafe: bool = False, apis: int = 2
    ) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        self.disk = disk
        self.is_unsafe = is_unsafe
        self.wrong: list[str] = []
        self.failed_starts: Counter[str] = Counter()
        self.apis: list[Post] = []
        self.workers: list[Post] = []
        self._postgres_home = (
            disk.folder / "postgres" if disk is not None else stack.enter_context(engine_folder())
        )
        self._valkey_home = stack.enter_context(engine_folder())
        self.postgres = EmbeddedPostgres.start(self._postgres_home)
        self.valkey: EmbeddedValkey | None = EmbeddedValkey.start(self._valkey_home)
        stack.callback(self._stop)
        self._configure()
        self.superuser_url, self.database_url = self.postgres.superuser_url, self.postgres.service_url
        self.redis_url = self.valkey.url
        migrate_database(self.postgres.owner_url, self.database_url)
        if self.disk is not None:
            self.disk.flush()
        self.apis = [Post(self, f"api-{number}", kept_port()) for number in range(1, apis + 1)]
        self.workers = [Post(self, f"worker-{number}", None) for number in (1, 2)]

    def _configure(self) -> None:
        """Move the engines to ports that stay theirs, and have PostgreSQL note when it committed what.

        The checker asks PostgreSQL for that, not the service.
        """
        settings = ["ALTER SYSTEM SET track_commit_timestamp = on"]
        if sys.platform == "linux":  # else each start after a death would sync a thousand files one by one
            settings.append("ALTER SYSTEM SET recovery_init_sync_method = syncfs")
        if self.is_unsafe:
            settings.append("ALTER DATABASE fieldlog SET synchronous_commit = off")
        with psycopg.connect(self.postgres.superuser_url, autocommit=True) as connection:
            for setting in settings:
                connection.execute(setting.encode())
        self.postgres.stop()
        (self.postgres.folder / "port").write_text(str(kept_port()), "utf-8")
        self.postgres = EmbeddedPostgres.start(self._postgres_home)
        assert self.valkey is not None
        self.valkey.stop()
        access = self.valkey.folder / ACCESS
        access.write_text(json.dumps(json.loads(access.read_text("utf-8")) | {"port": str(kept_port())}), "utf-8")
        self.valkey = EmbeddedValkey.start(self._valkey_home)

    @property
    def posts(self) -> list[Post]:
        """The places of all processes."""
        return [*self.apis, *self.workers]

    @property
    def data(self) -> Path:
        """PostgreSQL's data."""
        return self.postgres.folder / "data"

    def tend(self) -> None:
        """Start again whatever is gone; a postmaster goes when its disk is full, or in the midst of recovery."""
        if self.postgres.process.poll() is not None:
            self.postgres.stop()
            self._try_to_start_postgres()
        self.wrong += [sentence for post in self.posts if (sentence := post.tend())]

    def wait(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        """Tend for so long, or until something holds."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and not until():
            self.tend()
            time.sleep(min(left, 0.05))

    def is_ready(self) -> bool:
        """Whether all APIs serve."""
        self.tend()
        with contextlib.suppress(httpx.TransportError):
            return all(
                httpx.get(f"http://127.0.0.1:{api.port}/health/ready", timeout=5).status_code == 200
                for api in self.apis
            )
        return False

    def wait_until_ready(self) -> None:
        """Wait until all APIs serve. Raises AssertionError where they do not within a minute."""
        assert eventually(self.is_ready, BACK_SECONDS_MAX), self.said()

    # --- engines ---

    def bring_back_postgres(self) -> None:
        """Start PostgreSQL, again and again while it cannot."""
        deadline = time.monotonic() + BACK_SECONDS_MAX
        while not self._try_to_start_postgres():
            assert time.monotonic() < deadline, self.said()
            time.sleep(AGAIN_SECONDS)

    def _try_to_start_postgres(self) -> bool:
        try:
            self.postgres = EmbeddedPostgres.start(self._postgres_home)
        except StartFailed as failed:
            self.failed_starts[str(failed).partition("\n")[0]] += 1
            return False
        assert self.postgres.service_url == self.database_url
        return True

    def kill_postmaster(self) -> None:
        """kill -9, and start it again."""
        self.postgres.process.kill()
        self.postgres.process.wait()
        self.postgres.stop()
        self.bring_back_postgres()

    def postgres_processes(self) -> list[int]:
        """Everything below the postmaster."""
        return [pid for pid in processes_in(self.data, "postgres") if pid != self.postgres.process.pid]

    def cut_power(self) -> None:
        """Cut the power of PostgreSQL's disk and machine, and start it again on what the disk has."""
        assert self.disk is not None
        self.disk.cut_power()
        victims = [self.postgres.process.pid, *self.postgres_processes()]
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.postgres.process.wait()
        self.postgres.stop()
        self.disk.unmount()
        self.disk.mount()
        self.bring_back_postgres()

    def kill_valkey(self) -> None:
        """kill -9, with nobody who starts it again."""
        if self.valkey is not None:
            self.valkey.process.kill()
            self.valkey.stop()
            self.valkey = None

    def bring_back_valkey(self) -> None:
        """Start Valkey."""
        self.valkey = EmbeddedValkey.start(self._valkey_home)
        assert self.valkey.url == self.redis_url

    @contextlib.contextmanager
    def stopped(self, process: "subprocess.Popen[bytes]") -> Iterator[None]:
        """SIGSTOP for an engine and what it started: connections stay, and nothing answers."""
        pids = [process.pid]
        os.kill(process.pid, signal.SIGSTOP)  # first, so that it starts no others
        if process is self.postgres.process:
            pids += self.postgres_processes()
        for pid in pids[1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def said(self) -> str:
        """The last words of everything, and PostgreSQL's processes with what each of them does."""
        texts = sorted(self.folder.glob("*.txt"), key=lambda path: path.stat().st_mtime)[-4:]
        states = [f"{pid} {_state(pid)}" for pid in [self.postgres.process.pid, *self.postgres_processes()]]
        last = "".join(f"--- {path.name}\n{_end(path)}" for path in [*texts, self.postgres.folder / "server.log"])
        return f"{last}--- PostgreSQL's: {states}; starts that failed: {dict(self.failed_starts)}"

    def _stop(self) -> None:
        for post in self.posts:
            post.program.kill()
        with contextlib.suppress(EngineFailed):
            self.kill_valkey()
        self.postgres.stop()


def _end(text: Path) -> str:
    return text.read_text("utf-8", errors="replace")[-1_500:]


def _state(pid: int) -> str:
    try:
        title = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:60]
        return f"{Path(f'/proc/{pid}/stat').read_text('utf-8').split()[2]} {title}"
    except OSError:
        return "gone"
