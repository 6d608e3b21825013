"""`/c/{campaign}/members`: a campaign's members, their roles, and how these change."""

from typing import ClassVar, Literal
from uuid import UUID

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import ChangeRole
from domain.campaign.events import MemberJoined
from domain.campaign.messages.imports import IdentifyPerson
from domain.ids import AccountId
from domain.rejection import Missing
from domain.sentences import Sentence, say
from projections.campaign.campaign_view import roster
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    member_of,
    read_paths,
)
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.systems import ROLES
from services.http.screen.shared.visitor import Visit, open_campaign
from services.lifecycle.invitations import open_watching_links
from services.reading.chronicle import LIMIT_MAX, Filters, actions_page
from services.reading.imported_people import imported_people, theirs_in_words
from services.reading.parameters import uuid_or

JOINED = str(MemberJoined.__struct_config__.tag)
MAY: dict[str, Sentence] = {
    "gm": say(
        "A game master sees everything, also what is hidden, acts for everyone, undoes and moves money by hand, "
        "invites, removes and changes roles and settings, and archives, copies and deletes the campaign. Other "
        "game masters neither demote nor remove its founder, and a deletion waits for the founder's word, or for "
        "fourteen days."
    ),
    "player": say("A player plays their own characters, and sees what is open."),
    "observer": say("An observer reads along what is open, and does nothing."),
}
"""The rights of each role."""


class ShownMember(Struct, frozen=True):
    """A member; `path` is where they are changed. `since` is empty where the log does not say."""

    path: str
    account: str
    name: str
    role: str
    role_told: Sentence
    since: str
    is_you: bool
    is_founder: bool
    may_be_changed: bool
    is_here: bool
    looks_elsewhere: bool
    is_at_table: bool
    characters: list[str]
    form: Form


class FormerMember(Struct, frozen=True):
    """An account that a GM has removed, and that comes back only by an invite for it."""

    account: str
    name: str


class ShownStranger(Struct, frozen=True):
    """A person of the import who is no member, and what a member gets who is said to be them.

    `path` is where that is said; `member` is who they are already, where only money that came since is left.
    """

    path: str
    name: str
    theirs: Sentence | None
    member: str | None
    form: Form


class WatchingLink(Struct, frozen=True):
    """A link for watching that holds, and where it is revoked."""

    path: str
    created_at: str
    expires_at: str


class MembersPage(CampaignPage, frozen=True):
    """Everyone in the campaign. `removed` is empty for those who may not invite them again.

    `invite_key` makes sending the form of an invite twice harmless.
    """

    template: ClassVar[str] = "members.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    members: list[ShownMember]
    removed: list[FormerMember]
    strangers: list[ShownStranger]
    links: list[WatchingLink]
    """Empty for those who may not revoke them."""
    may_be_watched: bool
    """Whether there is such a link, which every member may know."""
    may: dict[str, Sentence]
    may_change: bool
    is_archived: bool
    changed: Sentence | None
    invite_key: str

    @property
    def title(self) -> Sentence:
        """The page's title: the campaign's members."""
        return say("Members")


class RoleForm(FormStruct, frozen=True):
    """The new role of a member."""

    role: Literal["gm", "player", "observer"]


