"""`…/members`, `…/invites` and `/api/invites/…`: members, roles and invites."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Controller, Request, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.accounts import Invite
from domain.campaign.commands import ChangeRole, HandOver
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.request import ActRequest
from domain.command_context import Role
from domain.ids import AccountId, CampaignId, SystemId
from domain.rejection import Forbidden, Missing
from domain.sentences import say
from projections.campaign.campaign_view import Member, members
from services.accounts.authentication import Principal
from services.accounts.invites import DAYS_VALID
from services.api.actions import KeyHeader, checked_key
from services.api.authentication import address_of
from services.api.openapi import OPEN
from services.api.openapi_roles import ACCOUNT, ANYONE, GMS, MEMBERS, THEMSELVES
from services.api.paths import campaign_of, uuid_or
from services.application import Application
from services.campaigns.lifecycle import accept_invite, hand_over, invited_to, remove_member
from services.commands.submit import submit_command
from services.errors import invite_not_found
from services.queries.campaign_reader import PointInTime, VisibleCampaign


class MembersPage(Struct, frozen=True):
    """All members of the campaign."""

    as_of: int
    members: list[Member]


class NewRole(Struct, frozen=True, forbid_unknown_fields=True):
    """The new role of a member."""

    role: Role


class Successor(Struct, frozen=True, forbid_unknown_fields=True):
    """The new GM, and your own role afterwards."""

    account: AccountId
    stay_as: Role = "player"


class NewInvite(Struct, frozen=True, forbid_unknown_fields=True):
    """The role of new members, how many days the invite is valid, and for how many people (null: any number).

    By default one person becomes a GM by it, and any number players or observers. With an `account` only that one
    may accept it, once: a removed member comes back by no other invite.
    """

    role: Role = "player"
    days_valid: Annotated[int, Meta(ge=1, le=365)] = DAYS_VALID
    uses_max: Annotated[int, Meta(ge=1, le=1000)] | UnsetType | None = UNSET
    account: AccountId | None = None

    @property
    def people_max(self) -> int | None:
        """How many people may accept it; None: any number."""
        if self.account is not None:
            return 1
        if self.uses_max is UNSET:
            return 1 if self.role == "gm" else None
        return self.uses_max


class InviteCode(Struct, frozen=True):
    """An invite and its code, which is shown only this once, and again to the same request with the same key.

    It is valid until `expires_at`, for `uses_max` people (null: any number), or only for `account`.
    """

    invite_id: UUID
    code: str
    role: Role
    expires_at: str
    uses_max: int | None
    account: AccountId | None


class InviteView(Struct, frozen=True):
    """An invite as GMs may see it later."""

    invite_id: UUID
    role: Role
    created_at: str
    expires_at: str
    revoked: bool
    uses: int
    uses_max: int | None
    account: AccountId | None


class InvitesPage(Struct, frozen=True):
    """The invites of a campaign, newest first."""

    as_of: int
    invites: list[InviteView]


class InviteLook(Struct, frozen=True):
    """What an invite is for: the campaign, what is played in it, what one becomes, and who invites."""

    campaign: str
    systems: list[SystemId]
    role: Role
    invited_by: str
    expires_at: str


class Joined(Struct, frozen=True):
    """The campaign that you are a member of now, and your role."""

    campaign_id: CampaignId
    role: Role


class MembersController(Controller):
    """Members: invite, accept, change roles, remove."""

    path = "/api"
    tags = ("people",)

    @get("/campaigns/{campaign_id:str}/members", summary="Who plays", operation_class=MEMBERS)
    async def members(
        self,
        seen: NamedDependency[VisibleCampaign],
    ) -> MembersPage:
        """All members of the campaign."""
        return MembersPage(as_of=seen.seq, members=members(seen.state, seen.name))

    @patch("/campaigns/{campaign_id:str}/members/{account:str}", summary="Change a role", operation_class=GMS)
    async def change_role(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        account: FromPath[str],
        data: JSONBody[NewRole],
    ) -> Member:
        """Change a member's role; GMs only. Refuses `last_gm`, `unknown_member` and `campaign_archived`."""
        campaign, member = campaign_of(campaign_id), _account_of(account)
        await submit_command(
            application,
            campaign,
            principal.account_id,
            ActRequest(command=ChangeRole(account=member, role=data.role)),
        )
        seen = await application.campaigns.see(campaign, principal.account_id)
        return Member(member, seen.name(member), data.role)

    @post(
        "/campaigns/{campaign_id:str}/handover",
        summary="Hand the campaign over",
        operation_class=GMS,
        status_code=200,
    )
    async def hand_over(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        data: JSONBody[Successor],
        key: KeyHeader = None,
    ) -> MembersPage:
        """Make another member a GM and step down, in one action; GMs only.

        Refuses `unknown_member`, `already_yours`, `observers_only_read` (make them a player first) and
        `campaign_archived`.
        """
        campaign = campaign_of(campaign_id)
        command = HandOver(data.account, data.stay_as)
        then = PointInTime(
            seq=await hand_over(
                application.for_campaigns, campaign, principal.account_id, command, checked_key(key)
            )
        )
        seen = await application.campaigns.see(campaign, principal.account_id, then)
        return MembersPage(as_of=seen.seq, members=members(seen.state, seen.name))

    @delete(
        "/campaigns/{campaign_id:str}/members/{account:str}",
        summary="Remove a member, or leave",
        operation_class=THEMSELVES,
    )
    async def remove(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        account: FromPath[str],
    ) -> None:
        """Remove a member (GMs only), or leave, also an archived campaign.

        Their characters stay theirs until a GM hands them over. Who asks again after it is done is answered
        alike. Refuses `unknown_member`, and `last_gm` for the only GM: hand the campaign over first, or archive or
        delete it if you are alone in it.
        """
        await remove_member(
            application.for_campaigns, campaign_of(campaign_id), principal.account_id, _account_of(account)
        )

    @post("/campaigns/{campaign_id:str}/invites", summary="Invite people", operation_class=GMS)
    async def invite(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        data: JSONBody[NewInvite],
        request: Request[Any, Any, Any],
        key: KeyHeader = None,
    ) -> InviteCode:
        """Create an invite code; GMs only. Refuses `campaign_archived` and `too_many_invites` (429)."""
        address = address_of(request)
        return await new_invite(application, principal, campaign_id, data, address, checked_key(key))

    @get("/campaigns/{campaign_id:str}/invites", summary="The campaign's invites", operation_class=GMS)
    async def invites(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> InvitesPage:
        """All invites, without their codes; GMs only."""
        return await invites_of(application, principal, campaign_id)

    @delete(
        "/campaigns/{campaign_id:str}/invites/{invite_id:str}", summary="Revoke an invite", operation_class=GMS
    )
    async def revoke(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        invite_id: FromPath[str],
    ) -> None:
        """Revoke an invite; GMs only. One that is revoked stays so. Refuses `invite_not_found`."""
        await revoke_invite(application, principal, campaign_id, invite_id)

    @get("/invites/{code:str}", security=OPEN, summary="Look at an invite", operation_class=ANYONE)
    async def look(
        self, application: NamedDependency[Application], code: FromPath[str], request: Request[Any, Any, Any]
    ) -> InviteLook:
        """What one would join, before there is an account to join with. Who has the code may know that much.

        Refuses `invite_not_found` for a code that cannot be accepted any more, `campaign_archived`, and
        `too_many_invites` (429).
        """
        return await look_at_invite(application, code, address_of(request))

    @post("/invites/{code:str}/accept", summary="Accept an invite", operation_class=ACCOUNT)
    async def accept(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        code: FromPath[str],
        request: Request[Any, Any, Any],
    ) -> Joined:
        """Become a member. An existing member keeps their role.

        An invite is void when the member who made it is no GM any more. Refuses `invite_not_found`, `was_removed`
        (403) if a GM removed you and the invite was not made for you, `campaign_archived`, `too_many_campaigns`,
        and `too_many_invites` (429).
        """
        return await join(application, principal.account_id, code, address_of(request))


async def new_invite(
    application: Application,
    principal: Principal,
    campaign_id: str,
    wanted: NewInvite,
    address: str,
    key: str | None = None,
) -> InviteCode:
    """Create an invite code, asked for at an address. Raises what `POST …/invites` refuses."""
    seen = await _seen_by_gm(application, principal, campaign_id)
    with seen.refusing():
        require_open(seen.state)
    await application.rates.invite(principal.account_id, address)
    invite, code = await application.invites.invite(
        seen.campaign_id,
        wanted.role,
        principal.account_id,
        days=wanted.days_valid,
        uses_max=wanted.people_max,
        for_account=wanted.account,
        key=key,
    )
    expires_at = invite.expires_at.isoformat()
    return InviteCode(invite.invite_id, code, invite.role, expires_at, invite.uses_max, invite.for_account)


async def invites_of(application: Application, principal: Principal, campaign_id: str) -> InvitesPage:
    """All invites of a campaign. Refuses `gm_only`."""
    seen = await _seen_by_gm(application, principal, campaign_id)
    return InvitesPage(
        as_of=seen.seq, invites=[_view(invite) for invite in await application.invites.of(seen.campaign_id)]
    )


async def revoke_invite(application: Application, principal: Principal, campaign_id: str, invite_id: str) -> None:
    """Revoke an invite. Refuses `gm_only` and `invite_not_found`."""
    seen = await _seen_by_gm(application, principal, campaign_id)
    await application.invites.revoke(seen.campaign_id, uuid_or(invite_id, invite_not_found()))


async def look_at_invite(
    application: Application, code: str, address: str, account: AccountId | None = None
) -> InviteLook:
    """What an invite is for, asked for at an address. Raises what `GET /api/invites/{code}` refuses.

    An account that was made by an invite may come in by it also when it is used up.
    """
    await application.rates.look_at_invite(address)
    invite = await application.invites.shown(code)
    campaign = await invited_to(application.for_campaigns, invite, account)
    await application.names.fetch({invite.created_by})
    return InviteLook(
        campaign=campaign.name,
        systems=[*campaign.systems],
        role=invite.role,
        invited_by=application.names.within(campaign)(invite.created_by),
        expires_at=invite.expires_at.isoformat(),
    )


async def join(application: Application, account: AccountId, code: str, address: str) -> Joined:
    """Accept an invite, from an address. Raises what `POST /api/invites/{code}/accept` refuses."""
    await application.rates.invite(account, address)
    invite = await application.invites.found(code, account)
    await accept_invite(application.for_campaigns, account, invite)
    seen = await application.campaigns.see(invite.campaign_id, account)
    return Joined(invite.campaign_id, seen.role)


async def _seen_by_gm(application: Application, principal: Principal, campaign_id: str) -> VisibleCampaign:
    seen = await application.campaigns.see(campaign_of(campaign_id), principal.account_id)
    if seen.role != "gm":
        raise Forbidden("gm_only", seen.told(say("Only a GM may see, make and revoke invites.")))
    return seen


def _account_of(text: str) -> AccountId:
    unknown = Missing("unknown_member", "Nobody with that account is a member of this campaign.")
    return AccountId(uuid_or(text, unknown))


def _view(invite: Invite) -> InviteView:
    return InviteView(
        invite_id=invite.invite_id,
        role=invite.role,
        created_at=invite.created_at.isoformat(),
        expires_at=invite.expires_at.isoformat(),
        revoked=invite.revoked_at is not None,
        uses=invite.uses,
        uses_max=invite.uses_max,
        account=invite.for_account,
    )
