"""The rights of a page of ours in a browser: load its parts from here, and nothing else.

Every page sends `page_headers`, also one that answers a failure; the envelope around all answers leaves them as
they are.
"""

from litestar.types import Scope

from services.http.middleware.common_middleware import WATCHED

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""No script or style inside a page, no other host; drawings are SVG in the page or files of ours."""

WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
"""The rights of a script of ours as a worker, which has a policy of its own: it may ask the service."""

PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

PAGE_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""No other site learns a page's address, which may hold an invite's code.

Not `no-referrer`: browsers then say of a form's page that its origin is `null`, and its cookie changes nothing.
"""

WATCHED_HEADERS = {"Referrer-Policy": "no-referrer"}
"""The address of a page that is watched is all that one needs to read it, and no form is sent from there."""

OPENER_POLICY = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Browsers heed it only where they trust the connection, and complain of it elsewhere."""


def page_headers(scope: Scope) -> dict[str, str]:
    """The headers of a page that answers a request."""
    headers = {**PAGE_HEADERS, **OPENER_POLICY} if is_trusted(scope) else PAGE_HEADERS
    return {**headers, **WATCHED_HEADERS} if scope["path"].startswith(WATCHED) else headers


def is_trusted(scope: Scope) -> bool:
    """Whether the browser trusts the connection: it is HTTPS, or goes to the browser's own machine.

    `Sec-Fetch-*` is sent to such places only, and also where a proxy takes HTTPS off the request.
    """
    return scope["scheme"] == "https" or any(name.startswith(b"sec-fetch-") for name, _ in scope["headers"])
