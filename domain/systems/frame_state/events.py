"""The events of Frame State.

Fields are the rulebook's words. A field that `evolve` adds up is a change (`points`, `amount`,
`carried_amount`); fields called `…_after`, `…_total`, `from`, `to` and `offer` are what people saw at the time.
"""

from typing import ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType, field

from domain.ids import AccountId, ActionId
from domain.personal_text import FreeText, Name
from domain.systems.frame_state.base_event_types import Fact
from domain.systems.frame_state.entrance_events import EntranceEvent
from domain.systems.frame_state.frame_replacement_events import ReplacementEvent
from domain.systems.frame_state.rolls import AverageDie, CountedModifier, RolledDie
from domain.systems.frame_state.settings import FrameLoss, Gate, RefitScope
from domain.systems.frame_state.state import Build, Category, Frame, Modifier, Pool, TestDie
from domain.systems.frame_state.tables import Method, Outcome, PresetName, TestType

Roller = Literal["pilot", "npc"]
SpendingReason = Literal["advancement", "refit", "new_frame"]


# --- the table


class CatalogueDefined(Fact, frozen=True, tag="frame_state.catalogue_defined"):
    """The whole catalogue: everything for sale in this campaign, with everything a preset adds (FS-C1).

    `listed` are the categories that got a list of attributes to begin with. Those that are `short_of_room` begin
    with more points than their attributes take.
    """

    added_later: ClassVar[tuple[str, ...]] = ("listed", "short_of_room")
    categories: dict[str, Category]
    preset: PresetName | None
    starting_currency: int
    new_frame_price: int | None
    warnings: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    short_of_room: list[str] = field(default_factory=list)


class RoleAssigned(Fact, frozen=True, tag="frame_state.role_assigned"):
    """A player takes the Handler's seat or a pilot's, and leaves the other (FS-C2)."""

    player: AccountId
    role: Literal["handler", "pilot"]


class SessionStarted(Fact, frozen=True, tag="frame_state.session_started"):
    """The pilots of a session, and players without a sheet; warns unless `company` is `recommended` (FS-C3)."""

    in_passing: ClassVar[tuple[str, ...]] = ("pilots",)
    pilots: list[str]
    warning: str | None = None
    company: int | None = None
    recommended: list[int] = field(default_factory=list)


# --- pilots and machines


class PilotCreated(Fact, frozen=True, tag="frame_state.pilot_created"):
    """A pilot's sheet, with the pools of pilot-owned categories (FS-C4)."""

    pilot_id: str
    player_id: AccountId | None
    name: Name
    pools: dict[str, Pool]
    currency: int
    background: FreeText | None = None


class PilotAdopted(Fact, frozen=True, tag="frame_state.pilot_adopted"):
    """A pilot is imported from another campaign with points, money and machines, including wrecks.

    Currency and refit credit come from `world:adoption`. The ids are this campaign's.
    """

    pilot_id: str
    player_id: AccountId | None
    name: Name
    currency: int
    build: Build
    frames: list[Frame]
    background: FreeText | None = None


class PilotAssigned(Fact, frozen=True, tag="frame_state.pilot_assigned"):
    """A pilot is handed to another player; None: no player."""

    pilot: str
    player_id: AccountId | None


class UnitCreated(Fact, frozen=True, tag="frame_state.unit_created"):
    """An NPC of the Handler's (FS-C5)."""

    unit_id: str
    controller: Literal["handler"]
    kind: Literal["npc"]
    name: Name


class FrameCreated(Fact, frozen=True, tag="frame_state.frame_created"):
    """A pilot's machine, with the pools of frame-owned categories (FS-C5)."""

    frame_id: str
    pilot_id: str
    name: Name
    pools: dict[str, Pool]


class FrameLost(Fact, frozen=True, tag="frame_state.frame_lost"):
    """A frame is lost; the cost of its upgrades stays on record (FS-C15, FS-W2)."""

    frame: str
    pilot: str
    upgrade_cost_total: int
    upgrade_costs: dict[str, int]
    cause: FreeText | None = None


