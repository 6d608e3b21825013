"""Gives each read a place among the others of who asks, and charges what it took."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from litestar import Request
from litestar.enums import ScopeType
from litestar.response import Response
from litestar.types import ASGIApp, Receive, Scope, Send

from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId
from domain.rejection import Rejection
from services.accounts.fair_read_queue import READ_SECONDS, Reads, RunningRead
from services.application import Application
from services.errors import RateLimitExceeded
from services.http.middleware.authentication import address_of, bearer_token
from services.http.middleware.common_middleware import Envelope
from services.http.middleware.session_cookie import session_secret
from services.runtime.event_loop_cost import MeteredWork, billing

READ = "read"
"""Under which a request's state holds its `Read`."""
READS = "reads"
"""Under which the state of every request holds the `Reads` of the process."""
PASSING = ("/static/", "/health/", "/metrics")
"""Paths of what costs nothing to answer, or is asked by who runs the service."""
FEED = "/live"
"""The endings of the paths of live feeds: those stay open, and have a limit of their own."""

Result = TypeVar("Result")


class ReadGate:
    """Stands around whatever is read; `problem_of` makes the answer of a read that has no place."""

    def __init__(
        self,
        rest: ASGIApp,
        reads: Reads,
        problem_of: Callable[[Request[Any, Any, Any], Exception], Response[bytes]],
    ) -> None:
        self._rest = rest
        self._reads = reads
        self._problem_of = problem_of

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """One ASGI request."""
        if scope["type"] == ScopeType.HTTP:
            scope["state"][READS] = self._reads
        return self._read(scope, receive, send) if _is_read(scope) else self._rest(scope, receive, send)

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            read = await self._reads.begin(await _who_asks(scope))
        except RateLimitExceeded as failure:
            refusal = failure

            async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
                answer = self._problem_of(Request(scope), refusal)
                await answer.to_asgi_response(None, Request(scope))(scope, receive, send)

            await Envelope(refuse)(scope, receive, send)
            return
        scope["state"][READ] = read
        answering = MeteredWork(self._rest(scope, receive, send))
        with billing() as bill:
            try:
                await answering
            finally:
                read.end(answering.spent + bill.seconds + READ_SECONDS)


async def as_read(
    scope: Scope, account: AccountId, work: Callable[[], Awaitable[Result]], *, is_long: bool = False
) -> Result:
    """The result of work that only looks, though it was posted: it has its place and its price like what is read.

    `is_long`: it is one of the long reads of the account. Raises `RateLimitExceeded`.
    """
    reads: Reads = scope["state"][READS]
    read = await reads.begin(account.hex)
    spent = 0.0
    with billing() as bill:
        try:
            if is_long:
                await read.take_long()
            working = MeteredWork(work())
            try:
                return await working
            finally:
                spent = working.spent
        finally:
            read.end(spent + bill.seconds + READ_SECONDS)


async def take_long(scope: Scope) -> None:
    """Give a read the place of the one long read of who asks. Raises `RateLimitExceeded`."""
    read: RunningRead | None = scope["state"].get(READ)
    if read is not None:
        await read.take_long()


def _is_read(scope: Scope) -> bool:
    if scope["type"] != ScopeType.HTTP or scope["method"] != "GET":
        return False
    return not scope["path"].startswith(PASSING) and not scope["path"].endswith(FEED)


async def _who_asks(scope: Scope) -> str:
    """The account behind a request, or the address of a stranger, also of one who watches."""
    secret = bearer_token(scope) or session_secret(scope)
    if secret:
        application: Application = scope["litestar_app"].state.application
        try:
            principal = await application.people.principal(secret)
        except (Rejection, DatabaseUnavailable):
            principal = None  # told where the route needs the account
        if principal is not None and principal.watches is None:
            return principal.account_id.hex
    return f"at:{address_of(Request(scope))}"
