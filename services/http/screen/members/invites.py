"""`/c/{campaign}/invites`: invites of a campaign, as a link and as a code for cameras."""

from typing import ClassVar
from uuid import UUID

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from markupsafe import Markup

from domain.accounts import InviteRole
from domain.ids import AccountId
from domain.rejection import Forbidden
from domain.sentences import Sentence, say
from services.errors import invite_not_found
from services.http.middleware.authentication import address_of
from services.http.route_parameters import checked_key
from services.http.screen.shared.campaign_page import CampaignPage, frame_of
from services.http.screen.shared.forms import FormStruct, read_form
from services.http.screen.shared.page_responses import own_path, see_other, show_page
from services.http.screen.shared.qr_code import qr_svg
from services.http.screen.shared.systems import INVITED_AS
from services.http.screen.shared.visitor import Visit
from services.lifecycle.invitations import NewInvite, new_invite, revoke_invite
from services.runtime.base_path import base_path


class ReadyInvite(CampaignPage, frozen=True, kw_only=True):
    """An invite or a watching link to hand on, and the same as a QR code."""

    template: ClassVar[str] = "invite.html"
    section: ClassVar[str] = "home"
    link: str
    code: Markup
    role: Sentence
    expires_at: str
    uses_max: int | None
    is_for_watching: bool

    @property
    def title(self) -> Sentence:
        """The page's title."""
        if self.is_for_watching:
            return say("A link for watching “{campaign}”", campaign=self.name)
        return say("An invite to “{campaign}”", campaign=self.name)


class InviteForm(FormStruct, frozen=True):
    """The role of those who will accept, or `watcher`; with an `account`, the invite is for that one alone.

    `key` is new on each page: sent twice, a form makes one invite, and what another form of the page asks for is
    another invite.
    """

    role: InviteRole = "player"
    account: UUID | None = None
    key: str = ""

    @property
    def own_key(self) -> str | None:
        """The idempotency key of what is wanted."""
        return f"{self.key}-{self.role}-{self.account or ''}" if self.key else None


@post("/c/{campaign:str}/invites")
async def invite(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Make an invite, and go where its link is shown."""
    fields = InviteForm.parse(await read_form(visit.request))
    account = None if fields.account is None else AccountId(fields.account)
    invite = await new_invite(
        visit.application.for_campaigns,
        visit.signed_in,
        visit.campaign_id,
        NewInvite(role=fields.role, account=account),
        address_of(visit.request),
        checked_key(fields.own_key),
    )
    return see_other(f"/c/{visit.campaign_id}/invites/{invite.code}")


@get("/c/{campaign:str}/invites/{code:str}")
async def invite_page(visit: NamedDependency[Visit], code: FromPath[str]) -> Response[bytes]:
    """The link of an invite, for GMs, who have just made it."""
    visible = await visit.application.campaigns.see(visit.campaign_id, visit.signed_in.account_id)
    if visible.role != "gm":
        raise Forbidden("gm_only", visible.text_of(say("Only a GM may see, make and revoke invites.")))
    invites = visit.application.invites
    invite = await invites.watching_link(code) or await invites.invite_of(code)
    if invite.campaign_id != visible.campaign_id:
        raise invite_not_found()
    place = "watch" if invite.is_for_watching else "join"
    link = f"{str(visit.request.base_url).rstrip('/')}{base_path()}/{place}/{code}"
    page = ReadyInvite(
        **frame_of(visible),
        link=link,
        code=qr_svg(link),
        role=INVITED_AS["watcher" if invite.is_for_watching else invite.role],
        expires_at=invite.expires_at.isoformat(),
        uses_max=invite.uses_max,
        is_for_watching=invite.is_for_watching,
    )
    return show_page(visit, page)


@post("/c/{campaign:str}/invites/{invite:str}/revoke")
async def revoke(visit: NamedDependency[Visit], invite: FromPath[str]) -> Response[bytes]:
    """Make an invite invalid; `next` is the page that the form stands on."""
    form = await read_form(visit.request)
    await revoke_invite(visit.application.for_campaigns, visit.signed_in, visit.campaign_id, invite)
    home = f"/c/{visit.campaign_id}"
    return see_other(own_path(form.value("next"), within=home, otherwise=home))