class FrameReplaced(Fact, frozen=True, tag="frame_state.frame_replaced"):
    """A new frame takes the place of a lost one (FS-C16).

    The new frame's ledger grows by `carried_amount`, its refit credit by `carried_credit`. With
    `frame_loss: pools_kept` the old frame's points come over and the new frame's own are given up;
    `advances_lost` are the paid ones, by category, that do not fit within the limits.
    """

    added_later: ClassVar[tuple[str, ...]] = ("advances_lost",)
    derived: ClassVar[tuple[str, ...]] = ("carried_amount", "carried_credit")
    pilot: str
    old: str
    new: str
    carried_ledger_total: int
    carried_amount: int
    carried_credit: int
    frame_loss: FrameLoss
    advances_lost: dict[str, int] | UnsetType = UNSET


class SalvageCredited(Fact, frozen=True, tag="frame_state.salvage_credited"):
    """A tenth of a wreck's upgrades pays for refits: of the wreck's successor, `credited_to` (FS-C17)."""

    drawn: ClassVar[tuple[str, ...]] = ("amount",)
    frame: str
    credited_to: str
    upgrade_cost_total: int
    amount: int
    salvage: Gate
    usable_for: Literal["refit_of_new_frame"] = "refit_of_new_frame"


# --- points


class PointAllocated(Fact, frozen=True, tag="frame_state.point_allocated"):
    """A point is placed: one grade more (FS-C6, FS-10). `frame` is None for the pilot's own attributes.

    `freed_from`: the attribute from which a refit had freed this point.
    """

    added_later: ClassVar[tuple[str, ...]] = ("freed_from",)
    pilot: str
    frame: str | None
    category: str
    attribute: str
    from_: int | str = field(name="from")
    to: int | str
    unspent_after: int
    points: int = 1
    beyond_d12_bonus: bool = False
    freed_from: str | UnsetType = UNSET


class PointLost(Fact, frozen=True, tag="frame_state.point_lost"):
    """A refit takes a placed point away; it is unspent now (FS-14)."""

    pilot: str
    frame: str | None
    category: str
    attribute: str
    from_: int | str = field(name="from")
    to: int | str
    points: int = 1
    refit_scope: RefitScope = "any"


class PointGranted(Fact, frozen=True, tag="frame_state.point_granted"):
    """A refit leaves its new point unspent: the lost point is already free (FS-14).

    It may not go back to the attribute that it was `freed_from` (FS-A10).
    """

    added_later: ClassVar[tuple[str, ...]] = ("freed_from",)
    pilot: str
    frame: str | None
    category: str
    unspent_after: int
    freed_from: str | UnsetType = UNSET


class CategoryAdvanced(Fact, frozen=True, tag="frame_state.category_advanced"):
    """A category's maximum grows by a bought point (FS-C12, FS-11)."""

    pilot: str
    frame: str | None
    category: str
    cost: int
    advances_after: int
    maximum_after: int
    unspent_after: int
    points: int = 1
    explanation: FreeText | None = None


class UpgradeCostRecorded(Fact, frozen=True, tag="frame_state.upgrade_cost_recorded"):
    """A frame's ledger grows by the price of an upgrade (FS-12)."""

    frame: str
    category: str
    amount: int
    total_after: int


class ExperimentalInstalled(Fact, frozen=True, tag="frame_state.experimental_installed"):
    """An experimental upgrade of +1 to +3 goes into an attribute (FS-C14, FS-13)."""

    pilot: str
    frame: str | None
    attribute: str
    value: int
    bonus_total: int
    offer: int | str
    note: FreeText | None = None


# --- tests


class TestProposed(Fact, frozen=True, tag="frame_state.test_proposed"):
    """A pilot asks for a proactive test; the Handler sets the mark (FS-C7)."""

    added_later: ClassVar[tuple[str, ...]] = ("hidden",)
    proposal_id: str
    pilot: str
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    intent: FreeText | None = None
    hidden: bool | UnsetType = UNSET


class TestCalled(Fact, frozen=True, tag="frame_state.test_called"):
    """A test waits for its roll (FS-C7). `mark` is None for readers who may not see it."""

    added_later: ClassVar[tuple[str, ...]] = ("hidden",)
    test_id: str
    pilot: str
    roller: Roller
    test_type: TestType
    initiator: Literal["pilot", "handler"]
    mark: int | None
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    mark_hidden: bool = False
    proposal: str | None = None
    situation: FreeText | None = None
    hidden: bool | UnsetType = UNSET


