"""Invites to a campaign: made, looked at, accepted and revoked."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.accounts import Invite, InviteRole, watcher_of
from domain.campaign.lifecycle.archive import require_open
from domain.command_context import Role
from domain.ids import AccountId, CampaignId, SystemId
from domain.rejection import Forbidden
from domain.sentences import say
from services.accounts.authentication import Principal
from services.accounts.invites import DAYS_VALID, WATCHING_DAYS_VALID
from services.campaign.visible_campaign import VisibleCampaign
from services.errors import Malformed, account_not_found, invite_not_found
from services.lifecycle.lifecycle_dependencies import CampaignParts
from services.lifecycle.membership import accept_invite, invited_to
from services.reading.parameters import uuid_or


class NewInvite(Struct, frozen=True, forbid_unknown_fields=True):
    """The role of new members, how many days the invite is valid, and for how many people (null: any number).

    By default one person becomes a GM by it, and any number players or observers. With an `account` only that one
    may accept it, once: a removed member comes back by no other invite.

    `watcher` makes a watching link instead, valid for a year by default: its code reads everything that the whole
    table may read, without an account, at `/watch/<code>` and as a bearer token. It is not accepted, and
    `uses_max` and `account` are not for it.
    """

    role: InviteRole = "player"
    days_valid: Annotated[int, Meta(ge=1, le=365)] | None = None
    uses_max: Annotated[int, Meta(ge=1, le=1000)] | UnsetType | None = UNSET
    account: AccountId | None = None

    @property
    def days(self) -> int:
        """How many days the invite is valid."""
        return self.days_valid or (WATCHING_DAYS_VALID if self.role == "watcher" else DAYS_VALID)

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
    role: InviteRole
    expires_at: str
    uses_max: int | None
    account: AccountId | None


class InviteView(Struct, frozen=True):
    """An invite as GMs may see it later."""

    invite_id: UUID
    role: InviteRole
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
    watcher = watcher_of(campaign.campaign_id)
    if request.role == "watcher":
        if request.account is not None or request.uses_max is not UNSET:
            raise Malformed(
                "A link for watching is for anyone who has it: it is not for one account or so many people."
            )
    elif request.account == watcher:
        raise account_not_found()
    invite, code = await parts.invites.invite(
        campaign.campaign_id,
        "observer" if request.role == "watcher" else request.role,
        principal.account_id,
        days=request.days,
        uses_max=request.people_max,
        for_account=watcher if request.role == "watcher" else request.account,
        key=key,
    )
    expires_at = invite.expires_at.isoformat()
    return InviteCode(
        invite.invite_id, code, _role_of(invite), expires_at, invite.uses_max, _only_account_of(invite)
    )


async def invites_of(parts: CampaignParts, principal: Principal, campaign_id: CampaignId) -> InvitesPage:
    """All invites of a campaign. Refuses `gm_only`."""
    campaign = await _open_as_gm(parts, principal, campaign_id)
    return InvitesPage(
        as_of=campaign.seq,
        invites=[_view(invite) for invite in await parts.invites.of(campaign.campaign_id)],
    )


async def open_watching_links(parts: CampaignParts, campaign: VisibleCampaign) -> list[InviteView]:
    """The links for watching that hold, newest first, which every member may know of."""
    links = [invite for invite in await parts.invites.of(campaign.campaign_id) if invite.is_for_watching]
    return [_view(link) for link in links if parts.invites.is_valid(link)]


async def revoke_invite(
    parts: CampaignParts, principal: Principal, campaign_id: CampaignId, invite_id: str
) -> None:
    """Revoke an invite. Refuses `gm_only` and `invite_not_found`."""
    campaign = await _open_as_gm(parts, principal, campaign_id)
    await parts.invites.revoke(campaign.campaign_id, uuid_or(invite_id, invite_not_found()))
    parts.people.forget_tokens_of(watcher_of(campaign.campaign_id))


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
        role=_role_of(invite),
        created_at=invite.created_at.isoformat(),
        expires_at=invite.expires_at.isoformat(),
        revoked=invite.revoked_at is not None,
        uses=invite.uses,
        uses_max=invite.uses_max,
        account=_only_account_of(invite),
    )


def _role_of(invite: Invite) -> InviteRole:
    return "watcher" if invite.is_for_watching else invite.role


def _only_account_of(invite: Invite) -> AccountId | None:
    """The only account that can use an invite; None: any, or it is a watching link."""
    return None if invite.is_for_watching else invite.for_account
