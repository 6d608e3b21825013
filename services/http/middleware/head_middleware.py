"""Answers HEAD like GET, without the body; and the check that bodies are JSON."""

from collections.abc import Awaitable
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from domain.sentences import say
from services.http.problems import NotJson

JSON_TYPES = ("application/json", "application/problem+json")


class HeadLikeGet:
    """Handles HEAD as GET and sends only the headers. A live feed ends as soon as it has them.

    It stands around all middleware that reads bodies in order to write headers.
    """

    def __init__(self, rest: ASGIApp) -> None:
        self._rest = rest

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            return self._rest(scope, receive, send)
        return self._answer(scope, send)

    async def _answer(self, scope: HTTPScope, send: Send) -> None:
        messages: list[Any] = [
            {"type": "http.request", "body": b"", "more_body": False},
            {"type": "http.disconnect"},
        ]

        async def nothing_more() -> Any:
            return messages.pop(0) if len(messages) > 1 else messages[0]

        async def head_only(message: Any) -> None:
            if message["type"] == "http.response.start":
                await send(message)

        await self._rest({**scope, "method": "GET"}, nothing_more, head_only)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def require_json(content_type: str) -> None:
    """Raise `NotJson` for another content type than JSON."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind and kind not in JSON_TYPES and not kind.endswith("+json"):
        raise NotJson(say("Bodies are JSON: send Content-Type: application/json, not {kind}.", kind=kind[:80]))
