"""The visitor of a page: a signed-in account, or a stranger."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from msgspec import Struct, structs

from domain.rejection import Forbidden
from services.accounts.authentication import Principal
from services.application import Application
from services.http.middleware.authentication import address_of
from services.http.middleware.session_cookie import session_secret
from services.http.screen.shared.security_headers import is_trusted
from services.reading.parameters import campaign_of
from services.runtime.reader_language import prefer, prefer_time_of


class SignInFirst(Exception):  # noqa: N818 — it states what is the case
    """The page is for people who signed in."""


class Visitor(Struct, frozen=True):
    """The visitor of a page."""

    principal: Principal | None = None
    """None for a stranger."""
    reads_as: str | None = None
    """The member as whom a GM reads."""
    refusal: Forbidden | None = None
    """Why an account that is signed in counts as a stranger."""
    erasures: int | None = None
    """So many the page's campaign had before anything of it was read; None: nothing of it is kept."""

    @property
    def signed_in(self) -> Principal:
        """The account that asks. Raises `SignInFirst`, and refuses `account_disabled`."""
        if self.refusal is not None:
            raise self.refusal
        if self.principal is None:
            raise SignInFirst
        return self.principal


async def provide_visitor(application: NamedDependency[Application], request: Request[Any, Any, Any]) -> Visitor:
    """The visitor, by the cookie of a sign-in that still holds; a page is in the language that the account reads.

    Raises `RateLimitExceeded` for a visitor who asks too often.
    """
    secret = session_secret(request.scope)
    principal, reason = None, None
    try:
        principal = await application.people.principal(secret) if secret else None
    except Forbidden as refusal:
        reason = refusal
    if principal is not None:
        prefer(principal.language)
        prefer_time_of(principal.time_zone)
    request.state.visitor = visitor = Visitor(principal, request.path_params.get("member"), reason)
    await application.rates.look(None if principal is None else principal.account_id, address_of(request))
    if principal is None or request.method != "GET" or not is_trusted(request.scope):
        return visitor
    campaign = request.path_params.get("campaign")
    erasures = 0 if campaign is None else await application.views.erasures(campaign_of(campaign))
    return structs.replace(visitor, erasures=erasures)
