"""A PostgreSQL that a test may stop, fill or turn read-only, with an API process on it."""

import asyncio
import contextlib
import json
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
    (
        "sign_ups_per_hour",
        "sign_ins_per_minute",
        "invites_per_hour",
        "actions_per_minute",
        "read_seconds_per_minute",
    ),
    "0",
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

    def crash(self) -> None:
        """SIGKILL for one connection's process: the engine ends all of them, and recovers."""
        with psycopg.connect(self.engine.superuser_url) as connection:
            os.kill(connection.info.backend_pid, signal.SIGKILL)

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
        page = self.client.get(f"/api{self.table.path}/events?limit=500", headers=self.table.gm.headers).json()
        return [event["text"] for event in page["events"] if event["type"] == "campaign.note_added"]

    def said(self, event: str) -> list[str]:
        return [line for line in self.program.said().splitlines() if f" {event} " in f"{line} "]

    def _timed(self, method: str, path: str, **request: Any) -> Timed:
        began = time.monotonic()
        response = self.client.request(method, path, **request)
        return Timed(response, time.monotonic() - began)


@contextlib.contextmanager
def a_service(folder: Path, urls: DatabaseUrls, **more: str) -> Iterator[Service]:
    """One on this database; `more` are settings."""
    port = free_port()
    settings = {"database_url": urls.service, "dice_key": DICE_KEY, "port": str(port), **NO_RATES, **more}
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


class Insistent:
    """Clients with a connection each: when they are told to, all ask, and those that are refused ask again.

    One half reads, the other half writes a note each, under a key. They wait that share of the seconds that a
    refusal names.
    """

    def __init__(self, service: Service, count: int, share: float) -> None:
        self.refused = asyncio.Event()
        """Set once one of them was."""
        self._count = count
        self._share = share
        self._place = service.client.base_url.host, service.client.base_url.port or 80
        self._path = f"/api{service.table.path}"
        self._token = service.table.gm.headers["Authorization"]
        self._lines: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def connect(self) -> None:
        """Open all connections."""
        for _ in range(self._count):
            self._lines.append(await asyncio.open_connection(*self._place))

    async def ask(self) -> None:
        """All ask, each until it is answered and not refused."""
        await asyncio.gather(*map(self._ask, range(self._count)))

    def hang_up(self) -> None:
        """Close all connections."""
        for _, writer in self._lines:
            writer.close()

    async def _ask(self, number: int) -> None:
        reader, writer = self._lines[number]
        status = 0
        while status not in (200, 201):
            writer.write(self._request(number))
            status, head = await self._answer(reader)
            if status in (429, 503):  # the reads are of one account
                if status == 503:
                    self.refused.set()
                [told] = [float(line.partition(":")[2]) for line in head if line.startswith("retry-after:")]
                await asyncio.sleep(told * self._share)
            else:
                assert status in (200, 201), head

    def _request(self, number: int) -> bytes:
        head = [f"Host: {self._place[0]}", f"Authorization: {self._token}"]
        if number % 2:
            return "\r\n".join([f"GET {self._path} HTTP/1.1", *head, "", ""]).encode()
        body = json.dumps({"command": {"type": "campaign.add_note", "text": f"no. {number}"}})
        head += [f"Idempotency-Key: {number}", "Content-Type: application/json"]
        sent = [f"POST {self._path}/actions HTTP/1.1", *head, f"Content-Length: {len(body)}", "", body]
        return "\r\n".join(sent).encode()

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, list[str]]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
        [length] = [int(line.partition(":")[2]) for line in head if line.startswith("content-length:")]
        await reader.readexactly(length)
        return int(head[0].split()[1]), head


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
