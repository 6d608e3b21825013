"""One connection of a client, which may be slow or hostile: how many bytes and seconds a request may take to come.

uvicorn's parser (httptools) bounds neither, and its limits are for the other parser (h11).
"""

import asyncio
from typing import NamedTuple

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from services.api.envelope import ALWAYS, NO_PAGE
from services.api.problems import PROBLEM_JSON, Problem

HEAD_BYTES_MAX = 65_536
"""Of a request line and headers together; who is who in an import may take 48 KiB of them."""
PIECE_BYTES = 16_384
BODY_BYTES_PER_SECOND = 1024
"""A body that comes more slowly, for longer than the seconds of a request, is given up."""

REASONS = {
    400: "Bad Request",
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


class Allowance(NamedTuple):
    """How many connections there may be at once, and how many seconds one may wait for the rest of a request."""

    connections: int
    request_seconds: float


class GuardedProtocol(HttpToolsProtocol):
    """Closes what is too many, too long or too slow. What is answered, however long that takes, is left alone.

    One timer serves all requests of a connection: it looks when the deadline that stood when it was set has come.
    """

    allowance = Allowance(connections=2_000, request_seconds=10.0)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or tell it that there are too many."""
        self._receiving = False
        self._head_read = False
        self._bytes_since = 0
        self._deadline: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        if len(self.connections) > self.allowance.connections:
            self._refuse(503, "too_many_clients", "There are too many connections; please try again later.")
            return
        self._wait_for_rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer, too."""
        self._deadline = None
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, in pieces that are small enough to stop at the limit."""
        for start in range(0, len(data), PIECE_BYTES):
            piece = data[start : start + PIECE_BYTES] if len(data) > PIECE_BYTES else data
            self._bytes_since += len(piece)
            super().data_received(piece)
            if self.transport.is_closing():
                return
            if self._bytes_since > HEAD_BYTES_MAX:
                self._refuse(431, "headers_too_large", f"Headers hold at most {HEAD_BYTES_MAX} bytes.")
                return
        if self._receiving or not self._is_answering():
            self._wait_for_rest()
        else:
            self._deadline = None

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        self._receiving, self._head_read = True, False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; one that comes after the body says nothing to the application, and is not kept."""
        if not self._head_read:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The body, if any, has its own time."""
        self._head_read = True
        self._bytes_since = 0
        self._deadline = None
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Each piece gives time for the next."""
        self._bytes_since = 0
        if self._deadline is not None:
            longest = self.loop.time() + self.allowance.request_seconds
            self._deadline = min(self._deadline + len(body) / BODY_BYTES_PER_SECOND, longest)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The last byte of a request."""
        self._receiving = False
        self._bytes_since = 0
        self._deadline = None
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is told so."""
        self._refuse(400, "malformed", msg)

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request, whatever its type says
        return cycle is not None and not cycle.response_complete

    def _wait_for_rest(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.time() + self.allowance.request_seconds
        if self._timer is None:
            self._timer = self.loop.call_at(self._deadline, self._look)

    def _look(self) -> None:
        """Close a connection whose request is not there in time, unless it waits for the application."""
        self._timer = None
        if self._deadline is None or self.transport.is_closing():
            return
        if self.flow.read_paused:
            self._deadline = None
        if self._deadline is None or self.loop.time() < self._deadline:
            self._wait_for_rest()
        elif self._receiving and not self._head_read:
            self._refuse(408, "too_slow", "The request did not come in time.")
        else:
            self.transport.abort()

    def _refuse(self, status: int, code: str, detail: str) -> None:
        """Answer without the application, and close; into another answer nothing is written.

        Only what uvicorn says by itself comes without the headers of the envelope: its 500 where an application
        fails to answer, which this one never does.
        """
        if self._is_answering():
            self.transport.abort()
            return
        content = msgspec.json.encode(Problem(REASONS[status], status, detail, code))
        head = [
            f"HTTP/1.1 {status} {REASONS[status]}",
            f"content-type: {PROBLEM_JSON}",
            "connection: close",
            *(f"{name.decode()}: {value.decode()}" for name, value in (*ALWAYS, NO_PAGE)),
        ]
        head += [f"content-length: {len(content)}", *(["retry-after: 1"] if status == 503 else [])]  # noqa: PLR2004
        self.transport.write("\r\n".join([*head, "", ""]).encode() + content)
        self.transport.close()


def guarded(allowance: Allowance) -> type[GuardedProtocol]:
    """The protocol with this allowance, for uvicorn, which makes one of each connection by itself."""
    return type("GuardedProtocol", (GuardedProtocol,), {"allowance": allowance})
