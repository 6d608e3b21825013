"""Servers to be measured over HTTP, each a process of its own: Fieldlog, and the floors it is compared with.

`python -m tests.bench.serving echo|insert|lines` serves a floor at FIELDLOG_PORT, under uvicorn with the settings
of `fieldlog serve`: a default Litestar route with a msgspec body, alone or with one INSERT on a kept connection,
or a page that is sent lines that are ready-made.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
import uvicorn
from litestar import Litestar, MediaType, Request, get, post
from litestar.response import Stream
from msgspec import Struct

from infra.embedded.child_process import free_port, start_child, stop_child
from services.cli import listen_address
from tests.bench.rows import require
from tests.bench.stage import PASSWORD_KIB
from tests.engines import DICE_KEY, DatabaseUrls

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"
START_SECONDS_MAX = 120.0
POOL = 8


class EchoCommand(Struct, frozen=True):
    """What a roll_test looks like to a program that knows no rules."""

    type: str


class EchoRequest(Struct, frozen=True):
    """The same request body that Fieldlog gets."""

    command: EchoCommand


@post("/echo")
async def echo(data: EchoRequest) -> EchoRequest:
    """As little as a route can do."""
    return data


class Pool:
    """Kept connections, one per request at a time."""

    def __init__(self) -> None:
        self._free: asyncio.LifoQueue[psycopg.AsyncConnection[Any]] = asyncio.LifoQueue()
        self._seq = 0

    async def fill(self, url: str) -> None:
        """Connect them all."""
        for _ in range(POOL):
            self._free.put_nowait(await psycopg.AsyncConnection.connect(url, autocommit=True))

    async def insert(self, body: bytes) -> None:
        """One row, one commit."""
        connection = await self._free.get()
        try:
            await connection.execute("INSERT INTO raw VALUES (%s, %s, %s)", (uuid4(), 1, body))
        finally:
            self._free.put_nowait(connection)


LINES_PAGE = """<!doctype html><meta charset="utf-8"><title>Lines</title><ol class="chronicle"></ol><script>
const log = document.querySelector("ol");
const feed = new EventSource("/feed");
feed.onmessage = (told) => log.insertAdjacentHTML("beforeend", JSON.parse(told.data));
feed.onopen = () => (document.documentElement.dataset.live = "");
</script>"""


def lines_app() -> Litestar:
    """A page to which each line goes that is posted, as server-sent events."""
    open_pages: set[asyncio.Queue[bytes]] = set()

    @get("/", media_type=MediaType.HTML)
    async def page() -> str:
        return LINES_PAGE

    @get("/feed")
    async def feed() -> Stream:
        async def told() -> AsyncIterator[bytes]:
            news: asyncio.Queue[bytes] = asyncio.Queue()
            open_pages.add(news)
            try:
                yield b": hello\n\n"
                while True:
                    yield b"data: %b\n\n" % await news.get()
            finally:
                open_pages.discard(news)

        return Stream(told, media_type="text/event-stream")

    @post("/lines")
    async def line(request: Request[Any, Any, Any]) -> int:
        said = await request.body()
        for each in open_pages:
            each.put_nowait(said)
        return len(open_pages)

    return Litestar([page, feed, line], logging_config=None)


def floor_app(kind: str) -> Litestar:
    """`echo`, the same after one INSERT, or `lines`."""
    if kind == "echo":
        return Litestar([echo], logging_config=None)
    if kind == "lines":
        return lines_app()
    pool = Pool()
    body = os.urandom(300)

    @post("/echo")
    async def insert(data: EchoRequest) -> EchoRequest:
        await pool.insert(body)
        return data

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await pool.fill(os.environ["FIELDLOG_DATABASE_URL"])
        yield

    return Litestar([insert], lifespan=[lifespan], logging_config=None)


class Server(NamedTuple):
    """A server that runs, and its process id."""

    port: int
    pid: int

    def milliseconds(self) -> float:
        """The processor time that its threads have taken. Needs Linux."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1_000_000


def python_of(checkout: Path) -> str:
    """The Python that a checkout runs with: this one, or the other's own."""
    return sys.executable if checkout == ROOT else str(checkout / ".venv" / "bin" / "python")


@contextmanager
def serving(urls: DatabaseUrls, arguments: list[str], **environment: str) -> Iterator[int]:
    """Run a server, as `started` does; its port."""
    with started(urls, arguments, ROOT, **environment) as server:
        yield server.port


@contextmanager
def started(
    urls: DatabaseUrls, arguments: list[str], checkout: Path = ROOT, **environment: str
) -> Iterator[Server]:
    """Run a server on a port of its own, `arguments` behind `python -m`; its port goes to it as FIELDLOG_PORT.

    Another `checkout` than this one has its Python in `.venv`.
    """
    number = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")} | {
        "FIELDLOG_DATABASE_URL": urls.service,
        "FIELDLOG_DICE_KEY": DICE_KEY,
        "FIELDLOG_PASSWORD_KIB": str(PASSWORD_KIB),
        "FIELDLOG_HOST": HOST,
        "FIELDLOG_PORT": str(number),
        "FIELDLOG_SIGN_UPS_PER_HOUR": "0",
        "FIELDLOG_ACTIONS_PER_MINUTE": "0",
        "FIELDLOG_READ_SECONDS_PER_MINUTE": "0",
        **environment,
    }
    with Path(os.devnull).open("wb") as nowhere:
        process = start_child(
            [python_of(checkout), "-m", *arguments],
            death_signal=signal.SIGTERM,
            environ=environ,
            folder=checkout,
            output=nowhere,
        )
    try:
        until = time.monotonic() + START_SECONDS_MAX
        while listen_address.status(HOST, number, "/health/live") is None:
            require(process.poll() is None and time.monotonic() < until, f"{arguments} did not start")
            time.sleep(0.05)
        yield Server(number, process.pid)
    finally:
        stop_child(process, signal.SIGTERM, START_SECONDS_MAX)


FIELDLOG = ["services.cli", "serve"]
ECHO = ["tests.bench.serving", "echo"]
ECHO_AND_INSERT = ["tests.bench.serving", "insert"]
LINES = ["tests.bench.serving", "lines"]

if __name__ == "__main__":
    uvicorn.run(
        floor_app(sys.argv[1]),
        host=HOST,
        port=int(os.environ["FIELDLOG_PORT"]),
        log_config=None,
        access_log=False,
        server_header=False,
    )
