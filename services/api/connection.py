"""Limits of one client connection: how many bytes and seconds a request may take to arrive.

uvicorn's parser (httptools) limits neither; its own limits are for the other parser (h11).
"""

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from services.api.envelope import ALWAYS, NO_PAGE
from services.api.problems import PROBLEM_JSON, Problem

HEAD_BYTES_MAX = 65_536
"""Size limit of request line and headers together; the people of an import may take 48 KiB of them."""
PIECE_BYTES = 16_384
BODY_BYTES_PER_SECOND = 1024
"""The slowest rate of a body that takes longer than the seconds of a request."""

UNACKNOWLEDGED_MILLISECONDS = 30_000
"""A client that confirms nothing of what it was sent for so long has gone, without closing the connection."""

REASONS = {
    400: "Bad Request",
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


class Allowance(NamedTuple):
    """How many connections may be open at once, and how many seconds one may wait for the rest of a request."""

    connections: int
    request_seconds: float


class RefusedRequest(NamedTuple):
    """A request that is refused, as far as it came: its path may be empty, and headers missing."""

    status: int
    path: str
    headers: Sequence[tuple[bytes, bytes]]

    def header(self, name: str) -> str:
        """What a header says; empty if it did not come."""
        return next((said.decode("latin-1") for key, said in self.headers if key == name.encode()), "")


PageOfRefusal = Callable[[RefusedRequest], tuple[dict[str, str], bytes] | None]
"""Makes the headers and the page that a browser reads of a refusal; None: who asks is told as programs are."""


class GuardedProtocol(HttpToolsProtocol):
    """Closes connections that are too many, too long or too slow. Responses have no time limit.

    One timer serves all requests of a connection: it is checked at the deadline that stood when it was set.
    """

    allowance = Allowance(connections=2_000, request_seconds=10.0)
    page: PageOfRefusal | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it if there are too many."""
        self._receiving = False
        self._head_read = False
        self._bytes_since = 0
        self._deadline: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        line: socket.socket | None = transport.get_extra_info("socket")
        if line is not None and hasattr(socket, "TCP_USER_TIMEOUT") and line.family != socket.AF_UNIX:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLISECONDS)
        if len(self.connections) > self.allowance.connections:
            self._refuse(503, "too_many_clients", "There are too many connections; please try again later.")
            return
        self._wait_for_rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer, too."""
        self._deadline = None
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received bytes, in pieces that are small enough to stop at the limit."""
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
        """Start the time limit at the first byte of a request."""
        self._receiving, self._head_read = True, False
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; trailers after the body are dropped."""
        if not self._head_read:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start the time limit of the body."""
        self._head_read = True
        self._bytes_since = 0
        self._deadline = None
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Extend the time limit with each piece of the body."""
        self._bytes_since = 0
        if self._deadline is not None:
            longest = self.loop.time() + self.allowance.request_seconds
            self._deadline = min(self._deadline + len(body) / BODY_BYTES_PER_SECOND, longest)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the time limit at the last byte of a request."""
        self._receiving = False
        self._bytes_since = 0
        self._deadline = None
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
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
        """Close the connection if its request is late, unless it waits for the application."""
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
        """Answer without the application, and close; does not write into another response.

        Only responses that uvicorn makes itself lack the headers of the envelope: its 500 if an application fails
        to answer, which this one never does.
        """
        if self._is_answering():
            self.transport.abort()
            return
        headers, content = self._told(status) or (
            {
                "content-type": PROBLEM_JSON,
                **{name.decode(): value.decode() for name, value in (*ALWAYS, NO_PAGE)},
            },
            msgspec.json.encode(Problem(REASONS[status], status, detail, code)),
        )
        head = [f"HTTP/1.1 {status} {REASONS[status]}", "connection: close"]
        head += [f"{name.lower()}: {value}" for name, value in headers.items()]
        head += [f"content-length: {len(content)}", *(["retry-after: 1"] if status == 503 else [])]  # noqa: PLR2004
        self.transport.write("\r\n".join([*head, "", ""]).encode() + content)
        self.transport.close()

    def _told(self, status: int) -> tuple[dict[str, str], bytes] | None:
        """The page for a browser, if one sent this and the application has pages."""
        make = type(self).page
        headers: list[tuple[bytes, bytes]] = getattr(self, "headers", None) or []
        url: bytes = getattr(self, "url", b"")
        path = url.partition(b"?")[0].decode("latin-1")
        return None if make is None else make(RefusedRequest(status, path, headers))


def guarded(allowance: Allowance, page: PageOfRefusal | None = None) -> type[GuardedProtocol]:
    """The protocol class with this allowance and page; uvicorn makes one instance per connection."""
    own = {"allowance": allowance, "page": None if page is None else staticmethod(page)}
    return type("GuardedProtocol", (GuardedProtocol,), own)
