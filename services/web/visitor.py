"""Who asks for a page: a signed-in account, or a stranger."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from msgspec import Struct

from services.accounts.authentication import Principal
from services.api.authentication import address_of
from services.api.session_cookie import session_secret
from services.application import Application
from services.runtime.reader_language import prefer


class SignInFirst(Exception):  # noqa: N818 — it states what is the case
    """The page is for people who signed in."""


class Visitor(Struct, frozen=True):
    """Who asks for a page; `principal` is None for a stranger. `reads_as` is the member whom a GM reads as."""

    principal: Principal | None = None
    reads_as: str | None = None

    @property
    def signed_in(self) -> Principal:
        """The account that asks. Raises `SignInFirst`."""
        if self.principal is None:
            raise SignInFirst
        return self.principal


async def provide_visitor(application: NamedDependency[Application], request: Request[Any, Any, Any]) -> Visitor:
    """Who asks, by the cookie of a sign-in that still holds; a page is in the language that the account reads.

    Raises `RateLimitExceeded` for who asks too often.
    """
    secret = session_secret(request.scope)
    principal = await application.people.principal(secret) if secret else None
    if principal is not None:
        prefer(principal.language)
    request.state.visitor = visitor = Visitor(principal, request.path_params.get("member"))
    await application.rates.look(None if principal is None else principal.account_id, address_of(request))
    return visitor
