"""Who is asking: the bearer token of a request."""

from typing import Any

from litestar import Request

from services.api.problems import NotSignedIn
from services.people import Principal


async def provide_principal(request: Request[Any, Any, Any]) -> Principal:
    """The account behind the bearer token. Raises `NotSignedIn`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.casefold() != "bearer" or not token:
        raise NotSignedIn("Send a token: Authorization: Bearer … (POST /api/accounts or /api/tokens gives one).")
    principal: Principal | None = await request.app.state.house.people.principal(token.strip())
    if principal is None:
        raise NotSignedIn("This token is not valid, or not any more.")
    return principal
