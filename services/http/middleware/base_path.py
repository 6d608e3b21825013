"""Lets the service lie below a path of its host: `https://fieldlog.example/games`."""

from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from services.runtime.base_path import below, within


class BasePath:
    """Takes the base path off a request's path, and puts it before the addresses in an answer.

    A request without it is answered alike: some proxies take it off, and on its own machine it means nothing.
    """

    def __init__(self, rest: ASGIApp, base: str) -> None:
        self._rest = rest
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP:
            await self._rest(scope, receive, send)
            return

        async def send_placed(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*map(self._placed, message.get("headers", ()))]}
            await send(message)

        if scope["path"] == self._base:  # browsers keep pages and cookies below it, and so must the first page lie
            headers = [(b"location", self._base.encode() + b"/"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 308, "headers": headers})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        with below(self._base):
            await self._rest({**scope, "path": within(self._base, scope["path"])}, receive, send_placed)

    def _placed(self, header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        name, value = header
        leads = name.lower() == b"location" and value.startswith(b"/")
        return (name, self._base.encode() + value) if leads else header
