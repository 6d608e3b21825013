"""The visitor of a page: a signed-in account, a stranger, or one who watches a campaign by its link."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from msgspec import Struct, structs

from domain.ids import CampaignId
from domain.rejection import Forbidden
from services.accounts.authentication import Principal
from services.accounts.invites import WATCHING_PREFIX
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.errors import watching_link_not_found
from services.http.middleware.authentication import address_of, secret_in
from services.http.middleware.session_cookie import session_secret
from services.http.screen.shared.security_headers import is_trusted
from services.reading.parameters import campaign_of, moment_of
from services.runtime.reader_language import prefer, prefer_time_of, watch_by, watching_code

WATCHING = "watching"
"""The name, in a path, of the code of a watching link."""


class SignInFirst(Exception):  # noqa: N818 — it states what is the case
    """The page is for people who signed in."""


class Visitor(Struct, frozen=True):
    """The visitor of a page."""

    principal: Principal | None = None
    """None for a stranger, and for one who watches."""
    watcher: Principal | None = None
    """The reader without an account who came by a watching link."""
    reads_as: str | None = None
    """The member as whom a GM reads."""
    refusal: Forbidden | None = None
    """Why an account that is signed in counts as a stranger."""
    erasures: int | None = None
    """So many the page's campaign had before anything of it was read; None: nothing of it is kept."""


class Visit(Struct, frozen=True):
    """A request for a page, with the service that answers it and the visitor who asks."""

    application: Application
    request: Request[Any, Any, Any]
    visitor: Visitor

    @property
    def signed_in(self) -> Principal:
        """The account that asks. Raises `SignInFirst`, and refuses `account_disabled`."""
        if self.visitor.refusal is not None:
            raise self.visitor.refusal
        if self.visitor.principal is None:
            raise SignInFirst
        return self.visitor.principal

    @property
    def reader(self) -> Principal:
        """The reader of a page that can be watched: by its link, or signed in. Raises as `signed_in` does."""
        return self.visitor.watcher or self.signed_in

    @property
    def secret(self) -> str:
        """The secret that the reader came with, valid or not. Raises what `secret_in` raises."""
        return watching_code() or secret_in(self.application, self.request.scope)

    @property
    def campaign_id(self) -> CampaignId:
        """The campaign in the path, or that of the watching link. Refuses `campaign_not_found`."""
        watcher = self.visitor.watcher
        if watcher is not None and watcher.watches is not None:
            return watcher.watches
        return campaign_of(self.request.path_params["campaign"])


async def provide_visit(application: NamedDependency[Application], request: Request[Any, Any, Any]) -> Visit:
    """The visit of a page; its visitor is found by the cookie of a sign-in that still holds.

    The page is in the language of the account. Raises `RateLimitExceeded` for a visitor who asks too often, and
    refuses `watching_link_not_found`.
    """
    if (code := request.path_params.get(WATCHING)) is not None:
        return await _watching(application, request, code)
    secret = session_secret(request.scope)
    principal, reason = None, None
    try:
        principal = await application.people.principal(secret) if secret else None
    except Forbidden as refusal:
        reason = refusal
    if principal is not None:
        prefer(principal.language)
        prefer_time_of(principal.time_zone)
    request.state.visitor = visitor = Visitor(
        principal=principal, reads_as=request.path_params.get("member"), refusal=reason
    )
    await application.rates.look(None if principal is None else principal.account_id, address_of(request))
    visit = Visit(application, request, visitor)
    if principal is None or request.method != "GET" or not is_trusted(request.scope):
        return visit
    has_campaign = "campaign" in request.path_params
    erasures = await application.views.erasures(visit.campaign_id) if has_campaign else 0
    return structs.replace(visit, visitor=structs.replace(visitor, erasures=erasures))


async def _watching(application: Application, request: Request[Any, Any, Any], code: str) -> Visit:
    """The visit of a watcher: a cookie that comes along counts for nothing."""
    request.state.visitor = Visitor()
    await application.rates.look(None, address_of(request))
    watcher = await application.people.principal(code) if code.startswith(WATCHING_PREFIX) else None
    if watcher is None:
        raise watching_link_not_found()
    watch_by(code)
    request.state.visitor = visitor = Visitor(watcher=watcher)
    return Visit(application, request, visitor)


async def open_campaign(visit: Visit, at: str | None = None) -> VisibleCampaign:
    """The campaign as the visitor may see it, now or at a moment; the whole page is in the language of that.

    Raises `SignInFirst`, and refuses `campaign_not_found` and `moment_not_reached`.
    """
    account = visit.reader.account_id
    visible = await visit.application.campaigns.see(
        visit.campaign_id, account, moment_of(at), visit.visitor.reads_as
    )
    prefer(visible.language)
    return visible
