"""History commands: undo, redo and reveals, which need more of the past than a campaign's state holds.

The past is read outside the queue of commands. The decision holds while the campaign does not go on, and is
prepared again if it did.
"""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import as_now
from domain.campaign.storage.event_codec import past_action, request_hash
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Rejection
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.command_dependencies import CommandParts
from services.commands.command_handler import Act
from services.commands.idempotency_record import answer_again
from services.commands.pending_command import HistoryDecision, PendingCommand
from services.errors import action_not_found, key_reused
from services.history.optimistic_attempts import attempted
from services.runtime.reader_language import reader_language


async def submit_history_command(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    request: ActRequest,
    prepare: Callable[[VisibleCampaign, ActionId], Awaitable[HistoryDecision]],
    *,
    key: str | None = None,
    if_match: int | None = None,
    logged_request: ActRequest | None = None,
) -> bytes:
    """Commit the decision that `prepare` makes for the asker and the action's id; returns the answer's JSON.

    `logged_request` is the request as the log keeps it, where that is less than was sent. Raises what `prepare`
    raises, `idempotency_key_reused`, `stale_if_match` and `campaign_busy`.
    """

    async def first_answer(campaign: VisibleCampaign) -> bytes | None:
        """The stored answer of the key, if there is one."""
        records = await parts.log.answers_to(campaign_id, [(account, key)]) if key is not None else []
        if not records:
            return None
        if records[0].is_for(hashed):
            return await answer_again(parts.log, campaign_id, records[0])
        with campaign.refusing():
            raise key_reused()

    async def attempt(act: Act) -> bytes:
        campaign = await parts.campaigns.see(campaign_id, account)
        if (answer := await first_answer(campaign)) is not None:
            return answer
        action_id = ActionId(parts.entropy.new_id())
        try:
            with campaign.refusing():
                prepared = await prepare(campaign, action_id)
        except Rejection:
            # The refusal may come from a copy of this request that was committed first.
            if (answer := await first_answer(campaign)) is not None:
                return answer
            raise
        return await act(
            PendingCommand(
                campaign_id=campaign_id,
                account=account,
                request=logged_request or structs.replace(request, choice=None),
                action_id=action_id,
                answered=asyncio.get_running_loop().create_future(),
                reads=reader_language(),
                key=key,
                request_hash=hashed,
                if_match=if_match,
                choice=request.choice,
                history=prepared,
            )
        )

    hashed = request_hash(request) if key is not None else b""
    return await attempted(parts.handler, campaign_id, account, attempt)


def readers_of(campaign: VisibleCampaign, target: PastAction) -> str:
    """The visibility of a request about an action: the action's readers."""
    if target.action_id in campaign.state.revealed:
        return "all"
    return as_now(target.visibility, campaign.state.stands_for)


async def target_of(parts: CommandParts, campaign: VisibleCampaign, action_id: ActionId) -> PastAction:
    """The action with this id, if the reader may see it. Raises `action_not_found`."""
    rows = await parts.log.action(campaign.campaign_id, action_id)
    if not rows or campaign.read(rows[0]).command is None:
        raise action_not_found()
    return past_action(rows)
