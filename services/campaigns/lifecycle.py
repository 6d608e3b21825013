"""Creation of campaigns, memberships, and the acceptance of a restored campaign."""

import msgspec

from domain.accounts import Invite
from domain.campaign.commands import (
    AcceptRestore,
    CreateCampaign,
    HandOver,
    JoinCampaign,
)
from domain.campaign.events import RoleChanged
from domain.campaign.lifecycle.archive import require_open
from domain.campaign.lifecycle.membership import require_welcome
from domain.campaign.request import ActRequest
from domain.campaign.secrecy.audience import TABLE
from domain.campaign.state import CampaignState
from domain.campaign.storage import event_codec
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from services.application import Application
from services.commands.creation_keys import campaign_of_key
from services.commands.response import Answer
from services.commands.submit import submit_command
from services.errors import invite_not_found, key_reused
from services.queries.campaign_reader import refusing_in
from services.runtime.reader_language import language_for_reader


async def create_campaign(
    application: Application, account: AccountId, command: CreateCampaign, key: str | None = None
) -> CampaignId:
    """Create a campaign. Raises what `domain.campaign.lifecycle.create` raises, and `idempotency_key_reused`."""
    async with application.key_locks.one_of(account, key):
        if key is None:
            campaign_id = CampaignId(application.entropy.new_id())
        else:
            campaign_id = await campaign_of_key(application.log, account, key)
        if key is None or await application.log.head(campaign_id) is None:
            await require_room(application, account)
        await submit_command(application, campaign_id, account, ActRequest(command=command), key=key)
    return campaign_id


async def require_room(application: Application, account: AccountId) -> None:
    """Raise `too_many_campaigns` if the account may not be in another campaign."""
    if most := application.rates.campaigns_per_account:
        application.rates.room_for_a_campaign(len(await application.log.campaigns_of(account, None, most)))


async def accept_invite(application: Application, account: AccountId, invite: Invite) -> None:
    """Make the account a member; a member who accepts again keeps their role.

    Raises `campaign_archived`, `was_removed`, and `invite_not_found` if the inviting account is no GM any more.
    """
    if await application.campaigns.is_member(invite.campaign_id, account):
        return
    made_for_them = invite.for_account is not None
    campaign = await _inviting(application, invite)
    with refusing_in(language_for_reader(campaign.changed_settings)):  # before the invite counts as used
        require_welcome(campaign, account, made_for_them=made_for_them)
        require_open(campaign)
    await require_room(application, account)
    await application.invites.use(invite)
    command = JoinCampaign(role=invite.role, invite_id=str(invite.invite_id), made_for_them=made_for_them)
    try:
        await submit_command(application, invite.campaign_id, account, ActRequest(command=command))
    except Rejection:  # such as `campaign_busy`: the account did not become a member
        await application.invites.give_back(invite)
        raise


async def invited_to(application: Application, invite: Invite) -> CampaignState:
    """The campaign that an invite lets newcomers into, as everybody knows it.

    Refuses `campaign_archived`, and `invite_not_found` where the invite is used up or void.
    """
    if invite.uses_max is not None and invite.uses >= invite.uses_max:
        raise invite_not_found()
    campaign = await _inviting(application, invite)
    with refusing_in(language_for_reader(campaign.changed_settings)):
        require_open(campaign)
    return campaign


async def _inviting(application: Application, invite: Invite) -> CampaignState:
    """The campaign of an invite. Refuses `invite_not_found` where who made it is no GM any more."""
    found = await application.states.latest(invite.campaign_id, TABLE)
    if found is None or found[1].members.get(invite.created_by) != "gm":
        raise invite_not_found()
    return found[1]


async def hand_over(
    application: Application, campaign_id: CampaignId, account: AccountId, command: HandOver, key: str | None
) -> int:
    """Make another member a GM and step down; returns the campaign's seq after it, also for a repetition.

    Raises what `lifecycle.membership` raises, and `idempotency_key_reused`, also if an erasure removed the hash of
    the first request but something else was done under the key.
    """
    reply = await submit_command(application, campaign_id, account, ActRequest(command=command), key=key)
    answer = msgspec.json.decode(reply, type=Answer)
    wanted = ((command.account, "gm"), (account, command.stay_as))
    for row in await application.log.action(campaign_id, answer.action_id):
        done = event_codec.decode_event(row)
        if not isinstance(done, RoleChanged) or (done.account, done.role) not in wanted:
            with (await application.campaigns.see(campaign_id, account)).refusing():
                raise key_reused()
    return answer.seq


async def accept_restored(application: Application, campaign_id: CampaignId) -> None:
    """Accept the log as it is now, and begin a new dice epoch with unknown seeds.

    Raises `campaign_not_found`.
    """
    application.detector.forget(campaign_id)
    await submit_command(application, campaign_id, None, ActRequest(command=AcceptRestore()))