class TestResolved(Fact, frozen=True, tag="frame_state.test_resolved"):
    """A test's whole arithmetic (FS-6). `dice` is empty and `averages` filled where nothing was rolled.

    The recorded settings are those that mattered: a bonus for dice past d12, rolls for NPCs.
    """

    test_id: str
    pilot: str
    roller: Roller
    test_type: TestType
    mark: int
    dice: list[RolledDie]
    kept: int
    ace: bool
    modifiers: list[CountedModifier]
    modifier_total: int
    score: int
    difference: int
    outcome: Outcome
    method: Method
    averages: list[AverageDie] = field(default_factory=list)
    beyond_d12_bonus: bool = False
    handler_rolls: bool = False


class TestCancelled(Fact, frozen=True, tag="frame_state.test_cancelled"):
    """A test, or a proposal for one, is cancelled (FS-C9), with its `mission` if that ended it.

    `dice` and `modifiers` are those of the test.
    """

    added_later: ClassVar[tuple[str, ...]] = ("mission", "dice", "modifiers")
    test_id: str
    mission: str | UnsetType = UNSET
    dice: list[TestDie] | UnsetType = UNSET
    modifiers: list[Modifier] | UnsetType = UNSET


class ConsequenceNarrated(Fact, frozen=True, tag="frame_state.consequence_narrated"):
    """The consequence of a test, in the Handler's words (FS-7)."""

    test_id: str
    consequence: FreeText


# --- missions and money


class MissionCosts(Struct, frozen=True):
    """A pilot's use of resources on a mission: integrity lost, and the tier of each use of a weapon (FS-W1)."""

    integrity_lost: int
    weapon_uses: list[int]


class MissionStarted(Fact, frozen=True, tag="frame_state.mission_started"):
    """A mission begins for these pilots (FS-C10)."""

    mission_id: str
    name: Name
    pilots: list[str]


class MissionConcluded(Fact, frozen=True, tag="frame_state.mission_concluded"):
    """A mission is over, and `payouts` are owed by pilot (FS-C10, FS-W1). Moves no money itself."""

    mission_id: str
    payouts: dict[str, int]
    concluded_by: ActionId
    costs: dict[str, MissionCosts] = field(default_factory=dict)
    mission_costs: Gate = "off"


class CurrencyAwarded(Fact, frozen=True, tag="frame_state.currency_awarded"):
    """A pilot is paid: by the Handler, or for the mission named (FS-C11, FS-W1)."""

    pilot: str
    amount: int
    reason: FreeText
    balance_after: int
    mission_id: str | None = None


class CurrencyCharged(Fact, frozen=True, tag="frame_state.currency_charged"):
    """A pilot is charged, below zero if need be: by the Handler, or for a mission's costs (FS-C11)."""

    pilot: str
    amount: int
    reason: FreeText
    balance_after: int
    mission_id: str | None = None


class CurrencySpent(Fact, frozen=True, tag="frame_state.currency_spent"):
    """A pilot pays for something of the rulebook; `credit_used` of the `frame` comes on top (FS-11)."""

    drawn: ClassVar[tuple[str, ...]] = ("credit_used",)
    pilot: str
    amount: int
    reason: SpendingReason
    balance_after: int
    credit_used: int = 0
    frame: str | None = None
    category: str | None = None


class CurrencyMoved(Fact, frozen=True, tag="frame_state.currency_moved"):
    """A pilot's currency changes by `change`, to or from another account: a transfer between people."""

    pilot: str
    change: int
    account: str
    balance_after: int


Event = (
    CatalogueDefined
    | RoleAssigned
    | SessionStarted
    | PilotCreated
    | PilotAdopted
    | PilotAssigned
    | EntranceEvent
    | UnitCreated
    | FrameCreated
    | FrameLost
    | ReplacementEvent
    | FrameReplaced
    | SalvageCredited
    | PointAllocated
    | PointLost
    | PointGranted
    | CategoryAdvanced
    | UpgradeCostRecorded
    | ExperimentalInstalled
    | TestProposed
    | TestCalled
    | TestResolved
    | TestCancelled
    | ConsequenceNarrated
    | MissionStarted
    | MissionConcluded
    | CurrencyAwarded
    | CurrencyCharged
    | CurrencySpent
    | CurrencyMoved
)
