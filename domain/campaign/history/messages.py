"""Commands and events of undo, redo and requests for them."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from domain.campaign.message_types import Command, Event
from domain.ids import AccountId, ActionId
from domain.personal_text import FreeText
from domain.systems.system import Posting


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


class DieBack(Struct, frozen=True, gc=False):
    """A server die of an undone roll, that comes back when the same person rolls the like again."""

    sides: int
    natural: int
    proof: str


class ActionUndone(Event, frozen=True, tag="campaign.action_undone"):
    """An action is struck: from here on everything is as if it had never been done.

    It stays in the log, at `first_seq` … `last_seq`. `because` says why it went: somebody `asked`, another
    action that went `caused` it, or it `depends` on one. `undone_in` is the action that struck it, together with
    whatever else went. `command` is the wire name of what had been asked, `reversals` move back what it had
    moved in the ledger. `rolled_by` is whose it was, if dice fell in it; `visibility` says who could read it.
    `dice` are those that it hands back (not there: none).
    """

    undoable = False

    action_id: ActionId
    first_seq: int
    last_seq: int
    because: Literal["asked", "caused", "depends"]
    command: str
    undone_in: ActionId
    rolled_by: AccountId | None = None
    reversals: list[Posting] = field(default_factory=list)
    reason: FreeText | None = None
    visibility: str = "all"
    dice: list[DieBack] | UnsetType = UNSET


class RolledAgain(Event, frozen=True, tag="campaign.rolled_again"):
    """New dice fell for the same command as in an action that was undone before: a second try, for all to see.

    `readers` are those of the new roll, where more people read the one that was undone (not there: the same).
    """

    action_id: ActionId
    readers: str | UnsetType = UNSET


class DiceCameBack(Event, frozen=True, tag="campaign.dice_came_back"):
    """Some of these dice are no new ones: they fell in an action that was undone, and fall as they did."""

    action_id: ActionId


class ActionRedone(Event, frozen=True, tag="campaign.action_redone"):
    """An action that was struck counts again, at its old place; `postings` is what it moves in the ledger."""

    undoable = False

    action_id: ActionId
    first_seq: int
    last_seq: int
    command: str
    redone_in: ActionId
    postings: list[Posting] = field(default_factory=list)
    reason: FreeText | None = None


class ActionAffected(Event, frozen=True, tag="campaign.action_affected"):
    """An action stands although it would have gone otherwise without what was undone (or with what was redone)."""

    undoable = False

    action_id: ActionId
    command: str
    affected_in: ActionId


class UndoRequested(Event, frozen=True, tag="campaign.undo_requested"):
    """A player asks the GMs to undo an action."""

    undoable = False

    action_id: ActionId
    command: str
    requested_by: AccountId
    reason: FreeText | None = None


class UndoDeclined(Event, frozen=True, tag="campaign.undo_declined"):
    """A GM leaves an action as it is, or whoever asked for its undo no longer wants it."""

    undoable = False

    action_id: ActionId
    reason: FreeText | None = None


UndoEvent = (
    ActionUndone | RolledAgain | DiceCameBack | ActionRedone | ActionAffected | UndoRequested | UndoDeclined
)
