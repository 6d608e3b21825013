"""Limits of client connections: how many there may be, and how fast they have to send and to read.

uvicorn limits none of that with the parser that is used here (httptools).
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any, ClassVar, NamedTuple

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from services.http.middleware.authentication import counted_address
from services.http.middleware.common_middleware import ALWAYS, NO_PAGE
from services.http.problems import PROBLEM_JSON, Problem, retry_seconds

HEAD_BYTES_MAX = 65_536
"""Size limit of request line and headers together; the people of an import may take 48 KiB of them."""
PIECE_BYTES = 16_384
BODY_BYTES_PER_SECOND = 1024
"""The slowest rate of a body that takes longer than the seconds of a request."""

ANSWER_PIECE_BYTES = 65_536
"""So much of an answer waits for one client at a time, here and in the kernel, besides what is on its way."""

UNACKNOWLEDGED_MILLISECONDS = 30_000
"""A client that confirms nothing of what it was sent for so long has gone, without closing the connection."""

KEPT_SECONDS = 75
"""A connection without a request is kept for so long, and so for longer than clients and proxies keep theirs: a
request that one of them sends just when the service closes the connection is lost.
"""
KEPT_SECONDS_IN_A_CROWD = 5
"""The same once more than half of the connections that there may be are open, in all or from that address."""

REASONS = {
    400: "Bad Request",
    408: "Request Timeout",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}
TO_TRY_AGAIN = (429, 503)

TOO_MANY_FROM_HERE = "Too many connections are open from your address; please close some, or try again later."


class Allowance(NamedTuple):
    """How many connections may be open at once, and how many seconds one may wait for the rest of a request.

    So long a client may read nothing of its answer, too. `per_address`: so many of the connections may come from
    one address (0: any number) that is none of the `proxies`, whose requests `ForwardedRequests` counts.
    """

    connections: int
    request_seconds: float
    per_address: int = 0
    proxies: Sequence[str] = ()


class RefusedRequest(NamedTuple):
    """A request that is refused, as far as it came: its path may be empty, and headers missing."""

    status: int
    path: str
    headers: Sequence[tuple[bytes, bytes]]

    def header(self, name: str) -> str:
        """The value of a header; empty if it did not come."""
        return next((text.decode("latin-1") for key, text in self.headers if key == name.encode()), "")


PageOfRefusal = Callable[[RefusedRequest], tuple[dict[str, str], bytes] | None]
"""Makes the headers and the page that a browser reads of a refusal; None: the client reads it as programs do."""


class GuardedProtocol(HttpToolsProtocol):
    """Closes connections that are too many, too long or too slow. Responses have no time limit.

    One timer serves all requests of a connection: it is checked at the deadline that stood when it was set.
    """

    allowance = Allowance(connections=2_000, request_seconds=10.0)
    page: PageOfRefusal | None = None
    of_addresses: ClassVar[Counter[str]] = Counter()
    """How many connections each address has open."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.app: Any = partial(answer_in_pieces, self.app)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it if there are too many."""
        self._address: str | None = None
        self._unread = 0
        self._reading: asyncio.TimerHandle | None = None
        self._receiving = False
        self._head_read = False
        self._bytes_since = 0
        self._deadline: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        line: socket.socket | None = transport.get_extra_info("socket")
        if line is not None and hasattr(socket, "TCP_USER_TIMEOUT") and line.family != socket.AF_UNIX:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLISECONDS)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, ANSWER_PIECE_BYTES)
        if self._are_too_many_from_there():
            self._refuse(429, "too_many_from_address", TOO_MANY_FROM_HERE)
            return
        if len(self.connections) > self.allowance.connections:
            self._refuse(503, "too_many_clients", "There are too many connections; please try again later.")
            return
        self._wait_for_rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers, too."""
        if self._address is not None:
            _count_one_less(self.of_addresses, self._address)
            self._address = None
        self._cancel_reading()
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

    def pause_writing(self) -> None:
        """Start the time limit of a client that reads nothing."""
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        """Stop it: the client has read."""
        super().resume_writing()
        self._cancel_reading()

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

    def on_response_complete(self) -> None:
        """Choose how long the connection is kept for another request."""
        self.timeout_keep_alive = KEPT_SECONDS_IN_A_CROWD if self._is_crowded() else KEPT_SECONDS
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
        self._refuse(400, "malformed", msg)

    def _are_too_many_from_there(self) -> bool:
        """Count this connection with those of its address, unless that is a proxy's, or none."""
        most, client = self.allowance.per_address, self.client
        if not most or client is None or _is_within(client[0], self.allowance.proxies):
            return False
        self._address = counted_address(client[0])
        self.of_addresses[self._address] += 1
        return self.of_addresses[self._address] > most

    def _is_crowded(self) -> bool:
        from_there = 0 if self._address is None else self.of_addresses[self._address]
        return (
            2 * len(self.connections) > self.allowance.connections or 2 * from_there > self.allowance.per_address
        )

    def _wait_for_reader(self) -> None:
        self._cancel_reading()
        self._unread = self.transport.get_write_buffer_size()
        self._reading = self.loop.call_later(self.allowance.request_seconds, self._look_whether_read)

    def _cancel_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _look_whether_read(self) -> None:
        """Cut the connection of a client that has read nothing, also one that is only to be closed."""
        self._reading = None
        if self.transport.get_write_buffer_size() < self._unread:
            self._wait_for_reader()
        else:
            self.transport.abort()

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
        request_headers: list[tuple[bytes, bytes]] = getattr(self, "headers", None) or []
        url: bytes = getattr(self, "url", b"")
        path = url.partition(b"?")[0].decode("latin-1")
        headers, content = _answer_of(RefusedRequest(status, path, request_headers), code, detail, type(self).page)
        head = [f"HTTP/1.1 {status} {REASONS[status]}", "connection: close"]
        head += [f"{name.lower()}: {value}" for name, value in headers.items()]
        self.transport.write("\r\n".join([*head, "", ""]).encode() + content)
        self.transport.close()


