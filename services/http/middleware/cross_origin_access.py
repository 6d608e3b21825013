"""Lets pages of other sites that are named use the API: with a token of their own, never with a cookie."""

from collections.abc import Collection
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from services.settings import origin_of

API = "/api/"
SENT = b"Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE"
READABLE = b"Content-Disposition, ETag, Retry-After, X-Request-Id"
KEPT_SECONDS = b"600"
VARY = (b"vary", b"Origin")


class CrossOrigin:
    """Answers what browsers ask before they send something of a page from elsewhere, and says what it may read.

    `Access-Control-Allow-Credentials` is never said, so that a browser keeps an answer to a cookie for itself.
    """

    def __init__(self, rest: ASGIApp, origins: Collection[str]) -> None:
        self._rest = rest
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP or not scope["path"].startswith(API):
            await self._rest(scope, receive, send)
            return
        request_headers: dict[bytes, bytes] = dict(scope["headers"])
        origin = request_headers.get(b"origin", b"")
        is_known = origin_of(origin.decode("latin-1")) in self._origins
        allowed = [(b"access-control-allow-origin", origin)] if is_known else []
        if is_known and scope["method"] == "OPTIONS" and b"access-control-request-method" in request_headers:
            headers = [
                *allowed,
                (b"access-control-allow-methods", METHODS),
                (b"access-control-allow-headers", SENT),
                (b"access-control-max-age", KEPT_SECONDS),
                VARY,
            ]
            await send({"type": "http.response.start", "status": 204, "headers": headers})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        if is_known:
            allowed.append((b"access-control-expose-headers", READABLE))

        async def send_allowed(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *allowed, VARY]}
            await send(message)

        await self._rest(scope, receive, send_allowed)
