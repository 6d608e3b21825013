"""`/c/{campaign}/members`: who belongs to a campaign, what they may do, and how that changes."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.commands import ChangeRole
from domain.campaign.events import MemberJoined
from domain.campaign.request import ActRequest
from domain.ids import AccountId
from domain.sentences import Sentence, say
from projections.campaign.campaign_view import roster
from services.application import Application
from services.commands.submit import submit_command
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import LIMIT_MAX, Filters, actions_page
from services.web.answers import REFUSED, see_other, shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, member_of, read_paths, seen_by
from services.web.forms import Checked, Form, Unfit, entered
from services.web.refusals import REFUSALS, told_refusal
from services.web.systems import ROLES
from services.web.visitor import Visitor

JOINED = str(MemberJoined.__struct_config__.tag)
MAY: dict[str, Sentence] = {
    "gm": say("A game master sees everything, acts for everyone, and changes settings and roles."),
    "player": say("A player plays their own characters, and sees what is open."),
    "observer": say("An observer reads along what is open, and does nothing."),
}
"""What each role may do."""


class ShownMember(Struct, frozen=True):
    """A member; `path` is where they are changed. `since` is empty where the log does not say."""

    path: str
    name: str
    role: str
    role_told: Sentence
    since: str
    is_you: bool
    is_here: bool
    is_at_table: bool
    characters: list[str]
    form: Form


class FormerMember(Struct, frozen=True):
    """An account that a GM has removed, and that comes back only by an invite for it."""

    account: str
    name: str


class MembersPage(CampaignPage, frozen=True):
    """Everyone in the campaign. `removed` is empty for those who may not invite them again.

    `invite_key` makes sending the form of an invite twice harmless.
    """

    template: ClassVar[str] = "members.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    members: list[ShownMember]
    removed: list[FormerMember]
    may: dict[str, Sentence]
    may_change: bool
    is_archived: bool
    changed: Sentence | None
    invite_key: str

    @property
    def title(self) -> Sentence:
        """Who is listed here."""
        return say("Members")


class RoleForm(Checked, frozen=True):
    """The new role of a member."""

    role: Literal["gm", "player", "observer"]


CHANGED: dict[str, Sentence] = {
    "role": say("The role is changed."),
    "removed": say("The member is removed."),
    "handover": say("The campaign is handed over."),
}


@get(read_paths("/members"))
async def members_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """All members; `?changed=` says what was done just now."""
    seen = await seen_by(application, visitor, campaign)
    changed = CHANGED.get(request.query_params.get("changed", ""))
    return shown(request, visitor, await _page(application, seen, changed=changed))


@post("/c/{campaign:str}/members/{account:str}/role")
async def change_role(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    account: FromPath[str],
) -> Response[bytes]:
    """Give a member another role; a refusal stands beside the member."""
    seen = await seen_by(application, visitor, campaign)
    form, member = await entered(request), member_of(seen, account)
    try:
        wanted = RoleForm.read(form)
        await application.rates.act(seen.campaign_id, seen.account)
        act = ActRequest(command=ChangeRole(account=member, role=wanted.role))
        await submit_command(application, seen.campaign_id, seen.account, act)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.refused("role", told_refusal(refusal))
    else:
        return see_other(f"{campaign_path(seen)}/members?changed=role")
    return shown(request, visitor, await _page(application, seen, tried=member, form=form), REFUSED)


async def _page(
    application: Application,
    seen: VisibleCampaign,
    *,
    changed: Sentence | None = None,
    tried: UUID | None = None,
    form: Form | None = None,
) -> MembersPage:
    state, path = seen.state, campaign_path(seen)
    here = await application.presence.present(seen.campaign_id)
    at_table = state.session.present if state.session is not None else []
    since = await _since(application, seen)
    played = roster(state, seen.name)
    is_archived = state.archived_at is not None
    may_change = seen.role == "gm" and not is_archived
    return MembersPage(
        **frame_of(seen),
        members=[
            ShownMember(
                path=f"{path}/members/{account}",
                name=seen.name(account),
                role=role,
                role_told=ROLES[role],
                since=since.get(account, ""),
                is_you=account == seen.account,
                is_here=account in here,
                is_at_table=account in at_table,
                characters=[each.name for each in played if each.player == account],
                form=form if form is not None and account == tried else Form({"role": [role]}),
            )
            for account, role in state.members.items()
        ],
        removed=[FormerMember(str(each), seen.name(each)) for each in state.removed_members] if may_change else [],
        may={role: MAY[role] for role in ROLES},
        may_change=may_change,
        is_archived=is_archived,
        changed=changed,
        invite_key=str(application.entropy.new_id()),
    )


async def _since(application: Application, seen: VisibleCampaign) -> dict[AccountId, str]:
    """When each member joined last."""
    page = await actions_page(
        application.log, application.views, seen, 0, LIMIT_MAX, Filters(type=JOINED), seen.seq + 1
    )
    found: dict[AccountId, str] = {}
    for each in page.actions:
        if each.actor is not None:
            found.setdefault(each.actor, each.at)
    return found
