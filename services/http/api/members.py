"""`…/members`, `…/invites` and `/api/invites/…`: members, roles and invites."""

from typing import Any

from litestar import Controller, Request, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import ChangeRole, HandOver
from domain.command_context import Role
from domain.ids import AccountId
from domain.rejection import Missing
from projections.campaign.campaign_view import Member, members
from services.application import Application
from services.campaign.visible_campaign import PointInTime, VisibleCampaign
from services.commands.submit import submit_command
from services.http.api.caller import Caller, CampaignCaller
from services.http.api.openapi import OPEN
from services.http.api.openapi_roles import ACCOUNT, ANYONE, GMS, MEMBERS, THEMSELVES
from services.http.middleware.authentication import address_of
from services.http.route_parameters import KeyHeader, checked_key
from services.lifecycle.invitations import (
    InviteCode,
    InviteLook,
    InvitesPage,
    Joined,
    NewInvite,
    invites_of,
    join,
    look_at_invite,
    new_invite,
    revoke_invite,
)
from services.lifecycle.membership import hand_over, remove_member
from services.reading.imported_people import PersonOfImport, imported_people
from services.reading.parameters import uuid_or


class MembersPage(Struct, frozen=True):
    """All members of the campaign."""

    as_of: int
    members: list[Member]


class ImportedPeople(Struct, frozen=True):
    """The people of the import of whom no member is known, and members for whose former name money came since."""

    as_of: int
    people: list[PersonOfImport]


class NewRole(Struct, frozen=True, forbid_unknown_fields=True):
    """The new role of a member."""

    role: Role


class Successor(Struct, frozen=True, forbid_unknown_fields=True):
    """The new GM, and your own role afterwards."""

    account: AccountId
    stay_as: Role = "player"


