"""Runs due commands in a deterministic order, one action each, so that the process does not matter."""

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any

import structlog
from msgspec import Struct

from domain.campaign.calendar.timers import next_firing
from domain.campaign.command_request import ActRequest
from domain.campaign.due_commands import DueKey, is_due, key_of, order_of
from domain.campaign.events import EntryPosted
from domain.campaign.messages.timers import FireTimer, TimerFired
from domain.campaign.settings import language_of
from domain.command_context import CommandContext
from domain.ids import ActionId, CampaignId, whole_action
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.system import DueCommand, InRealTime, OnCalendar
from projections.languages import render
from services.campaign.loaded_campaign import LoadedCampaign
from services.campaign.unsealed_action import UnsealedAction
from services.commands.decide_command import decide_action
from services.errors import BROKEN
from services.ports.clock_and_randomness import DiceSource, Entropy

FIRED_AT_ONCE_MAX = 1_000
"""More due commands than that wait for the next append, so that none grows without bounds."""

ALONE = (TimerFired, EntryPosted)
"""Events that change no other due command."""

log_line = structlog.get_logger("fieldlog.timers")


class RunDue(Struct, frozen=True):
    """The service's own command: run what is due by `real_time`, microseconds UTC (None: on the calendar only).

    `keys` are timers that a worker has claimed: they are tried even if they failed before.
    """

    real_time: int | None = None
    keys: Sequence[DueKey] = ()


CALENDAR_ONLY = RunDue()


STILL_OWED = say("It happened, and is still owed.")


class Failure(Struct, frozen=True):
    """Why a due command failed: a stable code, and a sentence in the language of the campaign."""

    code: str
    text: str


class DueRun(Struct):
    """The due commands that ran, in order, and those that failed, with the reason.

    `more`: the time was up, or too much was due for one append, before all due commands had been tried.
    """

    actions: list[UnsealedAction]
    failed: list[tuple[DueKey, Failure]]
    more: bool = False

    @property
    def events(self) -> list[Any]:
        """The events of all commands that ran."""
        return [event for action in self.actions for event in action.events]


NOTHING_DUE = DueRun([], [])
"""The result if no command is due; leave its lists empty."""


def run_due(
    campaign_id: CampaignId,
    loaded: LoadedCampaign,
    at: int,
    dice: DiceSource,
    entropy: Entropy,
    command: RunDue,
    take: Callable[[UnsealedAction], None],
    time_is_up: Callable[[], bool],
) -> DueRun:
    """Run all due commands, at least one, until `time_is_up`; each is given to `take` at once.

    `take` applies its events in memory. `at` is the moment to record, microseconds UTC.
    """
    if loaded.state.archived_at is not None:
        return NOTHING_DUE
    if command.real_time is None and loaded.schedule.waits_for_calendar(loaded.state):
        return NOTHING_DUE
    run = DueRun([], [])
    queue = _Queue(loaded, command)
    failed: dict[DueKey, Failure] = {}
    language = language_of(loaded.state.changed_settings)
    while (due_command := queue.next()) is not None:
        if len(queue.tried) > 1 and (len(queue.tried) > FIRED_AT_ONCE_MAX or time_is_up()):
            queue.tried.discard(key_of(due_command))
            run.more = True
            break
        try:
            actions = _fire(campaign_id, loaded, due_command, at, dice, entropy)
        except Rejection as refusal:
            failed[key_of(due_command)] = Failure(refusal.code, render(refusal.message, language))
            continue
        except Exception:
            failed[key_of(due_command)] = Failure("defect", render(BROKEN, language))
            log_line.exception("timer_defect", campaign=str(campaign_id), subject=due_command.subject)
            continue
        events: list[Any] = []
        for action in actions:
            if action.events:
                take(action)
                run.actions.append(action)
                events += action.events
        queue.ran(due_command, events)
    still = queue.tried & loaded.schedule.all(loaded.state).keys()
    run.failed = [
        (key, failed.get(key) or Failure("still_owed", render(STILL_OWED, language))) for key in sorted(still)
    ]
    loaded.schedule.failed_timers |= still
    return run


class _Queue:
    """The due commands in order, each only once. Computed again when other commands may be due."""

    def __init__(self, loaded: LoadedCampaign, command: RunDue) -> None:
        self.tried: set[DueKey] = set()
        self._loaded = loaded
        self._real_time = command.real_time
        self._apart = loaded.schedule.failed_timers - set(command.keys)
        self._heap: list[tuple[Any, DueKey, DueCommand]] = []
        self._refill()

    def next(self) -> DueCommand | None:
        """The next due command."""
        while self._heap:
            _, key, due_command = heappop(self._heap)
            if key not in self.tried:
                self.tried.add(key)
                return due_command
        return None

    def ran(self, due_command: DueCommand, events: list[Any]) -> None:
        """Note that a command has run; a timer that only moves money leaves everything else as it is."""
        if not isinstance(due_command.command, FireTimer) or not all(isinstance(event, ALONE) for event in events):
            self._refill()
        elif (timer := self._loaded.state.timers.get(due_command.command.timer)) is not None:
            self._push(next_firing(timer))

    def _refill(self) -> None:
        self._heap = []
        for due_command in self._loaded.schedule.all(self._loaded.state).values():
            self._push(due_command)

    def _push(self, due_command: DueCommand) -> None:
        key = key_of(due_command)
        if key not in self._apart and is_due(due_command, self._loaded.state.game_time, self._real_time):
            heappush(self._heap, (order_of(due_command), key, due_command))


def _fire(
    campaign_id: CampaignId,
    loaded: LoadedCampaign,
    due_command: DueCommand,
    at: int,
    dice: DiceSource,
    entropy: Entropy,
) -> list[UnsealedAction]:
    """Decide one due command at its own moment. Raises `Rejection`.

    Its id is drawn like that of any other action: from one that was derived, readers could work out what it was
    derived from. That nothing fires twice does not rest on ids, as two processes never append to the same head.
    """
    is_open = due_command.visibility == "all" or whole_action(due_command.cause) in loaded.state.revealed
    # The literal is the request's default, which is not stored; an equal string that was loaded would be.
    visibility = "all" if is_open else due_command.visibility
    request = ActRequest(command=due_command.command, visibility=visibility)
    context = CommandContext(
        command=due_command.command,
        account=None,
        role="worker",
        action_id=ActionId(entropy.new_id()),
        at=due_command.due.microsecond if isinstance(due_command.due, InRealTime) else at,
        game_time=due_command.due.second if isinstance(due_command.due, OnCalendar) else loaded.state.game_time,
        settings=None,
        members=loaded.state.members,
        visibility=visibility,
    )
    cause = f"action:{whole_action(due_command.cause)}"
    return decide_action(campaign_id, loaded, context, request, at, dice, entropy, cause)
