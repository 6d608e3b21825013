"""Middleware around every request and response, by either route."""

import base64
import re
from hashlib import sha256
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from services.api.accept_language import preferred_language
from services.api.problems import HungUp
from services.runtime.reader_language import begin_reading

ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
]
NO_PAGE = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
PAGE = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Swagger UI styles its own elements, and brings its icons as data."""
INLINE = re.compile(rb"<script(?: type='text/javascript')?>(.*?)</script>", re.DOTALL)


class Envelope:
    """Says with every answer what a browser may do with it, which is little, and answers in its reader's language.

    An answer that says of itself what a browser may do with it, as a page of `services.web` does, is left at that.

    A client that hangs up in the middle of its request is no failure of the service.
    """

    def __init__(self, rest: ASGIApp) -> None:
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP:
            await self._rest(scope, receive, send)
            return
        begin_reading(_understood(scope))
        whole = False

        async def receive_or_stop() -> Any:
            nonlocal whole
            message: Any = await receive()
            if message["type"] == "http.disconnect" and not whole:
                raise HungUp
            whole = whole or not message.get("more_body", False)
            return message

        page: Any = None

        async def send_guarded(message: Any) -> None:
            nonlocal page
            if message["type"] == "http.response.start":
                said = list(message.get("headers", ()))
                names = {name.lower() for name, _ in said}
                message = {**message, "headers": [*said, *(each for each in ALWAYS if each[0] not in names)]}
                if NO_PAGE[0] not in names:
                    if _is_page(message):
                        page = message  # its policy names the scripts in it, which come with the body
                        return
                    message["headers"].append(NO_PAGE)
            elif page is not None:
                page["headers"].append((b"content-security-policy", _policy(message.get("body", b""))))
                await send(page)
                page = None
            await send(message)

        await self._rest(scope, receive_or_stop, send_guarded)


def _understood(scope: Scope) -> str | None:
    """The language that the client asks for."""
    accepted = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    return preferred_language(accepted.decode("latin-1")) if accepted else None


def _is_page(start: Any) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in start["headers"]
    )


def _policy(page: bytes) -> bytes:
    hashes = [base64.b64encode(sha256(script).digest()).decode() for script in INLINE.findall(page)]
    return PAGE.format(scripts="".join(f" 'sha256-{each}'" for each in hashes)).encode()
