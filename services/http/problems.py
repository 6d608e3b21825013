"""The one table from failures to HTTP responses.

Every refusal is `application/problem+json` with a stable `code`; if a rule of a rulebook refused, `rule` names it.
Statuses: 400 malformed, 401 not signed in, 403 not allowed, 404 not found (or not yours), 409 made for another
state, 413 too large, 422 a rule refuses, 429 too many requests, 503 not available now.
"""

from collections.abc import Callable, Sequence
from random import randint
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException

from domain.dice import DiceMismatch
from domain.event_store_types import DatabaseBusy, DatabaseUnavailable
from domain.rejection import Forbidden, Missing, Rejection, Stale
from domain.sentences import ENGLISH, Sentence, say
from projections.languages import all_rendered
from services.accounts.authentication import WrongNameOrPassword
from services.application import Application
from services.errors import BROKEN, BadQuery, Malformed, Overloaded, RateLimitExceeded
from services.http.logged_path import place
from services.reading.live_feed import TooManyFeeds
from services.runtime.reader_language import reader_language, told_to_reader
from services.runtime.readiness import NotReady
from services.runtime.request_id import request_id

PROBLEM_JSON = "application/problem+json"
RETRY_SECONDS_MIN, RETRY_SECONDS_MAX = 1, 3
"""A 503 asks each client to wait another number of seconds, so that not all of them come back at once."""

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
    400: say("The request cannot be read"),
    401: say("Not signed in"),
    403: say("Not allowed"),
    404: say("Not found"),
    405: say("Method not allowed"),
    409: say("Made for another state"),
    413: say("Too large"),
    415: say("Not JSON"),
    422: say("The rules say no"),
    429: say("Too many at once"),
    500: say("Something broke on our side"),
    503: say("Not available now"),
}
REFUSED = say("The request was refused")
"""The title of any other status."""

UNREADABLE = say("The request cannot be read.")
DETAIL_BY_STATUS = {
    400: UNREADABLE,
    404: say("There is nothing at this address."),
    405: say("This address does not take that method."),
    413: say("The body is larger than this service takes."),
}
"""The refusal where no route was asked."""
REFUSED_DETAIL = say("The request was refused.")
DATABASE_AWAY = say(
    "The database cannot be used now. If you were acting, ask again with the same Idempotency-Key."
)
OVERLOADED = say(
    "The service has more to do than it can. If you were acting, ask again with the same Idempotency-Key."
)

log = structlog.get_logger("fieldlog.api")


