"""A PostgreSQL that a test may stop, fill or turn read-only, with an API process on it."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psycopg

from infra.embedded.child_process import free_port, processes_in
from infra.embedded.postgres import EmbeddedPostgres
from tests.engines import DICE_KEY, DatabaseUrls, PostgresServer, engine_folder
from tests.services.conftest import Table, table_at
from tests.services.processes import Program, eventually, running

NO_RATES = dict.fromkeys(
    ("sign_ups_per_hour", "sign_ins_per_minute", "invites_per_hour", "actions_per_minute"), "0"
)


class Server:
    """An engine of one's own, and a database in it."""

    def __init__(self, engine: EmbeddedPostgres) -> None:
        self.engine = engine
        self.folder = engine.folder
        self._made = PostgresServer(engine.superuser_url)

    def new_database(self) -> DatabaseUrls:
        return self._made.new_database()

    def hang_up(self) -> None:
        self._made.hang_up()

    def tell(self, *statements: str) -> None:
        """Run statements as superuser, each by itself."""
        with psycopg.connect(self.engine.superuser_url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """SIGSTOP for every process of the engine: what was connected stays connected, and nothing answers."""
        data = self.folder / "data"
        stopped = [self.engine.process.pid]
        os.kill(self.engine.process.pid, signal.SIGSTOP)  # first, so that it starts no others
        for pid in set(processes_in(data, "postgres")) - {self.engine.process.pid}:
            os.kill(pid, signal.SIGSTOP)
            stopped.append(pid)
        try:
            yield
        finally:
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def a_server(folder: Path | None = None) -> Iterator[Server]:
    with contextlib.ExitStack() as stack:
        place = folder or stack.enter_context(engine_folder())
        server = Server(stack.enter_context(EmbeddedPostgres.start(place)))
        stack.callback(server.hang_up)
        yield server


class Timed(NamedTuple):
    """A response and how long it took, in seconds."""

    response: httpx.Response
    seconds: float

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def code(self) -> str:
        code: str = self.response.json().get("code", "")
        return code


class Service:
    """An API process that has been ready, with a table that plays at it."""

    def __init__(self, program: Program, client: httpx.Client, table: Table) -> None:
        self.program = program
        self.client = client
        self.table = table

    def ready(self) -> Timed:
        return self._timed("GET", "/health/ready")

    def note(self, text: str, key: str = "") -> Timed:
        headers = self.table.gm.headers | ({"Idempotency-Key": key} if key else {})
        body = {"command": {"type": "campaign.add_note", "text": text}}
        return self._timed("POST", f"/api{self.table.path}/actions", json=body, headers=headers)

    def read(self) -> Timed:
        return self._timed("GET", f"/api{self.table.path}", headers=self.table.gm.headers)

    def notes(self) -> list[str]:
        """All notes in the log, as the GM reads them."""
        page = self.client.get(f"/api{self.table.path}/events", headers=self.table.gm.headers).json()
        return [event["text"] for event in page["events"] if event["type"] == "campaign.note_added"]

    def said(self, event: str) -> list[str]:
        return [line for line in self.program.said().splitlines() if f" {event} " in f"{line} "]

    def _timed(self, method: str, path: str, **request: Any) -> Timed:
        began = time.monotonic()
        response = self.client.request(method, path, **request)
        return Timed(response, time.monotonic() - began)


@contextlib.contextmanager
def a_service(folder: Path, urls: DatabaseUrls) -> Iterator[Service]:
    port = free_port()
    settings = {"database_url": urls.service, "dice_key": DICE_KEY, "port": str(port), **NO_RATES}
    with (
        running(folder, "serve", **settings) as program,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
    ):

        def answers() -> bool:
            assert program.process.poll() is None, program.said()
            with contextlib.suppress(httpx.TransportError):
                return client.get("/health/ready").status_code == 200
            return False

        assert eventually(answers), program.said()
        yield Service(program, client, table_at(client))


@contextlib.contextmanager
def a_small_disk(megabytes: int) -> Iterator[Path]:
    """A file system of its own, of that size. Raises OSError where none can be mounted."""
    with engine_folder() as folder:
        mount, umount = shutil.which("mount"), shutil.which("umount")
        if os.geteuid() != 0 or mount is None or umount is None:
            raise OSError("only root can mount a file system")
        options = f"size={megabytes}m,mode=711"
        done = subprocess.run([mount, "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=False)  # noqa: S603
        if done.returncode != 0:
            raise OSError("this machine mounts no tmpfs")
        try:
            yield folder
        finally:
            subprocess.run([umount, str(folder)], check=True)  # noqa: S603
