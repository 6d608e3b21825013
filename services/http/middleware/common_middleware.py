"""Middleware around every request and response, by either route."""

import base64
import re
from collections.abc import Awaitable
from hashlib import sha256
from typing import Any

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from services.http.middleware.accept_language import preferred_language
from services.http.middleware.host_header import names_a_host
from services.http.problems import UNREADABLE, HungUp, problem
from services.runtime.reader_language import begin_reading

ALWAYS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
]
SAID_ALWAYS = frozenset(name for name, _ in ALWAYS)
WATCHED = "/watch/"
"""The beginning of the paths that are read by a watching link: search engines list nothing there."""
UNLISTED = (b"x-robots-tag", b"noindex")
NO_PAGE = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
PAGE = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Swagger UI styles its own elements, and brings its icons as data."""
INLINE = re.compile(rb"<script(?: type='text/javascript')?>(.*?)</script>", re.DOTALL)


class Envelope:
    """Says with every answer what a browser may do with it, which is little, and answers in its reader's language.

    An answer that says of itself what a browser may do with it, as a page does, is left at that.

    A request whose `Host` is none is answered here: any handler inside may ask for its own address.

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

        def send_guarded(message: Any) -> Awaitable[None]:
            nonlocal page
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                names = {name.lower() for name, _ in headers}
                always = (
                    ALWAYS if names.isdisjoint(SAID_ALWAYS) else [own for own in ALWAYS if own[0] not in names]
                )
                message = {**message, "headers": [*headers, *always]}
                if scope["path"].startswith(WATCHED):
                    message["headers"].append(UNLISTED)
                if NO_PAGE[0] not in names:
                    if _is_page(message):
                        page = message  # its policy names the scripts in it, which come with the body
                        return _nothing()
                    message["headers"].append(NO_PAGE)
            elif page is not None:
                head, page = page, None
                return _send_page(head, message, send)
            return send(message)

        rest = self._rest if names_a_host(scope) else _unreadable
        await rest(scope, receive_or_stop, send_guarded)


async def _nothing() -> None:
    """Sends nothing yet."""


async def _send_page(head: Any, body: Any, send: Send) -> None:
    head["headers"].append((b"content-security-policy", _policy(body.get("body", b""))))
    await send(head)
    await send(body)


async def _unreadable(scope: Scope, receive: Receive, send: Send) -> None:
    refusal = problem(400, "malformed", UNREADABLE)
    await refusal.to_asgi_response(None, Request(scope))(scope, receive, send)


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
    return PAGE.format(scripts="".join(f" 'sha256-{digest}'" for digest in hashes)).encode()
