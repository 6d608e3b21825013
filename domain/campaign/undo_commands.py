"""What people can ask about what was done: to undo it, to redo it, or to have a GM undo it."""

from domain.campaign.command import Command
from domain.ids import ActionId
from domain.texts import FreeText


class DeclineUndo(Command, frozen=True, tag="campaign.decline_undo"):
    """Leave an action as it is that somebody asked to undo; whoever asked may take it back so."""

    action_id: ActionId
    reason: FreeText | None = None


class UndoAction(Command, frozen=True, tag="campaign.undo_action"):
    """Strike an action and what it caused. With `cascade`, what depends on it goes too.

    `confirm` is the number of actions that go in a cascade, wanted where they are many.
    """

    action_id: ActionId
    reason: FreeText | None = None
    cascade: bool = False
    confirm: int | None = None


class RedoAction(Command, frozen=True, tag="campaign.redo_action"):
    """Let a struck action count again, with whatever was struck together with it."""

    action_id: ActionId
    reason: FreeText | None = None
    cascade: bool = False
    confirm: int | None = None


class RequestUndo(Command, frozen=True, tag="campaign.request_undo"):
    """Ask the GMs to undo an action; `command` is the wire name of what had been asked."""

    action_id: ActionId
    command: str
    reason: FreeText | None = None


UndoCommand = UndoAction | RedoAction | RequestUndo
"""What has a route of its own, because it needs more of the past than a state holds."""
