"""Who is asking: the bearer token of a request."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency

from services.accounts.authentication import Principal
from services.api.problems import NotSignedIn
from services.application import Application


async def provide_principal(
    application: NamedDependency[Application], request: Request[Any, Any, Any]
) -> Principal:
    """The account behind the bearer token. Raises `NotSignedIn`.

    It asks for the application, so that Litestar resolves the two one after the other: side by side they would
    cost every request a task group.
    """
    return await principal_behind(application, request.headers.get("authorization", ""))


async def principal_behind(application: Application, authorization: str) -> Principal:
    """The account behind an `Authorization` header. Raises `NotSignedIn`."""
    principal = await application.people.principal(_token_in(authorization))
    if principal is None:
        raise NotSignedIn("This token is not valid, or not any more.")
    return principal


def address_of(request: Request[Any, Any, Any]) -> str:
    """Where a request comes from, as far as the server knows."""
    return request.client.host if request.client is not None else "nowhere"


def bearer_token(request: Request[Any, Any, Any]) -> str:
    """The token that came with a request, whatever it is worth. Raises `NotSignedIn` if none did."""
    return _token_in(request.headers.get("authorization", ""))


def _token_in(authorization: str) -> str:
    scheme, _, token = authorization.partition(" ")
    if scheme.casefold() != "bearer" or not token:
        raise NotSignedIn("Send a token: Authorization: Bearer … (POST /api/accounts or /api/tokens gives one).")
    return token.strip()
