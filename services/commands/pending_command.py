"""A command on its way through the service, and the action that comes of it."""

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.history.entrance_correction import Entering
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.dice import TableDice
from domain.dice.seeded_dice import EpochSeeds
from domain.event_store_types import Erasure
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Rejection
from domain.sentences import ENGLISH
from projections.languages import tell_refusal
from services.campaign.unsealed_action import OwnKey

ANSWER_SECONDS_MAX = 8.0
"""The limit for answering a command. After it, a repetition with the same key tells the outcome."""


class HistoryDecision(Struct, frozen=True):
    """A decision made outside the queue, because it needs more of the past than a state holds."""

    seq: int
    """It is valid while the campaign's head is there."""
    events: list[Any]
    visibilities: list[str]
    """The readers of each event."""
    state: CampaignState | None
    """The campaign after the events."""
    erasure: Erasure | None = None
    """Committed with the events."""
    disclosed_state: CampaignState | None = None
    """The asker's audience state after the events; None: the usual effect of events on it."""
    about: Sequence[PastAction] = ()
    """The actions that the events are about, to be quoted."""
    entering: Sequence[Entering] = ()
    """The descriptions of things in play that are told again after the events."""


class Hold(Struct, frozen=True):
    """Stands in a campaign's queue for a holder, to whom the queue is given when it comes to this."""


class PendingCommand(Struct, eq=False):
    """A command on its way through the service."""

    campaign_id: CampaignId
    account: AccountId | None
    request: ActRequest
    action_id: ActionId
    answered: asyncio.Future[bytes]
    key: str | None = None
    """With `request_hash` it makes a repetition harmless."""
    request_hash: bytes = b""
    if_match: int | None = None
    """The head that the asker insists on."""
    choice: str | None = None
    """The choice that it answers, or else nothing."""
    history: HistoryDecision | None = None
    """The decision, where the campaign's state alone does not suffice."""
    reads: str | None = None
    """The language that the asker reads the answer in; None: `language`."""
    language: str = ENGLISH
    """The campaign's, once it is known that the asker belongs to it."""
    dice_seeds: EpochSeeds | None = None
    """Those of the epoch that the command names, where it names one."""
    deadline: float = 0.0
    """When it is answered at the latest, in seconds of the monotonic clock."""
    fired: int = 0
    """So many due commands a run of them has fired so far."""
    about: Sequence[PastAction] = ()
    """The actions that the answer quotes."""
    typed: TableDice | None = None
    """The dice that the group rolled itself, where several commands share them; None: those of the request."""
    no_room: Rejection | None = None
    """The refusal for want of room, unless the key is known."""
    is_hold: bool = False
    """It is nothing to decide: the queue is held for the task that waits for its answer."""

    @property
    def own_key(self) -> OwnKey:
        """The key and its account, as one dictionary key."""
        return (0 if self.account is None else self.account.int, self.key or "")

    def tell(self, result: bytes | Rejection) -> None:
        """Answer the asker, unless they were answered or have disconnected."""
        if self.answered.done():
            return
        if isinstance(result, Rejection):
            tell_refusal(result, self.reads or self.language)
            self.answered.set_exception(result)
        else:
            self.answered.set_result(result)

    def fail(self, failure: Exception) -> None:
        """Fail the command: its outcome is not known."""
        if not self.answered.done():
            self.answered.set_exception(failure)
