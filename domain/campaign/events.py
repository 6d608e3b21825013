"""Events of a campaign itself. `domain.lifecycle_events` holds those that rule systems follow."""

from typing import Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from domain.campaign.messages.archive import ArchiveEvent
from domain.campaign.messages.base_types import Event
from domain.campaign.messages.character_arrivals import ArrivalEvent
from domain.campaign.messages.character_retirement import RetirementEvent
from domain.campaign.messages.deletion_request import DeletionRequestEvent
from domain.campaign.messages.downtime import DowntimeEvent
from domain.campaign.messages.escrow import EscrowEvent
from domain.campaign.messages.imports import ImportEvent
from domain.campaign.messages.names import Renamed
from domain.campaign.messages.next_session import NextSessionEvent
from domain.campaign.messages.text_erasure import TextsErased
from domain.campaign.messages.things import ThingEvent
from domain.campaign.messages.timers import TimerEvent
from domain.campaign.messages.undo import UndoEvent
from domain.command_context import Role
from domain.dice.rolls import CountedDie
from domain.ids import AccountId, ActionId, CharacterId, SystemId
from domain.lifecycle_events import (
    CalendarAdvanced,
    CampaignCreated,
    DowntimeEnded,
    DowntimeStarted,
    SceneEnded,
    SceneStarted,
    SessionEnded,
    SessionStarted,
)
from domain.personal_text import FreeText, ShortText


class MemberJoined(Event, frozen=True, tag="campaign.member_joined"):
    """An account becomes a member: the creator at once, all others by an invite."""

    undoable = False

    account: AccountId
    role: Role
    invite_id: str | None = None


class RoleChanged(Event, frozen=True, tag="campaign.role_changed"):
    """A member has another role from here on."""

    undoable = False

    account: AccountId
    role: Role


class MemberLeft(Event, frozen=True, tag="campaign.member_left"):
    """An account is no longer a member; `removed` tells whether another member decided so."""

    undoable = False

    account: AccountId
    removed: bool


class FounderChanged(Event, frozen=True, tag="campaign.founder_changed"):
    """The campaign has another founder from here on: it was handed over."""

    undoable = False

    account: AccountId


class CharacterAssigned(Event, frozen=True, tag="campaign.character_assigned"):
    """A character is handed to a member; None: it has no player."""

    character: CharacterId
    system: SystemId
    player: AccountId | None


class SettingChanged(Event, frozen=True, tag="campaign.setting_changed"):
    """A setting of this group is changed, e.g. `frame_state.refit_scope` → `frame`."""

    key: str
    value: Any


class AttendanceMarked(Event, frozen=True, tag="campaign.attendance_marked"):
    """A member came late to the play session, or left early."""

    account: AccountId
    present: bool


class NoteAdded(Event, frozen=True, tag="campaign.note_added"):
    """A member writes a note, perhaps about a character."""

    note_id: str
    text: FreeText
    about: CharacterId | None = None


class EntryPosted(Event, frozen=True, tag="campaign.entry_posted"):
    """Currency moves between two accounts of the ledger by hand; `change` is never negative."""

    entry_id: str
    currency: str
    debit: str
    credit: str
    change: int
    reason: FreeText


class BalancesEntered(Event, frozen=True, tag="campaign.balances_entered"):
    """The balances of things that entered play in the same action, in currencies that no rule system keeps.

    Readers who did not know all of the things' past use `balances` from here on; others have them already.
    It `lasts` even when everything they did not know is undone by now; in old logs it does not.
    """

    added_later: ClassVar[tuple[str, ...]] = ("lasts",)
    undoable: ClassVar[bool] = False
    balances: dict[str, dict[str, int]]
    lasts: bool | UnsetType = UNSET


class DiceRolled(Event, frozen=True, tag="campaign.dice_rolled"):
    """Dice are rolled by notation. `notation` is the canonical form of the typed one."""

    added_later: ClassVar[tuple[str, ...]] = ("exact",)
    roll_id: str
    rolled_by: AccountId | None
    notation: str
    dice: list[CountedDie]
    total: int
    successes: int | None = None
    label: ShortText | None = None
    character: CharacterId | None = None
    exact: str | UnsetType = UNSET
    """The total before it was rounded, as a fraction such as `7/2`; left out where that is the total."""


class DiceEpochStarted(Event, frozen=True, tag="campaign.dice_epoch_started"):
    """A dice epoch starts: server dice come from seeds that are committed to here, in hexadecimal.

    `commitment` is the SHA-256 of the open seed, `hidden_commitment` the root over the keys of hidden rolls.
    """

    epoch: int
    commitment: str
    hidden_commitment: str


class DiceEpochEnded(Event, frozen=True, tag="campaign.dice_epoch_ended"):
    """A dice epoch ends, and its open seed is published (None: it was lost).

    `reason` is `asked` by a GM, `used_up` after the last hidden roll that was committed to, or `restored`: the
    log comes from a backup, and dice after it may be known already.
    """

    epoch: int
    seed: str | None
    reason: Literal["asked", "used_up", "restored"]


class DiceWordsAdded(Event, frozen=True, tag="campaign.dice_words_added"):
    """A member added 32 bytes, in hexadecimal, that take part in all later dice of this epoch."""

    undoable: ClassVar[bool] = False
    account: AccountId
    epoch: int
    digest: str


class HiddenDiceRevealed(Event, frozen=True, tag="campaign.hidden_dice_revealed"):
    """The hidden seed of an epoch that has ended, so that all its hidden dice can be recomputed."""

    undoable: ClassVar[bool] = False
    epoch: int
    seed: str


class HiddenRollProved(Event, frozen=True, tag="campaign.hidden_roll_proved"):
    """The key of one hidden roll, and the path from it to the commitment."""

    undoable: ClassVar[bool] = False
    epoch: int
    roll: int
    key: str
    path: list[str]


class ActionRevealed(Event, frozen=True, tag="campaign.action_revealed"):
    """A hidden action is open to everyone from here on, at its old place.

    It is at `first_seq` … `last_seq`; `command` is the wire name of its command. It was revealed because a
    member `asked` for it, or because another revealed action `caused` it. `revealed_in` is the action that
    revealed it.
    """

    undoable: ClassVar[bool] = False
    action_id: ActionId
    first_seq: int
    last_seq: int
    because: Literal["asked", "caused"]
    command: str
    revealed_in: ActionId


class Hidden(Event, frozen=True, tag="campaign.hidden"):
    """Replaces an event that the reader may not see. Never stored."""


CampaignEvent = (
    CampaignCreated
    | SessionStarted
    | SessionEnded
    | SceneStarted
    | SceneEnded
    | DowntimeStarted
    | DowntimeEnded
    | CalendarAdvanced
    | MemberJoined
    | RoleChanged
    | MemberLeft
    | CharacterAssigned
    | SettingChanged
    | AttendanceMarked
    | NoteAdded
    | EntryPosted
    | BalancesEntered
    | DiceRolled
    | Renamed
    | RetirementEvent
    | DowntimeEvent
    | EscrowEvent
    | ThingEvent
    | ArrivalEvent
    | FounderChanged
    | DeletionRequestEvent
    | TimerEvent
    | NextSessionEvent
    | UndoEvent
    | DiceEpochStarted
    | DiceEpochEnded
    | DiceWordsAdded
    | HiddenDiceRevealed
    | HiddenRollProved
    | ActionRevealed
    | ImportEvent
    | ArchiveEvent
    | TextsErased
    | Hidden
)
