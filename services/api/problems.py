"""The one table from what went wrong to what HTTP says about it.

Every refusal is `application/problem+json` with a stable `code`; where a rule of a rulebook refused, `rule`
names it. Statuses: 400 malformed, 401 not signed in, 403 not allowed, 404 not there (or none of yours), 409
made for another state, 413 too large, 422 a rule says no, 429 too many at once, 503 it cannot be served now.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from domain.dice import DiceMismatch
from domain.event_store_types import DatabaseUnavailable
from domain.rejection import Forbidden, Missing, Rejection, Stale
from services.accounts.authentication import WrongNameOrPassword
from services.application import Application
from services.errors import BROKEN, RateLimitExceeded
from services.queries.live_feed import TooManyFeeds
from services.runtime.readiness import NotReady

PROBLEM_JSON = "application/problem+json"
RETRY_SECONDS = 1

STATUS_BY_KIND: tuple[tuple[type[Rejection], int], ...] = (
    (Forbidden, 403),
    (Missing, 404),
    (Stale, 409),
    (Rejection, 422),
)

CODE_BY_STATUS = {
    400: "malformed",
    401: "not_signed_in",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
}

TITLE_BY_STATUS = {
    400: "The request cannot be read",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Made for another state",
    413: "Too large",
    415: "Not JSON",
    422: "The rules say no",
    429: "Too many at once",
    500: "Something broke on our side",
    503: "Not available now",
}

log = structlog.get_logger("fieldlog.api")


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refusal, as RFC 9457 shapes it, with the project's `code`, `rule` and `details`."""

    title: str
    status: int
    detail: str
    code: str
    rule: str = ""
    details: dict[str, Any] = {}


class Malformed(Exception):  # noqa: N818 — worded like its problem code
    """The request cannot be read; the message says where and why."""


class HungUp(Exception):  # noqa: N818 — it states what is the case
    """The client ended its request before its body did; nobody reads the answer."""


class NotSignedIn(Exception):  # noqa: N818 — worded like its problem code
    """No token came, or one that is not valid (any more)."""


def problem(status: int, code: str, detail: str, rule: str = "", **details: Any) -> Response[bytes]:
    """A problem as a response."""
    title = TITLE_BY_STATUS.get(status, "The request was refused")
    headers = {}
    if status == 401:  # noqa: PLR2004 — the numbers of HTTP are their own names
        headers["WWW-Authenticate"] = "Bearer"
    if status == 503:  # noqa: PLR2004
        headers["Retry-After"] = str(RETRY_SECONDS)
    content = msgspec.json.encode(Problem(title, status, detail, code, rule, details))
    return Response(content, status_code=status, media_type=PROBLEM_JSON, headers=headers)


def _rejected(_: Request[Any, Any, Any], refusal: Rejection) -> Response[bytes]:
    status = next(status for kind, status in STATUS_BY_KIND if isinstance(refusal, kind))
    return problem(status, refusal.code, str(refusal.message), refusal.rule, **refusal.details)


def _malformed(_: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    return problem(400, "malformed", str(failure))


def _hung_up(_: Request[Any, Any, Any], __: HungUp) -> Response[bytes]:
    return problem(400, "malformed", "The request ended before its body did.")


def _not_signed_in(_: Request[Any, Any, Any], failure: NotSignedIn) -> Response[bytes]:
    return problem(401, "not_signed_in", str(failure))


def _wrong_name_or_password(_: Request[Any, Any, Any], __: WrongNameOrPassword) -> Response[bytes]:
    return problem(401, "wrong_name_or_password", "That name and password do not go together.")


def _too_many_feeds(_: Request[Any, Any, Any], failure: TooManyFeeds) -> Response[bytes]:
    return problem(429, "too_many_feeds", str(failure))


def _too_often(_: Request[Any, Any, Any], failure: RateLimitExceeded) -> Response[bytes]:
    refusal = problem(429, failure.code, str(failure))
    refusal.headers["Retry-After"] = str(failure.seconds)
    return refusal


def _database_away(request: Request[Any, Any, Any], failure: DatabaseUnavailable) -> Response[bytes]:
    application: Application = request.app.state.application
    application.database.missed(failure)
    return problem(
        503,
        "database_away",
        "The database cannot be used now. If you were acting, ask again with the same Idempotency-Key.",
    )


def _not_ready(_: Request[Any, Any, Any], failure: NotReady) -> Response[bytes]:
    return problem(503, failure.code, str(failure))


def _invalid(_: Request[Any, Any, Any], failure: ValidationException) -> Response[bytes]:
    """A parameter of the path, query or headers that is not what it should be."""
    extra = failure.extra if isinstance(failure.extra, list) else []
    if any(item.get("message") == "'data'" for item in extra):  # what Litestar says where no body came
        return problem(400, "malformed", "The request has no body: send JSON.")
    wrong = "; ".join(f"{item.get('key', 'request')}: {item.get('message', '')}" for item in extra)
    return problem(400, "malformed", wrong or failure.detail)


def _http(_: Request[Any, Any, Any], failure: HTTPException) -> Response[bytes]:
    status = failure.status_code
    if status >= 500:  # noqa: PLR2004
        return _broken(_, failure)
    return problem(status, CODE_BY_STATUS.get(status, "refused"), failure.detail or "The request was refused.")


def _broken(request: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    log.error("request_broke", method=request.method, path=request.url.path, exc_info=failure)
    return problem(500, "internal", str(BROKEN))


HANDLERS: dict[type[Exception], Callable[[Request[Any, Any, Any], Any], Response[bytes]]] = {
    Rejection: _rejected,
    DiceMismatch: _rejected,
    Malformed: _malformed,
    HungUp: _hung_up,
    msgspec.ValidationError: _malformed,
    msgspec.DecodeError: _malformed,
    UnicodeDecodeError: _malformed,
    RecursionError: _malformed,
    NotSignedIn: _not_signed_in,
    WrongNameOrPassword: _wrong_name_or_password,
    TooManyFeeds: _too_many_feeds,
    RateLimitExceeded: _too_often,
    DatabaseUnavailable: _database_away,
    NotReady: _not_ready,
    ValidationException: _invalid,
    HTTPException: _http,
    Exception: _broken,
}


def problem_response(request: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    """The problem that a failure is, by the nearest kind in the table."""
    kind = next(kind for kind in type(failure).__mro__ if kind in HANDLERS)
    return HANDLERS[kind](request, failure)