class IdentityForm(FormStruct, frozen=True):
    """The member who a person is."""

    account: UUID

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault where no member is chosen."""
        return {"account": say("Choose a member.")}


CHANGED: dict[str, Sentence] = {
    "identified": say(
        "What was theirs alone is the member's now. The chronicle has it, and it can be undone there."
    ),
    "role": say("The role is changed."),
    "removed": say("The member is removed."),
    "handover": say("The campaign is handed over."),
}


@get(read_paths("/members"))
async def members_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """All members; `?changed=` says what was done just now."""
    visible = await open_campaign(visit)
    sentence = CHANGED.get(visit.request.query_params.get("changed", ""))
    return show_page(visit, await _page(visit.application, visible, sentence=sentence))


@post("/c/{campaign:str}/members/{account:str}/role")
async def change_role(visit: NamedDependency[Visit], account: FromPath[str]) -> Response[bytes]:
    """Give a member another role; a refusal stands beside the member."""
    visible = await open_campaign(visit)
    form, member = await read_form(visit.request), member_of(visible, account)
    try:
        fields = RoleForm.parse(form)
        await visit.application.rates.act(visible.campaign_id, visible.account)
        act = ActRequest(command=ChangeRole(account=member, role=fields.role))
        await submit_command(visit.application, visible.campaign_id, visible.account, act)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("role", told_refusal(refusal))
    else:
        return see_other(f"{campaign_path(visible)}/members?changed=role")
    return show_page(visit, await _page(visit.application, visible, tried=member, form=form), REFUSED)


@post("/c/{campaign:str}/people/{person:str}")
async def identify(visit: NamedDependency[Visit], person: FromPath[str]) -> Response[bytes]:
    """Say which member a person of the import is; a refusal stands beside the person."""
    seen = await open_campaign(visit)
    form = await read_form(visit.request)
    meant = AccountId(uuid_or(person, Missing("unknown_person", "No person of the import has that id.")))
    try:
        wanted = IdentityForm.parse(form)
        await visit.application.rates.act(seen.campaign_id, seen.account)
        act = ActRequest(command=IdentifyPerson(person=meant, account=AccountId(wanted.account)))
        await submit_command(visit.application, seen.campaign_id, seen.account, act)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("account", told_refusal(refusal))
    else:
        return see_other(f"{campaign_path(seen)}/members?changed=identified")
    return show_page(visit, await _page(visit.application, seen, tried=meant, form=form), REFUSED)


async def _page(
    application: Application,
    campaign: VisibleCampaign,
    *,
    sentence: Sentence | None = None,
    tried: UUID | None = None,
    form: Form | None = None,
) -> MembersPage:
    state, path = campaign.state, campaign_path(campaign)
    here = await application.presence.present(campaign.campaign_id)
    at_table = state.session.present if state.session is not None else []
    since = await _since(application, campaign)
    played = roster(state, campaign.name)
    is_archived = state.archived_at is not None
    may_change = campaign.role == "gm" and not is_archived
    links = await open_watching_links(application.for_campaigns, campaign)
    return MembersPage(
        **frame_of(campaign),
        members=[
            ShownMember(
                path=f"{path}/members/{account}",
                account=str(account),
                name=campaign.name(account),
                role=role,
                role_told=ROLES[role],
                since=since.get(account, ""),
                is_you=account == campaign.account,
                is_founder=account == state.founder,
                may_be_changed=may_change and (account != state.founder or account == campaign.account),
                is_here=account in here and not here[account].looks_elsewhere,
                looks_elsewhere=account in here and here[account].looks_elsewhere,
                is_at_table=account in at_table,
                characters=[character.name for character in played if character.player == account],
                form=form if form is not None and account == tried else Form({"role": [role]}),
            )
            for account, role in state.members.items()
        ],
        removed=[FormerMember(str(account), campaign.name(account)) for account in state.removed_members]
        if may_change
        else [],
        strangers=[
            ShownStranger(
                path=f"{path}/people/{each.person}",
                name=each.name,
                theirs=theirs_in_words(each, campaign.name),
                member=None if each.account is None else str(each.account),
                form=form if form is not None and each.person == tried else Form(),
            )
            for each in (await imported_people(application.log, campaign) if may_change else [])
        ],
        links=[
            WatchingLink(f"{path}/invites/{link.invite_id}/revoke", link.created_at, link.expires_at)
            for link in links
            if campaign.role == "gm"
        ],
        may_be_watched=bool(links),
        may={role: MAY[role] for role in ROLES},
        may_change=may_change,
        is_archived=is_archived,
        changed=sentence,
        invite_key=str(application.entropy.new_id()),
    )


async def _since(application: Application, campaign: VisibleCampaign) -> dict[AccountId, str]:
    """When each member joined last."""
    page = await actions_page(
        application.log, application.views, campaign, 0, LIMIT_MAX, Filters(type=JOINED), campaign.seq + 1
    )
    moments: dict[AccountId, str] = {}
    for action in page.actions:
        if action.actor is not None:
            moments.setdefault(action.actor, action.at)
    return moments
