"""One bounded queue of commands per campaign, and the list of campaigns whose queue is ready.

A campaign is in one state at a time: loading, ready, in flight, recovering after a conflict, or held for a task
that prepares a command. Commands that a group leaves undecided stay in the campaign's own queue, so that their
order is kept.
"""

from collections import deque
from math import inf
from typing import Literal

from domain.ids import AccountId, CampaignId
from domain.sentences import say
from services.campaign.loaded_campaign import LoadedCampaign
from services.commands.append_batch import AppendBatch
from services.commands.pending_command import PendingCommand
from services.errors import RateLimitExceeded

QUEUED_MAX = 4_096
"""Commands that may wait for one campaign."""

QUEUED_PER_ACCOUNT_MAX = QUEUED_MAX // 2
"""Commands of one account among these: the rest is left to the other members."""

GROUP_WORTH = 8
"""A smaller group does not go beside one in flight: sending it costs as much as deciding four commands."""

RETRY_SECONDS = 1

HOLD_SECONDS = 0.25
"""How long a queue is held at most."""

Status = Literal["loading", "ready", "in_flight", "recovering", "held"]


class CampaignQueue:
    """The commands that wait for one campaign, in the order in which they came. It exists while there are any."""

    def __init__(self, campaign_id: CampaignId) -> None:
        self.campaign_id = campaign_id
        self.status: Status = "loading"
        self.loaded: LoadedCampaign | None = None
        """The campaign while the queue is ready or in flight."""
        self.batch: AppendBatch | None = None
        """The commands in flight."""
        self.retried = 0
        """How many are decided next after a result of duplicate keys; 0: as many as there are.

        Their keys were compared already, so that newer commands cannot make them fail again.
        """
        self.conflicts = 0
        """Consecutive version conflicts."""
        self.holder: PendingCommand | None = None
        """The hold that the queue is given to."""
        self.waiting: deque[PendingCommand] = deque()

    @property
    def deadline(self) -> float:
        """The earliest deadline of the commands that wait or are in flight; inf: there are none."""
        in_flight = [] if self.batch is None else self.batch.commands
        return min((command.deadline for command in (*in_flight, *self.waiting)), default=inf)

    def add(self, command: PendingCommand) -> None:
        """Put a command at the end. Raises `RateLimitExceeded` (`campaign_queue_full`)."""
        if len(self.waiting) >= QUEUED_PER_ACCOUNT_MAX and self._is_full_for(command.account):
            sentence = say("Too many commands wait for this campaign: try again in a second.")
            raise RateLimitExceeded("campaign_queue_full", sentence, RETRY_SECONDS)
        self.waiting.append(command)

    def _is_full_for(self, account: AccountId | None) -> bool:
        if len(self.waiting) >= QUEUED_MAX:
            return True
        return sum(command.account == account for command in self.waiting) >= QUEUED_PER_ACCOUNT_MAX

    def put_first(self, commands: list[PendingCommand]) -> None:
        """Put commands before all others: the service's own, or those that have to be decided again."""
        self.waiting.extendleft(reversed(commands))

    def take(self) -> PendingCommand:
        """Remove and return the first command."""
        return self.waiting.popleft()

    def drop_left(self) -> None:
        """Remove the holds at the front whose holders have left."""
        while self.waiting and self.waiting[0].is_hold and self.waiting[0].answered.done():
            self.take()

    def defer_holds(self) -> None:
        """Let all commands that wait now go before the holds that wait."""
        self.waiting = deque(sorted(self.waiting, key=lambda command: command.is_hold))

    def take_all(self) -> list[PendingCommand]:
        """Remove and return all commands."""
        commands = [*self.waiting]
        self.waiting.clear()
        self.retried = 0
        return commands

    def drop_late(self, now: float) -> list[PendingCommand]:
        """Remove and return the commands whose deadline has passed by `now` (seconds of the monotonic clock)."""
        late = [command for command in self.waiting if command.deadline <= now]
        if late:
            self.retried = max(
                0, self.retried - sum(command in late for command in [*self.waiting][: self.retried])
            )
            self.waiting = deque(command for command in self.waiting if command.deadline > now)
        return late


class ReadyList:
    """The campaigns whose queues are ready, in order of arrival, and how many commands wait in all of them."""

    def __init__(self) -> None:
        self.queues: deque[CampaignQueue] = deque()
        """The first is served next; they come and go by the functions below, which count."""
        self.commands = 0

    def add(self, queue: CampaignQueue) -> None:
        """Put a campaign at the end."""
        queue.status = "ready"
        self.queues.append(queue)
        self.commands += len(queue.waiting)

    def take(self) -> CampaignQueue:
        """Remove and return the first campaign."""
        queue = self.queues.popleft()
        self.commands -= len(queue.waiting)
        return queue

    def take_all(self) -> list[CampaignQueue]:
        """Remove and return all campaigns."""
        queues = [*self.queues]
        self.queues.clear()
        self.commands = 0
        return queues
