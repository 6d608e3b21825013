"""Creation of campaigns, memberships, and the acceptance of a restored campaign."""

import msgspec
from msgspec import structs

from domain.accounts import Invite
from domain.campaign.command_request import ActRequest
from domain.campaign.commands import (
    AcceptRestore,
    CreateCampaign,
    HandOver,
    JoinCampaign,
    RemoveMember,
)
from domain.campaign.events import FounderChanged, RoleChanged
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.membership import require_welcome
from domain.campaign.secrecy.audience import TABLE
from domain.campaign.settings import CALENDAR
from domain.campaign.state import CampaignState
from domain.campaign.storage import event_codec
from domain.ids import AccountId, CampaignId
from domain.rejection import Missing, Rejection
from services.accounts.rate_limits import RateLimiter
from services.campaign.visible_campaign import refusing_in
from services.commands.creation_keys import campaign_of_key
from services.commands.response import Answer
from services.commands.submit import submit_command
from services.errors import invite_not_found, key_reused
from services.lifecycle.lifecycle_dependencies import CampaignParts
from services.ports.event_store import EventStore
from services.runtime.reader_language import language_for_reader


async def create_campaign(
    parts: CampaignParts, account: AccountId, command: CreateCampaign, key: str | None = None
) -> CampaignId:
    """Create a campaign, with the calendar of Earth from today on unless its settings name another.

    Raises what `domain.campaign.lifecycle.create` raises, and `idempotency_key_reused`.
    """
    command = structs.replace(command, settings={CALENDAR: "earth", **command.settings})
    async with parts.key_locks.one_of(account, key):
        if key is None:
            campaign_id = CampaignId(parts.entropy.new_id())
        else:
            campaign_id = await campaign_of_key(parts.log, account, key)
        if key is None or await parts.log.head(campaign_id) is None:
            await require_room(parts.rates, parts.log, account)
            await parts.quotas.require_storage(account)
        await submit_command(parts, campaign_id, account, ActRequest(command=command), key=key)
    return campaign_id


async def require_room(rates: RateLimiter, log: EventStore, account: AccountId) -> None:
    """Raise `too_many_campaigns` if the account may not be in another campaign."""
    if most := rates.campaigns_per_account:
        rates.room_for_a_campaign(len(await log.campaigns_of(account, None, most)))


async def accept_invite(parts: CampaignParts, account: AccountId, invite: Invite) -> None:
    """Make the account a member; a member who accepts again keeps their role.

    Raises `campaign_archived`, `was_removed`, and `invite_not_found` if the inviting account is no GM any more.
    """
    if await parts.campaigns.is_member(invite.campaign_id, account):
        return
    made_for_them = invite.for_account is not None
    campaign = await _inviting(parts, invite)
    with refusing_in(language_for_reader(campaign.changed_settings)):  # before the invite counts as used
        require_welcome(campaign, account, made_for_them=made_for_them)
        require_open(campaign)
    await require_room(parts.rates, parts.log, account)
    is_counted = await parts.people.was_made_by(account, invite.invite_id)
    if not is_counted:
        await parts.invites.use(invite)
    command = JoinCampaign(role=invite.role, invite_id=str(invite.invite_id), made_for_them=made_for_them)
    try:
        await submit_command(parts, invite.campaign_id, account, ActRequest(command=command))
    except Rejection:  # such as `campaign_busy`: the account did not become a member
        if not is_counted:
            await parts.invites.give_back(invite)
        raise


async def invited_to(parts: CampaignParts, invite: Invite, account: AccountId | None = None) -> CampaignState:
    """The campaign that an invite lets newcomers into, as everybody knows it; with `account`, that one.

    Refuses `campaign_archived`, and `invite_not_found` where the invite is used up or void.
    """
    is_counted = account is not None and await parts.people.was_made_by(account, invite.invite_id)
    if invite.uses_max is not None and invite.uses >= invite.uses_max and not is_counted:
        raise invite_not_found()
    campaign = await _inviting(parts, invite)
    with refusing_in(language_for_reader(campaign.changed_settings)):
        require_open(campaign)
    return campaign


async def _inviting(parts: CampaignParts, invite: Invite) -> CampaignState:
    """The campaign of an invite. Refuses `invite_not_found` where who made it is no GM any more."""
    latest = await parts.states.latest(invite.campaign_id, TABLE)
    if latest is None or latest[1].members.get(invite.created_by) != "gm":
        raise invite_not_found()
    return latest[1]


async def hand_over(
    parts: CampaignParts, campaign_id: CampaignId, account: AccountId, command: HandOver, key: str | None
) -> int:
    """Make another member a GM and step down; returns the campaign's seq after it, also for a repetition.

    Raises what `lifecycle.membership` raises, and `idempotency_key_reused`, also if an erasure removed the hash of
    the first request but something else was done under the key.
    """
    reply = await submit_command(parts, campaign_id, account, ActRequest(command=command), key=key)
    answer = msgspec.json.decode(reply, type=Answer)
    expected_roles = ((command.account, "gm"), (account, command.stay_as))
    for row in await parts.log.action(campaign_id, answer.action_id):
        event = event_codec.decode_event(row)
        is_wanted = isinstance(event, RoleChanged) and (event.account, event.role) in expected_roles
        if not is_wanted and event != FounderChanged(command.account):
            with (await parts.campaigns.see(campaign_id, account)).refusing():
                raise key_reused()
    return answer.seq


async def remove_member(
    parts: CampaignParts, campaign_id: CampaignId, account: AccountId, member: AccountId
) -> None:
    """Remove a member, or leave; nothing happens if that was done before.

    A member whom another one removed gets the answer for a campaign that does not exist.

    Raises what `lifecycle.membership` raises, and `campaign_not_found`.
    """
    try:
        await submit_command(parts, campaign_id, account, ActRequest(command=RemoveMember(account=member)))
    except Missing:
        if not await _is_gone(parts, campaign_id, account, member):
            raise


async def _is_gone(parts: CampaignParts, campaign_id: CampaignId, account: AccountId, member: AccountId) -> bool:
    """Whether what a removal asks for is so already."""
    if member == account:
        latest = await parts.states.latest(campaign_id, TABLE)
        return latest is not None and account in {*latest[1].former_members} - {*latest[1].removed_members}
    campaign = await parts.campaigns.see(campaign_id, account)
    return campaign.role == "gm" and member in campaign.state.removed_members


async def accept_restored(parts: CampaignParts, campaign_id: CampaignId) -> None:
    """Accept the log as it is now, and begin a new dice epoch with unknown seeds.

    Raises `campaign_not_found`. Where it fails or is killed, the campaign goes on waiting.
    """
    with parts.detector.accepting(campaign_id):
        await submit_command(parts, campaign_id, None, ActRequest(command=AcceptRestore()))
