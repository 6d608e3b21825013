"""Refuses what needs the database while that is known to be away, before anything of a request is read.

Thousands of clients that ask again and again must not keep the event loop from the answer that ends the outage.
"""

from collections.abc import Awaitable
from functools import cache

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send
from prometheus_client import Counter

from domain.event_store_types import DatabaseUnavailable
from domain.sentences import ENGLISH
from services.application import Application
from services.http.middleware.accept_language import preferred_language
from services.http.middleware.common_middleware import ALWAYS, NO_PAGE
from services.http.problems import DATABASE_AWAY, PROBLEM_JSON, problem, retry_seconds
from services.runtime.reader_language import begin_reading

NEEDING = ("/api/campaigns", "/api/accounts", "/api/tokens", "/api/session", "/api/invites", "/api/calendars")
"""The beginnings of the paths that cannot be answered without the database."""

REFUSED = Counter("fieldlog_requests_refused", "Requests refused at once while the database is known to be away")


class OutageGate:
    """Stands around the API. The refusal is the same for everybody but for its language."""

    def __init__(self, rest: ASGIApp) -> None:
        self._rest = rest

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """One ASGI request."""
        if scope["type"] != ScopeType.HTTP or not scope["path"].startswith(NEEDING) or not _is_away(scope):
            return self._rest(scope, receive, send)
        return _refuse(scope, send)


async def _refuse(scope: Scope, send: Send) -> None:
    content = _content(_language(scope))
    headers = [
        *ALWAYS,
        NO_PAGE,
        (b"content-type", PROBLEM_JSON.encode()),
        (b"content-length", b"%d" % len(content)),
        (b"retry-after", b"%d" % retry_seconds()),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": content, "more_body": False})


def _is_away(scope: Scope) -> bool:
    """Whether the database is known to be away; counts the request if it is."""
    application: Application = scope["litestar_app"].state.application
    if not application.database.is_away():
        return False
    application.database.missed(DatabaseUnavailable("PostgreSQL is known to be away"))
    REFUSED.inc()
    return True


def _language(scope: Scope) -> str:
    accepted = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    return preferred_language(accepted.decode("latin-1")) or ENGLISH


@cache
def _content(language: str) -> bytes:
    begin_reading(language)
    return problem(503, "database_away", DATABASE_AWAY).content
