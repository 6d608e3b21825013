"""Re-decides an old command on another state, with the dice that were rolled then.

Only the search for what an undo affects does so: what is stored is never decided again.
"""

from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from domain.campaign import aggregate
from domain.campaign.commands import EnterPlay, FollowHidden
from domain.campaign.dice.extract import dice_of
from domain.campaign.events import DiceEpochEnded, SettingChanged
from domain.campaign.request import ActRequest
from domain.campaign.scheduling.schedule import is_due, owed_by_rules
from domain.campaign.settings import UNDO_SETTINGS
from domain.campaign.state import CampaignState
from domain.campaign.subjects import subjects_in
from domain.command_context import CommandContext, Role
from domain.dice import Die
from domain.ids import AccountId, ActionId
from domain.systems.system import InRealTime, Owed

CAUSED = "action:"
"""How the cause of a due command begins; the id of the action that caused it follows."""


class PastAction(Struct, frozen=True):
    """One whole action of the log. `request` is None where this code no longer knows what was asked.

    `visibilities` are those of its events: hidden events may follow the open ones.
    """

    action_id: ActionId
    first_seq: int
    last_seq: int
    recorded_at: int
    game_time: int
    actor: AccountId | None
    cause: str
    visibilities: list[str]
    request: ActRequest | None
    events: list[Any]

    @property
    def visibility(self) -> str:
        """Who may read that the command was asked, and at least some of its events."""
        return self.visibilities[0]

    @property
    def command(self) -> str:
        """The wire name of the command; empty where this code no longer knows it."""
        return "" if self.request is None else self.request.command.__struct_config__.tag

    @property
    def caused_by(self) -> ActionId | None:
        """For a due command, the action that caused it."""
        return ActionId(UUID(self.cause.removeprefix(CAUSED))) if self.cause.startswith(CAUSED) else None

    @property
    def brings_in(self) -> bool:
        """Whether something entered play in it, or was told again."""
        return self.request is not None and isinstance(self.request.command, EnterPlay)

    @property
    def undoable(self) -> bool:
        """Whether none of its events forbids undoing it."""
        return all(_undoable(event) for event in self.events)

    @property
    def rolled_by_server(self) -> bool:
        """Whether the service rolled dice in it."""
        return any(die.origin == "server" for die in dice_of(self.events))


def follows(action: PastAction, before: PastAction | None) -> bool:
    """Whether the action is the hidden part of the one before it."""
    asked = None if action.request is None else action.request.command
    return isinstance(asked, FollowHidden) and before is not None and asked.of == before.action_id


class OtherDiceWanted(Exception):  # noqa: N818 — nothing has gone wrong: the command goes otherwise now
    """A re-decided command wants dice that were not rolled then."""


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
            self._dice = _fallen(self._action)
        for place, die in enumerate(self._dice):
            if die.sides == sides:
                return self._dice.pop(place)
        raise OtherDiceWanted

    def finish(self) -> None:
        """Does nothing: a die may be in several events, and fewer may be wanted now, so some may be left over."""


def decided_again(state: CampaignState, action: PastAction) -> list[Any]:
    """The events that the action's command brings on this state.

    Raises `domain.rejection.Rejection` and `OtherDiceWanted`.
    """
    return aggregate.decide(state, asked_again(state, action), RecordedDice(action))


def _fallen(action: PastAction) -> list[Die]:
    typed = None if action.request is None else action.request.dice
    return dice_of(action.events) if typed is None else [Die(sides, face, "table") for sides, face in typed]


def still_owed(state: CampaignState, action: PastAction) -> Owed | None:
    """The due command that the action ran, if the state still owes it; None: it does not."""
    assert action.request is not None
    due = (each for each in owed_by_rules(state) if is_due(each, state.game_time, action.recorded_at))
    return next((each for each in due if each.command == action.request.command), None)


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
        meant=lambda: subjects_in(action.events),
    )


def _undoable(event: Any) -> bool:
    """Whether an event may be undone: not settings of who may undo, and not dice epochs.

    An epoch that was used up does not count: it ended by itself after a roll that may be undone like any other.
    """
    if isinstance(event, DiceEpochEnded):
        return event.reason == "used_up"
    if isinstance(event, SettingChanged):
        return event.key not in UNDO_SETTINGS
    return getattr(event, "undoable", True)