def guarded(allowance: Allowance, page: PageOfRefusal | None = None) -> type[GuardedProtocol]:
    """The protocol class with this allowance and page; uvicorn makes one instance per connection."""
    own = {
        "allowance": allowance,
        "page": None if page is None else staticmethod(page),
        "of_addresses": Counter[str](),
    }
    return type("GuardedProtocol", (GuardedProtocol,), own)


class ForwardedRequests:
    """Lets no more requests of one address be under way at once than it may have connections.

    For services behind proxies, whose connections carry the requests of everybody: uvicorn has told by now which
    address each is of.
    """

    def __init__(self, app: ASGIApp, most: int, page: PageOfRefusal | None) -> None:
        self._app = app
        self._most = most
        self._page = page
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        client = scope.get("client")
        if scope["type"] != ScopeType.HTTP or client is None or not self._most:
            await self._app(scope, receive, send)
            return
        address = counted_address(client[0])
        if self._under_way[address] >= self._most:
            await self._refuse(429, "too_many_from_address", TOO_MANY_FROM_HERE, scope, send)
            return
        self._under_way[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            _count_one_less(self._under_way, address)

    async def _refuse(self, status: int, code: str, detail: str, scope: Any, send: Send) -> None:
        request = RefusedRequest(status, scope["path"], scope["headers"])
        headers, content = _answer_of(request, code, detail, self._page)
        response_headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": response_headers})
        await send({"type": "http.response.body", "body": content, "more_body": False})


def answer_in_pieces(app: ASGIApp, scope: Scope, receive: Receive, send: Any) -> Awaitable[None]:
    """Run an application; an answer in one piece is written as the client takes it, and copied nowhere."""

    def send_in_pieces(message: Any) -> Awaitable[None]:
        is_long = len(message.get("body", b"")) > ANSWER_PIECE_BYTES
        sending: Awaitable[None] = _send_in_pieces(message, send) if is_long else send(message)
        return sending

    return app(scope, receive, send_in_pieces)


async def _send_in_pieces(message: Any, send: Any) -> None:
    body = memoryview(message["body"])
    while len(body) > ANSWER_PIECE_BYTES:
        piece, body = body[:ANSWER_PIECE_BYTES], body[ANSWER_PIECE_BYTES:]
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({**message, "body": body})


def _answer_of(
    request: RefusedRequest, code: str, detail: str, page: PageOfRefusal | None
) -> tuple[dict[str, str], bytes]:
    """The headers and the content of a refusal: a page for a browser, if the application has pages."""
    status = request.status
    headers, content = (None if page is None else page(request)) or (
        {
            "content-type": PROBLEM_JSON,
            **{name.decode(): value.decode() for name, value in (*ALWAYS, NO_PAGE)},
        },
        msgspec.json.encode(Problem(REASONS[status], status, detail, code)),
    )
    later = {"retry-after": str(retry_seconds())}
    return {**headers, "content-length": str(len(content)), **(later if status in TO_TRY_AGAIN else {})}, content


def _is_within(host: str, networks: Sequence[str]) -> bool:
    address = ip_address(host.partition("%")[0])
    return any(address in ip_network(network) for network in networks)


def _count_one_less(counts: Counter[str], address: str) -> None:
    """And forget who has none left."""
    counts[address] -= 1
    if not counts[address]:
        del counts[address]
