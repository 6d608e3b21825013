"""The API on a real server in a thread, and people who follow a campaign live."""

import http.client
import json
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

import httpx

from services.cli.certificate_check import trusting
from services.http.middleware.http_server import ApiServer, server_config
from services.http.screen.shared.connection_refusal_page import page_of_refusal
from services.reading.live_feed import Pace
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY
from tests.services.conftest import METRICS_TOKEN, NO_RATES

SECONDS_MAX = 20.0
GRACE_SECONDS = 30


def eventually(holds: Callable[[], Any], seconds_max: float = SECONDS_MAX) -> bool:
    deadline = time.monotonic() + seconds_max
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


class Api:
    """One API process, as far as the others can tell."""

    def __init__(
        self,
        database_url: str,
        redis_url: str | None = None,
        pace: Pace | None = None,
        rates: dict[str, int] | None = None,
        **more: Any,
    ) -> None:
        settings = Settings(
            database_url=database_url,
            dice_key=DICE_KEY,
            redis_url=redis_url,
            password_kib=64,
            **(rates or NO_RATES),
            **({"metrics_token": METRICS_TOKEN} | more),
        )
        self._borrowed = ExitStack()
        self.app = self._borrowed.enter_context(an_application(settings, pace or Pace()))
        page = partial(page_of_refusal, base=settings.base_path)
        self._server = ApiServer(self.app, server_config(self.app, settings, GRACE_SECONDS, page))
        self._socket = socket.create_server(("127.0.0.1", 0))
        scheme = "http" if settings.tls_key is None else "https"
        self.base = f"{scheme}://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]})
        self.client = httpx.Client(base_url=self.base, timeout=SECONDS_MAX, verify=trusting(settings) or True)

    def start(self) -> None:
        self._thread.start()
        assert eventually(lambda: self._server.started or not self._thread.is_alive())
        assert self._server.started

    def stop(self) -> float:
        """Stop as a signal would; how many seconds that took."""
        began = time.monotonic()
        self.client.close()
        self._server.handle_exit(signal.SIGTERM, None)
        self._thread.join()
        self._socket.close()
        self._borrowed.close()
        return time.monotonic() - began

    def connections(self) -> int:
        return len(self._server.server_state.connections)

    def requests(self) -> int:
        """How many are being answered."""
        return len(self._server.server_state.tasks)

    def feeds_open(self) -> int:
        return sum(self.app.state.feeds._of.values())


@contextmanager
def api(
    database_url: str,
    redis_url: str | None = None,
    pace: Pace | None = None,
    rates: dict[str, int] | None = None,
    **more: Any,
) -> Iterator[Api]:
    """One that runs until the end; `more` are settings."""
    running = Api(database_url, redis_url, pace, rates, **more)
    running.start()
    try:
        yield running
    finally:
        running.stop()


class Reachable(Protocol):
    """A service, wherever it runs."""

    base: str


class Told(NamedTuple):
    """One thing a feed said. A comment has no event."""

    event: str | None
    id: int | None
    data: Any
    at: float


class Follower:
    """Somebody at the other end of a feed, who reads in a thread of its own unless told not to."""

    def __init__(
        self,
        running: Reachable,
        person: Any,
        path: str,
        *,
        query: str = "",
        last: Any = None,
        reads: bool = True,
        root: str = "/api",
    ) -> None:
        headers = person.headers | ({} if last is None else {"Last-Event-ID": str(last)})
        place = urlsplit(running.base)
        assert place.hostname is not None
        line = http.client.HTTPConnection(place.hostname, place.port, timeout=SECONDS_MAX)
        line.connect()
        self._socket = line.sock
        line.request("GET", f"{root}{path}/live{query}", headers=headers)
        self._response = line.getresponse()
        self.status = self._response.status
        self.headers = self._response.headers
        self.told: list[Told] = []
        self.over = False
        self._reading = threading.Thread(target=self.read, daemon=True)
        if reads and self.status == 200:
            self._reading.start()

    def read(self) -> None:
        with suppress(OSError, http.client.HTTPException, ValueError):  # hung up in the middle
            while self._read_one():
                pass
        self.over = True

    def _read_one(self) -> bool:
        fields: dict[str, str] = {}
        while line := self._response.readline().decode():
            if line == "\n":
                data = fields.get("data")
                seq = fields.get("id")
                self.told.append(
                    Told(
                        fields.get("event"),
                        None if seq is None else int(seq),
                        fields.get("") if data is None else json.loads(data),
                        time.monotonic(),
                    )
                )
                return True
            name, _, value = line.rstrip("\n").partition(":")
            fields[name] = value.removeprefix(" ")
        return False

    def problem(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self._response.read())
        return said

    def events(self) -> list[Told]:
        return [told for told in self.told if told.event == "event"]

    def ids(self) -> list[int | None]:
        return [told.id for told in self.events()]

    def reaches(self, seq: int, seconds_max: float = SECONDS_MAX) -> Told:
        """Wait for an event; what was told of it."""
        assert eventually(lambda: seq in self.ids(), seconds_max), (seq, self.told[-3:], self.over)
        return next(told for told in self.events() if told.id == seq)

    def has(self, count: int) -> None:
        """Wait for so many events."""
        assert eventually(lambda: len(self.ids()) >= count), (count, self.told[-3:], self.over)

    def ends(self, seconds_max: float = SECONDS_MAX) -> str:
        """Wait for the end; its code."""
        assert eventually(lambda: self.over, seconds_max), self.told[-3:]
        assert self.told[-1].event == "end", self.told[-3:]
        code: str = self.told[-1].data["code"]
        return code

    def hang_up(self) -> None:
        with suppress(OSError):  # the other side was faster
            self._socket.shutdown(socket.SHUT_RDWR)
        if self._reading.is_alive():
            self._reading.join(SECONDS_MAX)
        self._response.close()
        self._socket.close()