class FaultView(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong with a request, and what may be sent there.

    `pointer` is a JSON pointer into the body, `parameter` one of the query, `header` a header's name. `sent` is
    what came there, as JSON and shortened; left out where it may be secret, or nothing came.
    """

    code: str
    allowed: str
    pointer: str | msgspec.UnsetType = msgspec.UNSET
    parameter: str | msgspec.UnsetType = msgspec.UNSET
    header: str | msgspec.UnsetType = msgspec.UNSET
    sent: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def place(self) -> str | Sentence:
        """Where it is, for a sentence."""
        return self.parameter or self.header or self.pointer or say("The body")


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refusal, as RFC 9457 shapes it, with the project's `code`, `rule` and `details`.

    `errors` are all faults of a request that cannot be read, up to 50.
    """

    title: str
    status: int
    detail: str
    code: str
    rule: str = ""
    details: dict[str, Any] = {}
    errors: list[FaultView] = []


class NotJson(Malformed):
    """The body is of another media type than JSON."""


class Misshapen(Malformed):
    """A request is not of the shape that is wanted; `errors` are its faults."""

    def __init__(self, message: Sentence, errors: list[FaultView]) -> None:
        super().__init__(message)
        self.errors = errors


class NoAnswerInTime(Exception):  # noqa: N818 — it states what is the case
    """The application did not begin to answer within its time limit."""


class HungUp(Exception):  # noqa: N818 — it states what is the case
    """The client disconnected before the end of its request; the answer is not read."""


class NotSignedIn(Exception):  # noqa: N818 — worded like its problem code
    """The request has neither a token nor a session, or one that is not valid."""

    def __init__(self, message: str | Sentence) -> None:
        super().__init__(message)
        self.message = message


def retry_seconds() -> int:
    """After how many seconds a client that was refused for now may ask again: another number for each."""
    return randint(RETRY_SECONDS_MIN, RETRY_SECONDS_MAX)  # noqa: S311 — no secret


def problem(
    status: int,
    code: str,
    message: str | Sentence,
    rule: str = "",
    errors: Sequence[FaultView] = (),
    **details: Any,
) -> Response[bytes]:
    """A problem as a response, in the language of the reader unless a campaign has told it already."""
    title, detail = told_to_reader(TITLE_BY_STATUS.get(status, REFUSED)), told_to_reader(message)
    headers = {}
    if status == 401:  # noqa: PLR2004 — the numbers of HTTP are their own names
        headers["WWW-Authenticate"] = "Bearer"
    if status == 503:  # noqa: PLR2004
        headers["Retry-After"] = str(retry_seconds())
    rendered_details = all_rendered(details, reader_language() or ENGLISH)
    content = msgspec.json.encode(Problem(title, status, detail, code, rule, rendered_details, list(errors)))
    return Response(content, status_code=status, media_type=PROBLEM_JSON, headers=headers)


def _rejected(_: Request[Any, Any, Any], refusal: Rejection) -> Response[bytes]:
    status = next(status for kind, status in STATUS_BY_KIND if isinstance(refusal, kind))
    return problem(status, refusal.code, refusal.message, refusal.rule, **refusal.details)


def _malformed(_: Request[Any, Any, Any], failure: Malformed) -> Response[bytes]:
    return problem(400, "malformed", failure.message)


def _misshapen(_: Request[Any, Any, Any], failure: Misshapen) -> Response[bytes]:
    return problem(400, "malformed", failure.message, errors=failure.errors)


def _unreadable(_: Request[Any, Any, Any], __: Exception) -> Response[bytes]:
    return problem(400, "malformed", UNREADABLE)


def _bad_query(_: Request[Any, Any, Any], failure: BadQuery) -> Response[bytes]:
    return problem(400, failure.code, failure.message, **failure.details)


def _not_json(_: Request[Any, Any, Any], failure: NotJson) -> Response[bytes]:
    return problem(415, "unsupported_media_type", failure.message)


def _hung_up(_: Request[Any, Any, Any], __: HungUp) -> Response[bytes]:
    return problem(400, "malformed", say("The request ended before its body did."))


def _not_signed_in(_: Request[Any, Any, Any], failure: NotSignedIn) -> Response[bytes]:
    return problem(401, "not_signed_in", failure.message)


def _wrong_name_or_password(_: Request[Any, Any, Any], __: WrongNameOrPassword) -> Response[bytes]:
    return problem(401, "wrong_name_or_password", say("That name and password do not go together."))


def _too_many_feeds(_: Request[Any, Any, Any], failure: TooManyFeeds) -> Response[bytes]:
    return problem(429, "too_many_feeds", failure.message)


def _too_often(_: Request[Any, Any, Any], failure: RateLimitExceeded) -> Response[bytes]:
    refusal = problem(429, failure.code, failure.message)
    refusal.headers["Retry-After"] = str(failure.seconds)
    return refusal


def _database_away(request: Request[Any, Any, Any], failure: DatabaseUnavailable) -> Response[bytes]:
    application: Application = request.app.state.application
    application.database.missed(failure)
    return problem(503, "database_away", DATABASE_AWAY)


def _busy(request: Request[Any, Any, Any], failure: DatabaseBusy) -> Response[bytes]:
    """The refusal of a request that waited too long; if the database is known to be away, for that reason."""
    application: Application = request.app.state.application
    if application.database.is_away():
        return _database_away(request, failure)
    application.database.missed(failure)
    return problem(503, "overloaded", OVERLOADED)


def _overloaded(_: Request[Any, Any, Any], __: Overloaded) -> Response[bytes]:
    return problem(503, "overloaded", OVERLOADED)


def _late(_: Request[Any, Any, Any], __: NoAnswerInTime) -> Response[bytes]:
    sentence = say(
        "The service did not answer in time. If you were acting, ask again with the same Idempotency-Key."
    )
    return problem(503, "no_answer_in_time", sentence)


def _not_ready(_: Request[Any, Any, Any], failure: NotReady) -> Response[bytes]:
    return problem(503, failure.code, failure.message)


def _http(_: Request[Any, Any, Any], failure: HTTPException) -> Response[bytes]:
    """Litestar's refusals, in words of our own."""
    status = failure.status_code
    if status >= 500:  # noqa: PLR2004
        return _broken(_, failure)
    return problem(status, CODE_BY_STATUS.get(status, "refused"), DETAIL_BY_STATUS.get(status, REFUSED_DETAIL))


def _broken(request: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    own_id = request_id()
    log.error("request_broke", id=own_id, method=request.method, path=place(request.scope), exc_info=failure)
    return problem(500, "internal", BROKEN, request=own_id)


HANDLERS: dict[type[Exception], Callable[[Request[Any, Any, Any], Any], Response[bytes]]] = {
    Rejection: _rejected,
    DiceMismatch: _rejected,
    BadQuery: _bad_query,
    Misshapen: _misshapen,
    NotJson: _not_json,
    Malformed: _malformed,
    HungUp: _hung_up,
    msgspec.ValidationError: _unreadable,
    msgspec.DecodeError: _unreadable,
    UnicodeDecodeError: _unreadable,
    RecursionError: _unreadable,
    NotSignedIn: _not_signed_in,
    WrongNameOrPassword: _wrong_name_or_password,
    TooManyFeeds: _too_many_feeds,
    RateLimitExceeded: _too_often,
    DatabaseUnavailable: _database_away,
    DatabaseBusy: _busy,
    Overloaded: _overloaded,
    NotReady: _not_ready,
    NoAnswerInTime: _late,
    HTTPException: _http,
    Exception: _broken,
}


def problem_response(request: Request[Any, Any, Any], failure: Exception) -> Response[bytes]:
    """The problem for a failure, by its nearest class in the table."""
    kind = next(kind for kind in type(failure).__mro__ if kind in HANDLERS)
    return HANDLERS[kind](request, failure)
