"""Gives each request an id, tells it in `X-Request-Id`, and logs a line of each request where that is wanted."""

from collections.abc import Awaitable
from time import perf_counter
from typing import Any

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from services.http.logged_path import place
from services.runtime.request_id import begin_request

HEADER = b"x-request-id"

log_line = structlog.get_logger("fieldlog.requests")


class RequestLog:
    """Stands around what answers. A line tells no query, no address, and of a path words, numbers and ids."""

    def __init__(self, rest: ASGIApp, *, is_written: bool) -> None:
        self._rest = rest
        self._is_written = is_written

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP:
            await self._rest(scope, receive, send)
            return
        began, own_id, status = perf_counter(), begin_request(), 0

        def send_named(message: Any) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, own_id.encode())]}
            return send(message)

        try:
            await self._rest(scope, receive, send_named)
        finally:
            if self._is_written:
                log_line.info(
                    "request",
                    id=own_id,
                    method=scope["method"],
                    path=place(scope),
                    status=status,
                    milliseconds=round((perf_counter() - began) * 1000, 1),
                )
