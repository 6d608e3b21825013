"""Answers that have not changed are not sent again, and the others are compressed where that is asked for."""

import asyncio
import gzip
import zlib
from collections.abc import Awaitable
from hashlib import blake2b
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

AS_THEY_ARE = ("/static/", "/health/", "/metrics")
"""Paths whose answers say themselves how long they hold, or are read once."""
TEXTS = (
    b"application/json",
    b"application/problem+json",
    b"application/vnd.oai.openapi",
    b"application/x-ndjson",
    b"text/calendar",
    b"text/csv",
    b"text/html",
    b"text/plain",
)
"""Never `text/event-stream`: a compressor holds events back until it has some kilobytes."""
BYTES_MIN = 1024
"""Less is sent as it is: it fits one packet anyway."""
BYTES_MAX_AT_ONCE = 65_536
"""More is compressed in a thread, while others are answered."""
LEVEL = 1
"""The quickest: a fifth larger than the default, in a third of the time."""

KEPT = [
    (b"cache-control", b"private, no-cache"),
    (b"vary", b"Accept-Encoding, Accept-Language, Authorization, Cookie"),
]
"""Clients may keep an answer, and ask each time whether it still holds."""
GZIP = 16 + zlib.MAX_WBITS
"""The format by zlib's number."""


class CompactAnswers:
    """Gives answers an `ETag`, answers 304 to clients that have it, and compresses texts for those that take gzip.

    The tag is weak, since a text is the same compressed or not. An answer in pieces has none: its end is not
    known when it begins. One that no proxy may hold back is compressed piece by piece. Requests other than GET
    pass by.
    """

    def __init__(self, rest: ASGIApp) -> None:
        self._rest = rest

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "GET" or scope["path"].startswith(AS_THEY_ARE):
            return self._rest(scope, receive, send)
        return self._rest(scope, receive, _Answer(dict(scope["headers"]), send))


class _Answer:
    """One answer on its way out. The head of a text that says how long it is waits for the whole of it."""

    def __init__(self, headers: dict[bytes, bytes], send: Send) -> None:
        self._headers = headers
        self._send = send
        self._head: Any = None
        self._packing: Any = None
        self._goes_at_once = False

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            await self._begin(message)
            return
        if self._head is not None:
            head, self._head = self._head, None
            if not message.get("more_body", False):
                head, message = await self._whole(head, message.get("body", b""))
            await self._send(head)
        await self._send(message if self._packing is None else self._pack(message))

    async def _begin(self, head: Any) -> None:
        is_text = _header(head, b"content-type").startswith(TEXTS)
        if is_text and _header(head, b"content-length"):
            self._head = head
            return
        if is_text and takes_gzip(self._headers):
            self._packing = zlib.compressobj(LEVEL, wbits=GZIP)
            self._goes_at_once = _header(head, b"x-accel-buffering") == b"no"
            headers = [header for header in KEPT if not _header(head, header[0])]
            head = _with(head, (b"content-encoding", b"gzip"), *headers)
        await self._send(head)

    async def _whole(self, head: Any, body: bytes) -> tuple[Any, Any]:
        """Head and body of an answer that is all here."""
        if head["status"] == 200 and not _header(head, b"etag"):  # noqa: PLR2004
            tag = b'W/"%b"' % blake2b(body, digest_size=12).hexdigest().encode()
            head = _with(head, (b"etag", tag), *KEPT)
            if is_known(self._headers, head):
                return unchanged(head), {"type": "http.response.body", "body": b""}
        if len(body) >= BYTES_MIN and takes_gzip(self._headers):
            if len(body) > BYTES_MAX_AT_ONCE:
                body = await asyncio.to_thread(gzip.compress, body, LEVEL)
            else:
                body = gzip.compress(body, LEVEL)
            length = (b"content-length", b"%d" % len(body))
            head = _with(head, (b"content-encoding", b"gzip"), length, without=(b"content-length",))
        return head, {"type": "http.response.body", "body": body}

    def _pack(self, message: Any) -> Any:
        body = self._packing.compress(message.get("body", b""))
        if not message.get("more_body", False):
            body += self._packing.flush()
        elif self._goes_at_once:
            body += self._packing.flush(zlib.Z_SYNC_FLUSH)
        return {**message, "body": body}


def _header(head: Any, wanted: bytes) -> bytes:
    """The value of a header, empty if there is none."""
    value: bytes = next((value for name, value in head["headers"] if name.lower() == wanted), b"")
    return value


def _with(head: Any, *more: tuple[bytes, bytes], without: tuple[bytes, ...] = ()) -> Any:
    """A head with more headers, or with fewer."""
    headers = [header for header in head["headers"] if header[0].lower() not in without]
    return {**head, "headers": [*headers, *more]}


def _has(tags: bytes, tag: bytes) -> bool:
    """Whether an `If-None-Match` names a tag, weak or strong."""
    bare_tag = tag.removeprefix(b"W/")
    return any(other.strip().removeprefix(b"W/") in (bare_tag, b"*") for other in tags.split(b","))


def is_known(headers: dict[bytes, bytes], head: Any) -> bool:
    """Whether who asks has what an answer with this head brings."""
    tag = _header(head, b"etag")
    return tag != b"" and _has(headers.get(b"if-none-match", b""), tag)


def unchanged(head: Any) -> Any:
    """The head that says that what its reader has still holds."""
    rest = _with(head, without=(b"content-type", b"content-length", b"content-encoding"))
    return {**rest, "status": 304}


def takes_gzip(headers: dict[bytes, bytes]) -> bool:
    """Whether who asks takes an answer compressed."""
    for encoding in headers.get(b"accept-encoding", b"").split(b","):
        coding, _, quality = encoding.strip().partition(b";")
        if coding.strip() in (b"gzip", b"*"):
            return quality.strip().removeprefix(b"q=").rstrip(b"0.") != b"" or not quality
    return False
