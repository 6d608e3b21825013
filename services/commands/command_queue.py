"""Who waits: one bounded queue per campaign, and the list of campaigns whose queue can be served.

A campaign is in one place at a time: loading, ready, in flight, or recovering after a conflict. Whatever a group
stays in its campaign's own queue, so that the order inside a campaign cannot be lost.
"""

from collections import deque
from math import inf
from typing import TYPE_CHECKING, Literal

from domain.ids import AccountId, CampaignId
from services.commands.decide_command import PendingCommand
from services.errors import RateLimitExceeded

if TYPE_CHECKING:
    from services.commands.append_batch import AppendBatch
    from services.commands.campaign_cache import LoadedCampaign

QUEUED_MAX = 4_096
"""Commands that may wait for one campaign."""

QUEUED_PER_ACCOUNT_MAX = QUEUED_MAX // 2
"""Of these, commands of one account: the rest is left to the others at the table."""

GROUP_WORTH = 8
"""Fewer commands do not make a group beside one in flight: to send it costs as much as to decide four of them."""

RETRY_SECONDS = 1

Status = Literal["loading", "ready", "in_flight", "recovering"]


class CampaignQueue:
    """The commands that wait for one campaign, in the order in which they came. It exists while there are any.

    `waiting` are those commands. `loaded` is the campaign while the queue is ready or in flight, `batch` what is
    in flight. After a verdict of duplicate keys only the first `retried` are decided next: their keys were
    compared already, so that none that came since can fail them again. `conflicts` counts how often others have
    been faster in a row.
    """

    def __init__(self, campaign_id: CampaignId) -> None:
        self.campaign_id = campaign_id
        self.status: Status = "loading"
        self.loaded: LoadedCampaign | None = None
        self.batch: AppendBatch | None = None
        self.retried = 0
        self.conflicts = 0
        self.waiting: deque[PendingCommand] = deque()

    @property
    def first(self) -> PendingCommand:
        """The command that is decided next."""
        return self.waiting[0]

    @property
    def deadline(self) -> float:
        """When the first command that waits or is in flight must be answered; inf: there is none."""
        in_flight = [] if self.batch is None else self.batch.commands
        return min((command.deadline for command in (*in_flight, *self.waiting)), default=inf)

    def add(self, command: PendingCommand) -> None:
        """Put a command at the end. Raises `RateLimitExceeded` (`campaign_queue_full`)."""
        if len(self.waiting) >= QUEUED_PER_ACCOUNT_MAX and self._is_full_for(command.account):
            detail = "Too many commands wait for this campaign: try again in a second."
            raise RateLimitExceeded("campaign_queue_full", detail, RETRY_SECONDS)
        self.waiting.append(command)

    def _is_full_for(self, account: AccountId | None) -> bool:
        if len(self.waiting) >= QUEUED_MAX:
            return True
        return sum(each.account == account for each in self.waiting) >= QUEUED_PER_ACCOUNT_MAX

    def put_first(self, commands: list[PendingCommand]) -> None:
        """Put commands before all others: the service's own, or those that must be decided again."""
        self.waiting.extendleft(reversed(commands))

    def take(self) -> PendingCommand:
        """Remove and return the first command."""
        return self.waiting.popleft()

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
            self.retried = max(0, self.retried - sum(each in late for each in [*self.waiting][: self.retried]))
            self.waiting = deque(command for command in self.waiting if command.deadline > now)
        return late


class ReadyList:
    """The campaigns that can be served, first come first served, and how many commands wait for them together."""

    def __init__(self) -> None:
        self._queues: deque[CampaignQueue] = deque()
        self.commands = 0

    def __bool__(self) -> bool:
        return bool(self._queues)

    @property
    def first(self) -> CampaignQueue:
        """The campaign that is served next."""
        return self._queues[0]

    def add(self, queue: CampaignQueue) -> None:
        """Put a campaign at the end."""
        queue.status = "ready"
        self._queues.append(queue)
        self.commands += len(queue.waiting)

    def take(self) -> CampaignQueue:
        """Remove and return the first campaign."""
        queue = self._queues.popleft()
        self.commands -= len(queue.waiting)
        return queue

    def take_all(self) -> list[CampaignQueue]:
        """Remove and return all campaigns."""
        queues = [*self._queues]
        self._queues.clear()
        self.commands = 0
        return queues
