"""Deletion of a campaign by a GM or the host, and its restoration until its grace is over."""

from domain.campaign.command_request import ActRequest
from domain.campaign.due_commands import due_commands
from domain.campaign.lifecycle.deletion_request import require_deletable
from domain.campaign.messages.archive import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.secrecy.audience import GM
from domain.campaign.state import CampaignState
from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.system import InRealTime
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.errors import campaign_not_found
from services.lifecycle.lifecycle_dependencies import CampaignParts

DAY_MICROSECONDS = 86_400_000_000


async def delete_campaign(
    parts: CampaignParts, campaign_id: CampaignId, account: AccountId, name: str
) -> Deletion:
    """Delete a campaign; `name` confirms which.

    Raises `campaign_not_found`, `gm_only`, `name_differs` and `founder_decides`.
    A campaign with timers in real time is archived first, so that they wait on when it is restored.
    """
    campaign = await parts.campaigns.see(campaign_id, account)
    if campaign.role != "gm":
        raise Forbidden("gm_only", campaign.text_of(say("Only a GM may delete a campaign.")))
    if name != campaign.state.name:
        differs = say("This campaign is called {name}: say that to delete it.", name=campaign.state.name)
        raise Rejection("name_differs", campaign.text_of(differs))
    now = await parts.log.now()
    with campaign.refusing():
        require_deletable(campaign.state, account, now)
    return await _delete(parts, campaign_id, account, campaign.state)


async def delete_as_host(parts: CampaignParts, campaign_id: CampaignId) -> Deletion:
    """Delete a campaign, whose GMs can restore it, too. Raises `campaign_not_found`."""
    return await _delete(parts, campaign_id, None, await _whole(parts, campaign_id))


async def restore_as_host(parts: CampaignParts, campaign_id: CampaignId) -> bool:
    """Restore a deleted campaign; False: there is none that is deleted."""
    rested = await parts.deletions.restore(campaign_id, None)
    if rested:
        await submit_command(parts, campaign_id, None, ActRequest(command=UnarchiveCampaign()))
    return rested is not None


async def _whole(parts: CampaignParts, campaign_id: CampaignId) -> CampaignState:
    """The campaign as its GMs know it. Raises `campaign_not_found`."""
    latest = await parts.states.latest(campaign_id, GM)
    if latest is None:
        raise campaign_not_found()
    return latest[1]


async def _delete(
    parts: CampaignParts, campaign_id: CampaignId, account: AccountId | None, state: CampaignState
) -> Deletion:
    if state.archived_at is None and any(
        isinstance(due_command.due, InRealTime) for due_command in due_commands(state)
    ):
        await submit_command(parts, campaign_id, account, ActRequest(command=ArchiveCampaign(until_restored=True)))
        state = await _whole(parts, campaign_id)
    grace = parts.grace_days * DAY_MICROSECONDS
    # It may be archived already: another GM may be deleting it too, or have failed to.
    rested = state.archived_until_restored
    deletion = await parts.deletions.delete(campaign_id, account, state.name, grace, rested=rested)
    if deletion is None:
        raise campaign_not_found()
    for memory in parts.memories:
        memory.evict(campaign_id)
    parts.notifier.notify(campaign_id)
    return deletion


async def restore_campaign(parts: CampaignParts, campaign_id: CampaignId, account: AccountId) -> VisibleCampaign:
    """Restore a deleted campaign; one that is not deleted stays as it is.

    Raises `campaign_not_found` and `gm_only`.
    """
    rested = await parts.deletions.restore(campaign_id, account)
    if rested:  # after a crash before this line it stays archived, until a GM unarchives it
        await submit_command(parts, campaign_id, account, ActRequest(command=UnarchiveCampaign()))
    campaign = await parts.campaigns.see(campaign_id, account)
    if campaign.role != "gm":
        raise Forbidden("gm_only", campaign.text_of(say("Only a GM may restore a campaign.")))
    return campaign
