"""Commands and events of undo, redo and requests for them."""

from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType, field

from domain.campaign.messages.base_types import Command, Event
from domain.field_references import ref
from domain.ids import AccountId, ActionId, CharacterId
from domain.personal_text import FreeText
from domain.systems.system import Posting


class DeclineUndo(Command, frozen=True, tag="campaign.decline_undo"):
    """Decline a request to undo an action; the account that asked may withdraw it this way."""

    action_id: Annotated[ActionId, ref("undo_request")]
    reason: FreeText | None = None


class UndoAction(Command, frozen=True, tag="campaign.undo_action"):
    """Undo an action and its consequences. With `cascade`, also what depends on it.

    `confirm` is the number of actions in a cascade, needed for large ones.
    """

    action_id: ActionId
    reason: FreeText | None = None
    cascade: bool = False
    confirm: int | None = None


class UndoSince(Command, frozen=True, tag="campaign.undo_since"):
    """Undo several actions as one: all later ones of people, as far as they can be undone, or those it names."""

    after: int | None = None
    """The last seq that stays."""
    action_ids: list[ActionId] = field(default_factory=list)
    reason: FreeText | None = None
    cascade: bool = False
    """Also undo the actions that depend on the named ones."""
    confirm: int | None = None
    """How many actions this undoes, those that depend on others included; needed where there are many."""


class RedoAction(Command, frozen=True, tag="campaign.redo_action"):
    """Redo an undone action, together with the actions undone with it."""

    action_id: ActionId
    reason: FreeText | None = None
    cascade: bool = False
    confirm: int | None = None


class RequestUndo(Command, frozen=True, tag="campaign.request_undo"):
    """Ask the GMs to undo an action; `command` is the wire name of its command."""

    action_id: ActionId
    command: str
    reason: FreeText | None = None


UndoCommand = UndoAction | UndoSince | RedoAction | RequestUndo
"""Commands with routes of their own, because they need more of the past than a state holds."""


class DieBack(Struct, frozen=True, gc=False):
    """A server die of an undone roll; it comes back when the same person rolls the like again."""

    sides: int
    natural: int
    proof: str


class ActionUndone(Event, frozen=True, tag="campaign.action_undone"):
    """An action is undone: from here on everything is as if it had never happened, but it stays in the log."""

    undoable = False

    action_id: ActionId
    first_seq: int
    last_seq: int
    because: Literal["asked", "caused", "depends"]
    """A member asked for it, an undone action caused it, or it depends on one."""
    command: str
    """The wire name of its command."""
    undone_in: ActionId
    """The action that undid it, together with others."""
    rolled_by: AccountId | None = None
    """The account that rolled, if dice were rolled in it."""
    reversals: list[Posting] = field(default_factory=list)
    """They move back what it had moved in the ledger."""
    reason: FreeText | None = None
    visibility: str = "all"
    """Its readers until then."""
    dice: list[DieBack] | UnsetType = UNSET
    """The dice that it returns; unset: none."""
    character: CharacterId | UnsetType = UNSET
    """The character that rolled, if it was one character's roll."""


class RolledAgain(Event, frozen=True, tag="campaign.rolled_again"):
    """New dice were rolled for the command of an undone action: a second try, pointed out to readers."""

    action_id: ActionId
    readers: str | UnsetType = UNSET
    """Those of the new roll, if fewer read it than the undone one; unset: the same."""


class DiceCameBack(Event, frozen=True, tag="campaign.dice_came_back"):
    """Some of these dice are not new: they were rolled in an action that was undone, and have the same faces."""

    action_id: ActionId


class ActionRedone(Event, frozen=True, tag="campaign.action_redone"):
    """An undone action counts again, at its old place; `postings` are the amounts it moves in the ledger."""

    undoable = False

    action_id: ActionId
    first_seq: int
    last_seq: int
    command: str
    redone_in: ActionId
    postings: list[Posting] = field(default_factory=list)
    reason: FreeText | None = None


class ActionAffected(Event, frozen=True, tag="campaign.action_affected"):
    """An action stands although its outcome would differ after this undo or redo."""

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
    """A GM declines to undo an action, or the account that asked withdraws the request."""

    undoable = False

    action_id: ActionId
    reason: FreeText | None = None


UndoEvent = (
    ActionUndone | RolledAgain | DiceCameBack | ActionRedone | ActionAffected | UndoRequested | UndoDeclined
)
