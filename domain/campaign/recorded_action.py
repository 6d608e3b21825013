"""An action of the log, with its command."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest, GroupRequest
from domain.campaign.commands import EnterPlay, FollowHidden
from domain.campaign.events import DiceEpochEnded, SettingChanged
from domain.campaign.settings import UNDO_SETTINGS
from domain.dice.dice_in_events import dice_of
from domain.ids import AccountId, ActionId, part_id, whole_action
from domain.systems import owner_of

CAUSED = "action:"
"""How the cause of a due command begins; the id of the action that caused it follows."""


class PastAction(Struct, frozen=True):
    """One whole action of the log. `request` is None where this code no longer knows the command.

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
        """The readers of the command itself, and of at least some of its events."""
        return self.visibilities[0]

    @property
    def command(self) -> str:
        """The wire name of the command; empty where this code no longer knows it."""
        return "" if self.request is None else self.request.command.__struct_config__.tag

    @property
    def caused_by(self) -> ActionId | None:
        """For a due command, the action that caused it."""
        if not self.cause.startswith(CAUSED):
            return None
        return whole_action(ActionId(UUID(self.cause.removeprefix(CAUSED))))

    @property
    def parts(self) -> "Sequence[PastAction]":
        """Each command of a group as an action of its own, with its events; else only the action itself."""
        if not isinstance(self.request, GroupRequest):
            return [self]
        starts = [0, *(further.events for further in self.request.follow)]
        ends = [*starts[1:], len(self.events)]
        first = ActRequest(self.request.command, self.request.dice, visibility=self.request.visibility)
        requests = [first, *(structs.replace(first, command=f.command, dice=f.dice) for f in self.request.follow)]
        return [
            structs.replace(
                self,
                action_id=part_id(self.action_id, nth),
                request=request,
                events=self.events[start:end],
                visibilities=self.visibilities[start:end] or self.visibilities[:1],
            )
            for nth, (request, start, end) in enumerate(zip(requests, starts, ends, strict=True))
        ]

    @property
    def brings_in(self) -> bool:
        """Whether something entered play in it, or was told again."""
        return self.request is not None and isinstance(self.request.command, EnterPlay)

    @property
    def undoable(self) -> bool:
        """Whether none of its events forbids undoing it."""
        return all(can_be_undone(event) for event in self.events)

    @property
    def rolled_by_server(self) -> bool:
        """Whether the service rolled dice in it."""
        return any(die.origin == "server" for die in dice_of(self.events))

    @property
    def binding(self) -> bool:
        """Whether the rules say that it cannot be taken back."""
        return any(system.binds(event) for event in self.events if (system := owner_of(event)) is not None)


def follows(action: PastAction, before: PastAction | None) -> bool:
    """Whether the action is the hidden part of the one before it."""
    command = None if action.request is None else action.request.command
    return isinstance(command, FollowHidden) and before is not None and command.of == before.action_id


def can_be_undone(event: Any) -> bool:
    """Whether an event may be undone: not settings of the right to undo, and not dice epochs.

    An epoch that was used up does not count: it ended by itself after a roll that may be undone like any other.
    """
    if isinstance(event, DiceEpochEnded):
        return event.reason == "used_up"
    if isinstance(event, SettingChanged):
        return event.key not in UNDO_SETTINGS
    return getattr(event, "undoable", True)
