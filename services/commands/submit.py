"""From a request to a command that is decided and committed."""

import asyncio
from collections.abc import Sequence

from msgspec import structs

from domain.campaign.commands import RevealAction
from domain.campaign.messages.history import DeclineUndo
from domain.campaign.past_action import PastAction
from domain.campaign.request import ActRequest
from domain.campaign.storage import event_codec
from domain.ids import AccountId, ActionId, CampaignId
from services.commands.history_command import readers_of, target_of
from services.commands.parts import CommandParts
from services.commands.pending_command import PendingCommand
from services.commands.reveal import reveal
from services.runtime.reader_language import reader_language


async def submit_command(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId | None,
    request: ActRequest,
    *,
    key: str | None = None,
    if_match: int | None = None,
    about: Sequence[PastAction] = (),
) -> bytes:
    """Decide and commit a request; returns the answer's JSON. Raises `Rejection` and `DatabaseUnavailable`.

    The answer quotes the actions that the request is `about`, unless it is stored under a `key`: an erasure of an
    action's texts would not find the quote.
    """
    if isinstance(request.command, RevealAction) and account is not None:
        return await reveal(parts, campaign_id, account, request, key=key, if_match=if_match)
    request_hash = event_codec.request_hash(request) if key is not None else b""
    if isinstance(request.command, DeclineUndo) and account is not None:
        seen = await parts.campaigns.see(campaign_id, account)
        with seen.refusing():
            target = await target_of(parts, seen, request.command.action_id)
        request, about = structs.replace(request, visibility=readers_of(seen, target)), [target]
    ask = PendingCommand(
        campaign_id=campaign_id,
        account=account,
        request=request,
        action_id=ActionId(parts.entropy.new_id()),
        answered=asyncio.get_running_loop().create_future(),
        reads=reader_language(),
        key=key,
        request_hash=request_hash,
        if_match=if_match,
        about=about if key is None else (),
        no_room=None if account is None else parts.quotas.refusal(campaign_id, type(request.command)),
    )
    return await parts.handler.act(ask)
