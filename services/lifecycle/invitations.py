"""Invites to a campaign: made, looked at, accepted and revoked."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.accounts import Invite
from domain.campaign.lifecycle.archive import require_open
from domain.command_context import Role
from domain.ids import AccountId, CampaignId, SystemId
from domain.rejection import Forbidden
from domain.sentences import say
from services.accounts.authentication import Principal
from services.accounts.invites import DAYS_VALID
from services.campaign.visible_campaign import VisibleCampaign
from services.errors import invite_not_found
from services.lifecycle.membership import accept_invite, invited_to
from services.lifecycle.parts import CampaignParts
from services.reading.parameters import uuid_or


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
    """The offer of an invite: the campaign, its games, the role one gets, and the member who invites."""

    campaign: str
    systems: list[SystemId]
    role: Role
    invited_by: str
    expires_at: str


class Joined(Struct, frozen=True):
    """The campaign that you are a member of now, and your role."""

    campaign_id: CampaignId
    role: Role


async def new_invite(
    parts: CampaignParts,
    principal: Principal,
    campaign_id: CampaignId,
    request: NewInvite,
    address: str,
    key: str | None = None,
) -> InviteCode:
    """Create an invite code, asked for at an address. Raises what `POST …/invites` refuses."""
    campaign = await _open_as_gm(parts, principal, campaign_id)
    with campaign.refusing():
        require_open(campaign.state)
    await parts.rates.invite(principal.account_id, address)
    invite, code = await parts.invites.invite(
        campaign.campaign_id,
        request.role,
        principal.account_id,
        days=request.days_valid,
        uses_max=request.people_max,
        for_account=request.account,
        key=key,
    )
    expires_at = invite.expires_at.isoformat()
    return InviteCode(invite.invite_id, code, invite.role, expires_at, invite.uses_max, invite.for_account)


async def invites_of(parts: CampaignParts, principal: Principal, campaign_id: CampaignId) -> InvitesPage:
    """All invites of a campaign. Refuses `gm_only`."""
    campaign = await _open_as_gm(parts, principal, campaign_id)
    return InvitesPage(
        as_of=campaign.seq,
        invites=[_view(invite) for invite in await parts.invites.of(campaign.campaign_id)],
    )


async def revoke_invite(
    parts: CampaignParts, principal: Principal, campaign_id: CampaignId, invite_id: str
) -> None:
    """Revoke an invite. Refuses `gm_only` and `invite_not_found`."""
    campaign = await _open_as_gm(parts, principal, campaign_id)
    await parts.invites.revoke(campaign.campaign_id, uuid_or(invite_id, invite_not_found()))


async def look_at_invite(
    parts: CampaignParts, code: str, address: str, account: AccountId | None = None
) -> InviteLook:
    """The offer of an invite, asked for at an address. Raises what `GET /api/invites/{code}` refuses.

    An account that was made by an invite may come in by it also when it is used up.
    """
    await parts.rates.look_at_invite(address)
    invite = await parts.invites.invite_of(code)
    campaign = await invited_to(parts, invite, account)
    await parts.names.fetch({invite.created_by})
    return InviteLook(
        campaign=campaign.name,
        systems=[*campaign.systems],
        role=invite.role,
        invited_by=parts.names.within(campaign)(invite.created_by),
        expires_at=invite.expires_at.isoformat(),
    )


async def join(parts: CampaignParts, account: AccountId, code: str, address: str) -> Joined:
    """Accept an invite, from an address. Raises what `POST /api/invites/{code}/accept` refuses."""
    await parts.rates.invite(account, address)
    invite = await parts.invites.invite_for(code, account)
    await accept_invite(parts, account, invite)
    campaign = await parts.campaigns.see(invite.campaign_id, account)
    return Joined(invite.campaign_id, campaign.role)


async def _open_as_gm(parts: CampaignParts, principal: Principal, campaign_id: CampaignId) -> VisibleCampaign:
    campaign = await parts.campaigns.see(campaign_id, principal.account_id)
    if campaign.role != "gm":
        raise Forbidden("gm_only", campaign.text_of(say("Only a GM may see, make and revoke invites.")))
    return campaign


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
