"""Commands and events of undo, redo and requests for them."""

from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType, field

from domain.campaign.message_types import Command, Event
from domain.ids import AccountId, ActionId, CharacterId
from domain.personal_text import FreeText
from domain.references import ref
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
    """Of actions that it names, those that depend on them go, too."""
    confirm: int | None = None
    """The number of actions that go by this wish or depend on others, needed for many."""


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
    """An action is undone: from here on everything is as if it had never happened.

    It stays in the log, at `first_seq` … `last_seq`. `because`: a member `asked`, an undone action `caused` it,
    or it `depends` on one. `undone_in` is the action that undid it, together with others. `command` is the wire
    name of its command, `reversals` move back what it had moved in the ledger. `rolled_by` is whose it was, if
    dice were rolled in it, and `character` whose roll it was, if one character's; `visibility` says who could
    read it. `dice` are those that it returns (unset: none).
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
    character: CharacterId | UnsetType = UNSET


class RolledAgain(Event, frozen=True, tag="campaign.rolled_again"):
    """New dice were rolled for the command of an undone action: a second try, pointed out to readers.

    `readers` are those of the new roll, where more people read the undone one (unset: the same).
    """

    action_id: ActionId
    readers: str | UnsetType = UNSET


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