class MembersController(Controller):
    """Members: invite, accept, change roles, remove."""

    path = "/api"
    tags = ("people",)

    @get("/campaigns/{campaign_id:str}/members", summary="The members", operation_class=MEMBERS)
    async def members(
        self,
        visible: NamedDependency[VisibleCampaign],
    ) -> MembersPage:
        """All members of the campaign."""
        return MembersPage(as_of=visible.seq, members=members(visible.state, visible.name))

    @get(
        "/campaigns/{campaign_id:str}/imported-people",
        summary="The people of an import who are no members yet",
        operation_class=GMS,
    )
    async def imported_people(
        self, application: NamedDependency[Application], visible: NamedDependency[VisibleCampaign]
    ) -> ImportedPeople:
        """The people of the import who are no members, with what is theirs alone; GMs only.

        `campaign.identify_person` says which member one of them is.
        """
        return ImportedPeople(as_of=visible.seq, people=await imported_people(application.log, visible))

    @patch("/campaigns/{campaign_id:str}/members/{account:str}", summary="Change a role", operation_class=GMS)
    async def change_role(
        self, asker: NamedDependency[CampaignCaller], account: FromPath[str], data: JSONBody[NewRole]
    ) -> Member:
        """Change a member's role; GMs only.

        Refuses `last_gm`, `founder_stays`, `unknown_member` and `campaign_archived`.
        """
        campaign, member = asker.campaign_id, _account_of(account)
        await submit_command(
            asker.application,
            campaign,
            asker.account,
            ActRequest(command=ChangeRole(account=member, role=data.role)),
        )
        visible = await asker.application.campaigns.see(campaign, asker.account)
        return Member(member, visible.name(member), data.role, member == visible.state.founder)

    @post(
        "/campaigns/{campaign_id:str}/handover",
        summary="Hand the campaign over",
        operation_class=GMS,
        status_code=200,
    )
    async def hand_over(
        self, asker: NamedDependency[CampaignCaller], data: JSONBody[Successor], key: KeyHeader = None
    ) -> MembersPage:
        """Make another member a GM and step down, in one action; GMs only. The founder's place goes along.

        Refuses `unknown_member`, `already_yours`, `observers_only_read` (make them a player first) and
        `campaign_archived`.
        """
        campaign = asker.campaign_id
        command = HandOver(data.account, data.stay_as)
        then = PointInTime(
            seq=await hand_over(
                asker.application.for_campaigns, campaign, asker.account, command, checked_key(key)
            )
        )
        visible = await asker.application.campaigns.see(campaign, asker.account, then)
        return MembersPage(as_of=visible.seq, members=members(visible.state, visible.name))

    @delete(
        "/campaigns/{campaign_id:str}/members/{account:str}",
        summary="Remove a member, or leave",
        operation_class=THEMSELVES,
    )
    async def remove(self, asker: NamedDependency[CampaignCaller], account: FromPath[str]) -> None:
        """Remove a member (GMs only), or leave, also an archived campaign.

        Their characters stay theirs until a GM hands them over. A repeated request gets the same answer. Refuses
        `unknown_member`, `founder_stays` where another GM would remove the founder, and `last_gm` for the only
        GM: hand the campaign over first, or archive or delete it if you are alone in it.
        """
        await remove_member(
            asker.application.for_campaigns,
            asker.campaign_id,
            asker.account,
            _account_of(account),
        )

    @post("/campaigns/{campaign_id:str}/invites", summary="Invite people", operation_class=GMS)
    async def invite(
        self, asker: NamedDependency[CampaignCaller], data: JSONBody[NewInvite], key: KeyHeader = None
    ) -> InviteCode:
        """Create an invite code; GMs only. Refuses `campaign_archived` and `too_many_invites` (429)."""
        campaign, address = asker.campaign_id, address_of(asker.request)
        return await new_invite(
            asker.application.for_campaigns, asker.principal, campaign, data, address, checked_key(key)
        )

    @get("/campaigns/{campaign_id:str}/invites", summary="The campaign's invites", operation_class=GMS)
    async def invites(self, asker: NamedDependency[CampaignCaller]) -> InvitesPage:
        """All invites, without their codes; GMs only."""
        return await invites_of(asker.application.for_campaigns, asker.principal, asker.campaign_id)

    @delete(
        "/campaigns/{campaign_id:str}/invites/{invite_id:str}", summary="Revoke an invite", operation_class=GMS
    )
    async def revoke(self, asker: NamedDependency[CampaignCaller], invite_id: FromPath[str]) -> None:
        """Revoke an invite; GMs only. One that is revoked stays so. Refuses `invite_not_found`."""
        await revoke_invite(asker.application.for_campaigns, asker.principal, asker.campaign_id, invite_id)

    @get("/invites/{code:str}", security=OPEN, summary="Look at an invite", operation_class=ANYONE)
    async def look(
        self, application: NamedDependency[Application], code: FromPath[str], request: Request[Any, Any, Any]
    ) -> InviteLook:
        """The campaign of an invite, before there is an account to join it with.

        Anyone with the code may know that much.

        Refuses `invite_not_found` for a code that cannot be accepted any more, `campaign_archived`, and
        `too_many_invites` (429).
        """
        return await look_at_invite(application.for_campaigns, code, address_of(request))

    @post("/invites/{code:str}/accept", summary="Accept an invite", operation_class=ACCOUNT)
    async def accept(self, caller: NamedDependency[Caller], code: FromPath[str]) -> Joined:
        """Become a member. An existing member keeps their role.

        An invite is void when the member who made it is no GM any more. Refuses `invite_not_found`, `was_removed`
        (403) if a GM removed you and the invite was not made for you, `campaign_archived`, `too_many_campaigns`,
        and `too_many_invites` (429).
        """
        return await join(caller.application.for_campaigns, caller.account, code, address_of(caller.request))


def _account_of(text: str) -> AccountId:
    unknown = Missing("unknown_member", "Nobody with that account is a member of this campaign.")
    return AccountId(uuid_or(text, unknown))
