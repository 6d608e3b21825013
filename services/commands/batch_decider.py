"""Decides the waiting commands of one campaign into one batch, each on the state after those before it."""

from collections.abc import Callable
from typing import Any

from domain.campaign.command_request import ActRequest, Together
from domain.rejection import Rejection
from services.campaign.name_resolver import NameResolver
from services.campaign.unsealed_action import UnsealedAction
from services.commands.append_batch import AppendBatch
from services.commands.command_queue import CampaignQueue
from services.commands.decide_command import decide_command
from services.commands.decide_together import decide_together
from services.commands.pending_command import PendingCommand
from services.commands.response import ResponseDraft, draft_response
from services.commands.run_due import CALENDAR_ONLY, NOTHING_DUE, DueRun, RunDue, run_due
from services.ports.clock_and_randomness import Clock, DiceSource, Entropy

CAMPAIGN_MAX = 128
"""Commands of one campaign in one batch, at most."""

DUE_SECONDS = 0.05
"""After so many seconds, the remaining due commands wait for the next batch."""


class BatchDecider:
    """`clock` gives the database's time, `now` is a monotonic clock in seconds."""

    def __init__(
        self, clock: Clock, dice: DiceSource, entropy: Entropy, names: NameResolver, now: Callable[[], float]
    ) -> None:
        self._clock = clock
        self._dice = dice
        self._entropy = entropy
        self._names = names
        self._now = now

    def decide(self, queue: CampaignQueue, until: float) -> AppendBatch:
        """Take commands from a ready queue and decide them in memory: at least one, and more until `until`.

        Due commands run before each of them; if they take longer than a batch has time, no other command is
        decided before the rest of them. An undo, redo, reveal or erasure has a batch of its own, and a hold ends
        one. Exceptions of a defect pass through: then the campaign in memory no longer agrees with the log.
        """
        assert queue.loaded is not None, "only what is loaded is ready"
        queue.batch = batch = AppendBatch(queue.campaign_id, queue.loaded)
        most = queue.retried or CAMPAIGN_MAX
        while (
            queue.waiting
            and len(batch.commands) < most
            and not (batch.more_due or batch.is_history or batch.outdates_memory)
        ):
            if batch.commands and (queue.waiting[0].history is not None or self._now() >= until):
                break
            if queue.waiting[0].is_hold:
                break
            at = self._clock()
            command = queue.take()
            batch.commands.append(command)  # first: if a defect follows, this command has to be failed, too
            if isinstance(command.request.command, RunDue):
                self._run_due(command, command.request.command, batch, at)
            elif self._run_due_now(batch, at).more:
                queue.put_first([batch.commands.pop()])
            else:
                self._decide(command, batch, at)
        queue.retried = max(0, queue.retried - len(batch.commands))
        return batch

    def _decide(self, command: PendingCommand, batch: AppendBatch, at: int) -> None:
        """Decide a member's command and apply its events in memory."""
        loaded = batch.loaded
        if command.key is not None:
            own_key = command.own_key
            if own_key in loaded.recent_keys:
                batch.repeated += (command,)
                return
            if own_key in batch.keyed:
                batch.copies += (command,)
                return
        try:
            decide = decide_together if isinstance(command.request.command, Together) else decide_command
            actions = decide(command, loaded, at, self._dice, self._entropy)
        except Rejection as refusal:
            batch.unwritten += ((command, refusal),)
            return
        except Exception as defect:  # noqa: BLE001 — a defect in a rule must fail this command only
            command.fail(defect)
            return
        first = batch.events
        if not (actions[0].events or any(action.events for action in actions)):
            batch.unwritten += ((command, self._draft(command, batch, actions, first)),)
            return
        if command.history is None:
            for action in actions:
                batch.add(action)
        else:
            batch.add_history(actions, command.history)
        due = NOTHING_DUE if batch.outdates_memory else self._run_due_now(batch, at)
        batch.accept(command, self._draft(command, batch, [*actions, *due.actions], first, more_due=due.more))

    def _draft(
        self,
        command: PendingCommand,
        batch: AppendBatch,
        actions: list[UnsealedAction],
        first: int,
        *,
        more_due: bool = False,
    ) -> ResponseDraft:
        """The draft of the answer. Only GMs are told of consequences for hidden things, and of their seqs."""
        by_gm = batch.loaded.state.members.get(command.account) == "gm" if command.account is not None else True
        events: list[Any] = []
        visibilities: list[str] = []
        places: list[int] = []
        for action in actions:
            if by_gm or not action.follows_hidden:
                events += action.events
                visibilities += action.visibilities
                places += range(first, first + len(action.events))
            first += len(action.events)
        return draft_response(
            batch.loaded,
            command.account,
            command.action_id,
            events,
            visibilities,
            self._names,
            about=command.about if command.history is None else command.history.about,
            places=places,
            more_due=more_due,
            reads=command.reads,
            disclosed_state=command.history.disclosed_state if command.history is not None else None,
        )

    def _run_due(self, command: PendingCommand, request: RunDue, batch: AppendBatch, at: int) -> None:
        """Run the due commands that a worker found, or that an earlier batch had no time for."""
        schedule, loaded = batch.loaded.schedule, batch.loaded
        due_commands = schedule.all(loaded.state)
        batch.has_orphans = batch.has_orphans or any(key not in due_commands for key in request.keys)
        run = self._run_due_now(batch, at, request)
        batch.due_runs += ((command, len(run.actions)),)
        if run.more:
            failed = {key for key, _ in run.failed}
            due_commands = schedule.all(loaded.state)
            rest = [key for key in request.keys if key in due_commands and key not in failed]
            command.request = ActRequest(command=RunDue(request.real_time, rest))

    def _run_due_now(self, batch: AppendBatch, at: int, command: RunDue = CALENDAR_ONLY) -> DueRun:
        """Run the commands that are due now in memory, for as long as there is time."""
        loaded = batch.loaded
        if not loaded.schedule.all(loaded.state):
            return NOTHING_DUE
        until = self._now() + DUE_SECONDS

        def time_is_up() -> bool:
            return self._now() >= until

        run = run_due(batch.campaign_id, loaded, at, self._dice, self._entropy, command, batch.add, time_is_up)
        batch.failed += (*run.failed,)
        batch.more_due = batch.more_due or run.more
        return run
