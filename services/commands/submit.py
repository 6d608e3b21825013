"""From a request to a command that is decided and committed."""

import asyncio
from collections.abc import Sequence

from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.recorded_action import PastAction
from domain.campaign.storage import event_codec
from domain.ids import AccountId, ActionId, CampaignId
from services.commands.command_dependencies import CommandParts
from services.commands.pending_command import PendingCommand
from services.runtime.reader_language import reader_language


async def done_before(
    parts: CommandParts, campaign_id: CampaignId, account: AccountId, key: str | None
) -> ActionId | None:
    """The action that came of a request with this key before; None: there was none."""
    records = [] if key is None else await parts.log.answers_to(campaign_id, [(account, key)])
    return records[0].action_id if records else None


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
    request_hash = event_codec.request_hash(request) if key is not None else b""
    choice = request.choice
    if choice is not None:
        request = structs.replace(request, choice=None)  # the log keeps what was asked, not on which page
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
        choice=choice,
        about=about if key is None else (),
        no_room=None if account is None else parts.quotas.refusal(campaign_id, type(request.command)),
    )
    return await parts.handler.act(ask)
