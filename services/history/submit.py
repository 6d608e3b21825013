"""Any request of a member: reveals and declined undo requests need the past, all else goes to the queue."""

from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import RevealAction
from domain.campaign.messages.undo import DeclineUndo
from domain.ids import AccountId, CampaignId
from services.commands.command_dependencies import CommandParts
from services.commands.submit import submit_command
from services.history.history_command import readers_of, target_of
from services.history.reveal import reveal


async def submit(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    request: ActRequest,
    *,
    key: str | None = None,
    if_match: int | None = None,
) -> bytes:
    """Decide and commit any request; returns the answer's JSON. Raises as `submit_command` and `reveal` do."""
    match request.command:
        case RevealAction():
            return await reveal(parts, campaign_id, account, request, key=key, if_match=if_match)
        case DeclineUndo():
            campaign = await parts.campaigns.see(campaign_id, account)
            with campaign.refusing():
                target = await target_of(parts, campaign, request.command.action_id)
            request = structs.replace(request, visibility=readers_of(campaign, target))
            return await submit_command(
                parts, campaign_id, account, request, key=key, if_match=if_match, about=[target]
            )
        case _:
            return await submit_command(parts, campaign_id, account, request, key=key, if_match=if_match)
