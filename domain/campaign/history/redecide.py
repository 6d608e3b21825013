"""Re-decides an old command on another state, with the dice that were rolled then.

Only the search for actions affected by an undo does so: stored events are never decided again.
"""

from typing import Any, Literal

from domain.campaign import aggregate
from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted
from domain.campaign.due_commands import is_due, owed_by_rules
from domain.campaign.evolve import evolve_all
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.campaign.subjects import subjects_in
from domain.command_context import CommandContext, Role
from domain.dice import Die
from domain.dice.dice_in_events import dice_of
from domain.systems.system import DueCommand, InRealTime


class RecordedDice:
    """The dice of an old action again, the service's or the table's, in the order in which they were rolled."""

    def __init__(self, action: PastAction) -> None:
        self._action = action
        self._dice: list[Die] | None = None

    def roll(self, sides: int) -> Die:
        """The next die with these sides. Raises `OtherDiceWanted`."""
        if (
            self._dice is None
        ):  # collected late: most commands roll none, and looking for dice takes as long as deciding
            self._dice = _dice_of_action(self._action)
        for place, die in enumerate(self._dice):
            if die.sides == sides:
                return self._dice.pop(place)
        raise OtherDiceWanted

    def finish(self) -> None:
        """Does nothing: a die may be in several events, and fewer may be wanted now, so some may be left over."""


def decided_again(state: CampaignState, action: PastAction) -> list[Any]:
    """The events that the action's commands bring on this state, each after those before it.

    Raises `domain.rejection.Rejection` and `OtherDiceWanted`.
    """
    first, *others = action.parts
    events = aggregate.decide(state, asked_again(state, first), RecordedDice(first))
    if others:
        state = evolve_all(decode_state(encode_state(state)), events)
        for part in others:
            further_events = aggregate.decide(state, asked_again(state, part), RecordedDice(part))
            state = evolve_all(state, further_events)
            events = [*events, *further_events]
    return events


def _dice_of_action(action: PastAction) -> list[Die]:
    typed = None if action.request is None else action.request.dice
    return dice_of(action.events) if typed is None else [Die(sides, face, "table") for sides, face in typed]


def still_owed(state: CampaignState, action: PastAction) -> DueCommand | None:
    """The due command that the action ran, if the state still owes it; None: it does not."""
    assert action.request is not None
    due = (
        due_command
        for due_command in owed_by_rules(state)
        if is_due(due_command, state.game_time, action.recorded_at)
    )
    return next((due_command for due_command in due if due_command.command == action.request.command), None)


def asked_again(state: CampaignState, action: PastAction) -> CommandContext:
    """The context of the old command; for a due command, at the moment when it was due."""
    assert action.request is not None
    at, game_time = action.recorded_at, state.game_time
    role: Role | Literal["worker"] = "worker"
    if action.actor is None:
        due = still_owed(state, action)
        at = due.due.microsecond if due is not None and isinstance(due.due, InRealTime) else at
        game_time = action.game_time
    else:
        role = state.members.get(action.actor, "player")
    return CommandContext(
        command=action.request.command,
        account=action.actor,
        role=role,
        action_id=action.action_id,
        at=at,
        game_time=game_time,
        settings=None,
        members=state.members,
        visibility=action.visibility,
        meant_ids=lambda: subjects_in(action.events),
        outcome=action.events,
    )
