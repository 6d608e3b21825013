"""Commands that are prepared outside the queue: attempts at them while the campaign goes on."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import TypeVar

from domain.ids import AccountId, CampaignId
from domain.rejection import Stale
from services.commands.command_handler import Act, CommandHandler

ATTEMPTS_MAX = 20

Made = TypeVar("Made")


async def attempted(
    handler: CommandHandler,
    campaign_id: CampaignId,
    account: AccountId | None,
    attempt: Callable[[Act], Awaitable[Made]],
) -> Made:
    """The result of the first attempt during which the campaign does not go on.

    An attempt prepares a command and gives it to the handler. The first one, which may have a long past to read,
    lets the campaign go on; those after it hold the campaign's queue. Raises what the attempt and
    `CommandHandler.hold` raise, and `campaign_busy` if the campaign has gone on every time: preparing takes longer
    than a hold, or other processes do not hear of it and append without a pause.
    """
    for nth in range(1, ATTEMPTS_MAX + 1):
        try:
            async with nullcontext(handler.act) if nth == 1 else handler.hold(campaign_id, account) as act:
                return await attempt(act)
        except Stale as stale:
            if stale.code != "campaign_busy" or nth == ATTEMPTS_MAX:
                raise
    raise AssertionError
