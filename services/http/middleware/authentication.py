"""Authentication of requests: by the bearer token of a program, or by the cookie of a browser's session."""

from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from domain.ids import AccountId
from domain.sentences import say
from services.accounts.authentication import SESSION_PREFIX, Principal
from services.application import Application
from services.http.middleware.origin_check import require_own_page
from services.http.middleware.session_cookie import session_secret
from services.http.middleware.token_scope import require_scope, require_watching
from services.http.problems import NotSignedIn
from services.runtime.reader_language import prefer, prefer_time_of

API = "/api/"
HOST_BITS = 64
"""The lower half of an IPv6 address, which every machine chooses for itself."""
FOUND = "principal"
"""Under which a request's state holds the account behind it, or why there is none."""


class ReaderOfAccount:
    """Finds the account behind a request before it is read: an unreadable one is refused in its language."""

    def __init__(self, rest: ASGIApp) -> None:
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        if _is_signed(scope):
            application: Application = scope["litestar_app"].state.application
            try:
                outcome: Any = await principal_behind(application, scope)
            except Exception as failure:  # noqa: BLE001 — raised again where the route needs the account
                outcome = failure
            scope["state"][FOUND] = outcome
        await self._rest(scope, receive, send)


async def provide_principal(
    application: NamedDependency[Application], request: Request[Any, Any, Any]
) -> Principal:
    """The account of the token or the session. Raises `NotSignedIn`, and refuses `foreign_origin`.

    It asks for the application, so that Litestar resolves the two in order: in parallel they would cost every
    request a task group.
    """
    outcome: Principal | Exception | None = request.scope["state"].get(FOUND)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome or await principal_behind(application, request.scope)


async def principal_behind(application: Application, scope: Scope) -> Principal:
    """The account behind a request, in whose language the answer is; by a watching link, a reader without one.

    Raises `NotSignedIn` and `RateLimitExceeded`; refuses `foreign_origin`, `account_disabled`, `token_campaign`
    and `token_scope`.
    """
    secret = secret_in(application, scope)
    principal = await application.people.principal(secret)
    if principal is None:
        if secret.startswith(SESSION_PREFIX):
            raise NotSignedIn(say("This session is over; please sign in again."))
        raise NotSignedIn(say("This token is not valid, or not any more."))
    if principal.watches is not None:
        require_watching(principal.watches, str(scope.get("method", "GET")), scope["path"])
        return principal
    prefer(principal.language)
    prefer_time_of(principal.time_zone)
    if (limits := principal.limits) is not None:
        if limits.requests_per_minute is not None:
            await application.rates.by_token(principal.token_id, limits.requests_per_minute)
        require_scope(limits, str(scope.get("method", "GET")), scope["path"], scope["query_string"])
    return principal


def counted_reader(principal: Principal, request: Request[Any, Any, Any]) -> AccountId | str:
    """Under what a reader's requests are counted: its account, or the address of who watches without one."""
    return principal.account_id if principal.watches is None else address_of(request)


def address_of(request: Request[Any, Any, Any]) -> str:
    """The client's address, by which requests are limited, as far as the server knows it."""
    return counted_address(request.client.host) if request.client is not None else "nowhere"


def counted_address(host: str) -> str:
    """The network of an IPv6 address, in which a household may take any; an IPv4 address as it is.

    A server that listens for both is told an IPv4 address within IPv6.
    """
    try:
        address = ip_address(host)
    except ValueError:  # a socket's, or what a proxy calls it
        return host
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address) >> HOST_BITS << HOST_BITS, 128 - HOST_BITS)))


def secret_in(application: Application, scope: Scope) -> str:
    """The secret that authenticates a request, valid or not: a bearer token, else a session's secret.

    Raises `NotSignedIn` if there is neither. A request by cookie that would change something must come from a page
    of our own: else this refuses `foreign_origin`.
    """
    if token := bearer_token(scope):
        return token
    secret = session_secret(scope)
    if secret is None:
        raise NotSignedIn(
            say("Send a token: Authorization: Bearer … (POST /api/accounts or /api/tokens gives one).")
        )
    require_own_page(scope, application.origins)
    return secret


def bearer_token(scope: Scope) -> str:
    """The token in the `Authorization` header, valid or not; empty: there is none.

    A session's secret is none: it belongs in a cookie.
    """
    header = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    scheme, _, token = header.decode("latin-1").partition(" ")
    if scheme.casefold() != "bearer" or token.startswith(SESSION_PREFIX):
        return ""
    return token.strip()


def _is_signed(scope: Scope) -> bool:
    """Whether a request to the API has a token or a session's cookie, valid or not."""
    is_ours = scope["type"] == ScopeType.HTTP and scope["path"].startswith(API)
    return is_ours and (bool(bearer_token(scope)) or session_secret(scope) is not None)
