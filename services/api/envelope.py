"""What is the same around every request, whichever way it is answered."""

from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from services.api.problems import HungUp


class Envelope:
    """Lets a client hang up in the middle of its request, which is no fault of the service."""

    def __init__(self, rest: ASGIApp) -> None:
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP:
            await self._rest(scope, receive, send)
            return
        whole = False

        async def receive_or_stop() -> Any:
            nonlocal whole
            message: Any = await receive()
            if message["type"] == "http.disconnect" and not whole:
                raise HungUp
            whole = whole or not message.get("more_body", False)
            return message

        await self._rest(scope, receive_or_stop, send)
