"""`…/members`, `…/invites` and `/api/invites/…`: who plays."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Controller, Request, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.accounts import Invite
from domain.campaign.commands import ChangeRole, HandOver, RemoveMember
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.request import ActRequest
from domain.command_context import Role
from domain.ids import AccountId, CampaignId
from domain.rejection import Forbidden, Missing
from domain.sentences import say
from projections.campaign.campaign_view import Member, members
from services.accounts.authentication import Principal
from services.accounts.invites import DAYS_VALID
from services.api.actions import KeyHeader, checked_key
from services.api.authentication import address_of
from services.api.openapi_roles import ACCOUNT, GMS, MEMBERS, THEMSELVES
from services.api.paths import AtQuery, campaign_of, moment_of, uuid_or
from services.application import Application
from services.campaigns.lifecycle import accept_invite, hand_over
from services.commands.submit import submit_command
from services.errors import invite_not_found
from services.queries.campaign_reader import PointInTime, VisibleCampaign


class MembersPage(Struct, frozen=True):
    """Everybody in the campaign."""

    as_of: int
    members: list[Member]


class NewRole(Struct, frozen=True, forbid_unknown_fields=True):
    """What a member may do from now on."""

    role: Role


class Successor(Struct, frozen=True, forbid_unknown_fields=True):
    """Who leads the campaign from now on, and what you are then."""

    account: AccountId
    stay_as: Role = "player"


class NewInvite(Struct, frozen=True, forbid_unknown_fields=True):
    """What whoever accepts will be, for how many days, and how many people may (null: any number).

    Unless it says so, one person becomes a GM by it, and any number players or observers. With an `account` only
    that one may accept it, once: who was removed comes back by no other.
    """

    role: Role = "player"
    days_valid: Annotated[int, Meta(ge=1, le=365)] = DAYS_VALID
    uses_max: Annotated[int, Meta(ge=1, le=1000)] | UnsetType | None = UNSET
    account: AccountId | None = None

    @property
    def people_max(self) -> int | None:
        """How many may accept it; None: any number."""
        if self.account is not None:
            return 1
        if self.uses_max is UNSET:
            return 1 if self.role == "gm" else None
        return self.uses_max


class InviteCode(Struct, frozen=True):
    """An invite and its code, which is shown only this once.

    It works until `expires_at`, for `uses_max` people (null: for any number), or only for `account`.
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


class Joined(Struct, frozen=True):
    """The campaign you are a member of now, and as what."""

    campaign_id: CampaignId
    role: Role


class MembersController(Controller):
    """Invite people, let them in, change what they may do, take them out."""

    path = "/api"
    tags = ("people",)

    @get("/campaigns/{campaign_id:str}/members", summary="Who plays", operation_class=MEMBERS)
    async def members(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        at: AtQuery = None,
    ) -> MembersPage:
        """Everybody in the campaign."""
        seen = await application.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
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
        """GMs only. Refuses `last_gm`, `unknown_member` and `campaign_archived`."""
        campaign, member = campaign_of(campaign_id), _account_of(account)
        await submit_command(
            application,
            campaign,
            principal.account_id,
            ActRequest(command=ChangeRole(account=member, role=data.role)),
        )
        seen = await application.reading.see(campaign, principal.account_id)
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
        """Make another member a GM and step down, both or neither; GMs only.

        Refuses `unknown_member`, `already_yours`, `observers_only_read` (make them a player first) and
        `campaign_archived`.
        """
        campaign = campaign_of(campaign_id)
        command = HandOver(data.account, data.stay_as)
        then = PointInTime(
            seq=await hand_over(application, campaign, principal.account_id, command, checked_key(key))
        )
        seen = await application.reading.see(campaign, principal.account_id, then)
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
        """GMs may remove anybody; everybody may leave, an archived campaign too.

        Their characters stay theirs until a GM hands them to somebody else. Refuses `unknown_member`, and
        `last_gm` to the only GM: hand the campaign over first, or archive or delete it if you are alone in it.
        """
        command = RemoveMember(account=_account_of(account))
        await submit_command(
            application, campaign_of(campaign_id), principal.account_id, ActRequest(command=command)
        )

    @post("/campaigns/{campaign_id:str}/invites", summary="Invite somebody", operation_class=GMS)
    async def invite(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        data: JSONBody[NewInvite],
        request: Request[Any, Any, Any],
    ) -> InviteCode:
        """Make a code to hand on; GMs only. Refuses `campaign_archived` and `too_many_invites` (429)."""
        seen = await self._seen_by_gm(application, principal, campaign_id)
        with seen.refusing():
            require_open(seen.state)
        await application.rates.invite(principal.account_id, address_of(request))
        invite, code = await application.invites.invite(
            seen.campaign_id,
            data.role,
            principal.account_id,
            days=data.days_valid,
            uses_max=data.people_max,
            for_account=data.account,
        )
        expires_at = invite.expires_at.isoformat()
        return InviteCode(invite.invite_id, code, invite.role, expires_at, invite.uses_max, invite.for_account)

    @get("/campaigns/{campaign_id:str}/invites", summary="The campaign's invites", operation_class=GMS)
    async def invites(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> InvitesPage:
        """All invites, never their codes; GMs only."""
        seen = await self._seen_by_gm(application, principal, campaign_id)
        return InvitesPage(
            as_of=seen.seq, invites=[_view(invite) for invite in await application.invites.of(seen.campaign_id)]
        )

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
        """Make a code worthless; GMs only. Refuses `invite_not_found`."""
        seen = await self._seen_by_gm(application, principal, campaign_id)
        await application.invites.revoke(seen.campaign_id, uuid_or(invite_id, invite_not_found()))

    @post("/invites/{code:str}/accept", summary="Accept an invite", operation_class=ACCOUNT)
    async def accept(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        code: FromPath[str],
        request: Request[Any, Any, Any],
    ) -> Joined:
        """Become a member. Who is one already stays what they are.

        An invite is void when who made it is no GM any more. Refuses `invite_not_found`, `was_removed` (403) where
        a GM removed you and the invite was not made for you, `campaign_archived`, `too_many_campaigns`, and
        `too_many_invites` (429).
        """
        await application.rates.invite(principal.account_id, address_of(request))
        invite = await application.invites.found(code, principal.account_id)
        await accept_invite(application, principal.account_id, invite)
        seen = await application.reading.see(invite.campaign_id, principal.account_id)
        return Joined(invite.campaign_id, seen.role)

    async def _seen_by_gm(
        self, application: Application, principal: Principal, campaign_id: str
    ) -> VisibleCampaign:
        seen = await application.reading.see(campaign_of(campaign_id), principal.account_id)
        if seen.role != "gm":
            raise Forbidden("gm_only", seen.told(say("Only a GM may see, make and revoke invites.")))
        return seen


def _account_of(text: str) -> AccountId:
    nobody = Missing("unknown_member", "Nobody with that account is a member of this campaign.")
    return AccountId(uuid_or(text, nobody))


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
