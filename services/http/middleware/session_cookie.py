"""The cookie of a browser's session: which one it is, and how it is set and cleared.

Over HTTPS its name begins with `__Host-`: no other host, and no page over plain HTTP, can set it. Its path must be
`/` then; the base path at the end of its name tells it from the cookie of another service on the same host.
"""

import re
from dataclasses import replace

from litestar.datastructures import Cookie
from litestar.types import Scope

from domain.accounts import SESSION_LONGEST
from services.accounts.authentication import SESSION_PREFIX
from services.runtime.base_path import base_path

NAME = "fieldlog_session"
SECURE = "__Host-"
SECRET = re.compile(f"{SESSION_PREFIX}[A-Za-z0-9_-]{{43}}")


def cookie_name(base: str) -> str:
    """The name of the cookie over plain HTTP, of a service below that path."""
    return NAME + base.replace("/", ".")


def session_secret(scope: Scope) -> str | None:
    """The secret in a request's cookie, valid or not; None: there is none.

    Where the request came over plain HTTP, a proxy may have taken HTTPS off it: there both names count.
    """
    own = cookie_name(base_path())
    names = (SECURE + own,) if _is_https(scope) else (SECURE + own, own)
    cookies = _cookies(scope)
    secrets = (cookies[name] for name in names if name in cookies)
    return next((secret for secret in secrets if SECRET.fullmatch(secret)), None)


def _cookies(scope: Scope) -> dict[str, str]:
    """The cookies of a request, by names exactly as they were sent.

    Litestar strips whatever Python takes for a blank. Another host's page can set a cookie whose name begins with
    such a byte and goes on with `__Host-`: for a browser it has no such prefix.
    """
    header = b";".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    pairs = (pair.strip(" \t").partition("=") for pair in header.split(";")) if header else ()
    return {name: value for name, _, value in pairs}


def session_cookie(scope: Scope, secret: str, *, is_shared: bool = False) -> Cookie:
    """The cookie for a session that begins. The browser keeps it a year, the service may end it earlier.

    `is_shared`: the browser keeps it until it is closed.
    """
    is_secure = _is_https(scope) or _is_page_https(scope)
    return _cookie(
        secret, is_secure=is_secure, seconds=None if is_shared else int(SESSION_LONGEST.total_seconds())
    )


def documented_cookie() -> Cookie:
    """The cookie as the OpenAPI document shows it."""
    return Cookie(key=NAME, documentation_only=True, description="The session's secret, for no script to read.")


def documented_clearing() -> list[Cookie]:
    """The header that makes a browser forget its session, as the OpenAPI document shows it."""
    return [replace(cookie, documentation_only=True) for cookie in cleared_cookies()]


def cleared_cookies() -> list[Cookie]:
    """The header that makes a browser forget its session."""
    return [_cookie("", is_secure=is_secure, seconds=0) for is_secure in (True, False)]


def _cookie(secret: str, *, is_secure: bool, seconds: int | None) -> Cookie:
    name = cookie_name(base_path())
    return Cookie(
        key=SECURE + name if is_secure else name,
        value=secret,
        path="/",
        max_age=seconds,
        httponly=True,
        secure=is_secure,
        samesite="lax",
    )


def _is_https(scope: Scope) -> bool:
    return scope["scheme"] == "https"


def _is_page_https(scope: Scope) -> bool:
    """Whether the browser says that its page came over HTTPS, which a proxy may have taken off."""
    return any(name == b"origin" and value.startswith(b"https://") for name, value in scope["headers"])
