"""Deletion of a campaign by a GM, and its restoration until its grace is over."""

from domain.campaign.commands import ArchiveCampaign, UnarchiveCampaign
from domain.campaign.request import ActRequest
from domain.campaign.scheduling.schedule import owed
from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.system import InRealTime
from services.application import Application
from services.commands.submit import submit_command
from services.errors import campaign_not_found
from services.queries.campaign_reader import VisibleCampaign

DAY_MICROSECONDS = 86_400_000_000


async def delete_campaign(
    application: Application, campaign_id: CampaignId, account: AccountId, name: str
) -> Deletion:
    """Delete a campaign; `name` confirms which. Raises `campaign_not_found`, `gm_only` and `name_differs`.

    A campaign with timers in real time is archived first, so that they wait on when it is restored.
    """
    seen = await application.campaigns.see(campaign_id, account)
    if seen.role != "gm":
        raise Forbidden("gm_only", seen.told(say("Only a GM may delete a campaign.")))
    if name != seen.state.name:
        differs = say("This campaign is called {name}: say that to delete it.", name=seen.state.name)
        raise Rejection("name_differs", seen.told(differs))
    if seen.state.archived_at is None and any(isinstance(each.due, InRealTime) for each in owed(seen.state)):
        await submit_command(
            application, campaign_id, account, ActRequest(command=ArchiveCampaign(until_restored=True))
        )
        seen = await application.campaigns.see(campaign_id, account)
    grace = application.grace_days * DAY_MICROSECONDS
    # It may be archived already: another GM may be deleting it too, or have failed to.
    rested = seen.state.archived_until_restored
    deletion = await application.deletions.delete(campaign_id, account, name, grace, rested=rested)
    if deletion is None:
        raise campaign_not_found()
    for memory in application.memories:
        memory.evict(campaign_id)
    application.notifier.notify(campaign_id)
    return deletion


async def restore_campaign(
    application: Application, campaign_id: CampaignId, account: AccountId
) -> VisibleCampaign:
    """Restore a deleted campaign; one that is not deleted stays as it is.

    Raises `campaign_not_found` and `gm_only`.
    """
    rested = await application.deletions.restore(campaign_id, account)
    if rested:  # after a crash before this line it stays archived, until a GM unarchives it
        await submit_command(application, campaign_id, account, ActRequest(command=UnarchiveCampaign()))
    seen = await application.campaigns.see(campaign_id, account)
    if seen.role != "gm":
        raise Forbidden("gm_only", seen.told(say("Only a GM may restore a campaign.")))
    return seen
