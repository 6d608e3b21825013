"""Another try of a due command that failed."""

from msgspec import Struct

from domain.campaign.due_commands import DueKey, due_commands, id_of, key_of
from domain.campaign.lifecycle.archive import require_open
from domain.ids import AccountId, CampaignId
from domain.rejection import Forbidden, Missing, Rejection
from domain.sentences import say
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.command_dependencies import CommandParts


class Retried(Struct, frozen=True):
    """Whether the command ran this time; if not, the board says why, and it is retried automatically."""

    happened: bool


async def retry(parts: CommandParts, account: AccountId, campaign_id: CampaignId, timer_id: str) -> Retried:
    """Try again what failed. Refuses `gm_only`, `timer_not_found` and `timer_not_failing`."""
    campaign = await parts.campaigns.see(campaign_id, account)
    if campaign.role != "gm":
        raise Forbidden("gm_only", campaign.text_of(say("Only a GM may have a timer tried again.")))
    with campaign.refusing():
        require_open(campaign.state)
    key = _key(campaign, timer_id)
    if not await parts.timers.retry(campaign.campaign_id, *key):
        fine = say("That timer has not failed; it happens at its moment.")
        raise Rejection("timer_not_failing", campaign.text_of(fine))
    return Retried(await parts.handler.run_due(campaign.campaign_id, await parts.log.now(), [key]) > 0)


def _key(campaign: VisibleCampaign, timer_id: str) -> DueKey:
    """The key of the due command with this id. Raises `timer_not_found`."""
    for due_command in due_commands(campaign.state):
        if str(id_of(key_of(due_command))) == timer_id:
            return key_of(due_command)
    nothing = say("Nothing like that is coming up in this campaign.")
    raise Missing("timer_not_found", campaign.text_of(nothing))
