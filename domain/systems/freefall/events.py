"""The events of FREE/FALL.

Fields are the rulebook's words. A field that `evolve` adds up is a change (`amount`, `lost`, `change`); `…_after`,
`max_current`, `clamped` and `pool_after` are what people saw at the time. Slots count from 1 for people;
`harm_id` identifies a harm for `evolve`.
"""

from typing import ClassVar, Literal

from msgspec import UNSET, UnsetType, field

from domain.dice import Die
from domain.ids import AccountId, ActionId
from domain.personal_text import FreeText, Name
from domain.systems.freefall.base_event_types import Attributes, Decider, Fact, Purpose
from domain.systems.freefall.entrance_events import (
    EntranceEvent,
)
from domain.systems.freefall.settings import (
    AutoClear,
    AvStacking,
    BrokenMachines,
    CreationValues,
    Credits,
    DeclarationOrder,
    DowntimeRestore,
    PermanentType,
    TnNamedBy,
)
from domain.systems.freefall.state import Action, Attack, Binding, Character, ItemDraft
from domain.systems.freefall.tables import (
    ActionKind,
    AttributeName,
    Fate,
    HarmType,
    MachineAttribute,
    Means,
    Mode,
    Occasion,
    Outcome,
    Source,
)

# --- sheets: characters, their gear, and the machines they pilot


class ClassDefined(Fact, frozen=True, tag="freefall.class_defined"):
    """A class and its specialties (FF-4)."""

    class_: str = field(name="class")
    specialties: list[str]


class CharacterCreated(Fact, frozen=True, tag="freefall.character_created"):
    """A new sheet, every attribute full (FF-C1)."""

    character: str
    player: AccountId | None
    name: Name
    class_: str = field(name="class")
    permanents: Attributes
    specialties: list[str]
    crew: str | None
    npc: bool
    creation_values: CreationValues
    hidden: bool = False


class CharacterAdopted(Fact, frozen=True, tag="freefall.character_adopted"):
    """A character is imported from another campaign, with gear and scars. The ids are this campaign's."""

    sheet: Character


class CharacterAssigned(Fact, frozen=True, tag="freefall.character_assigned"):
    """A character is handed to another player; None: no player."""

    character: str
    player: AccountId | None


class PermanentChanged(Fact, frozen=True, tag="freefall.permanent_changed"):
    """An attribute's cap moves by `change`; current is clamped to the rest of it (FF-1)."""

    character: str
    attribute: AttributeName
    change: int
    permanent_after: int
    max_current: int
    reason: FreeText | None = None


class GearAdded(Fact, frozen=True, tag="freefall.gear_added"):
    """A character has a new item (FF-2)."""

    character: str
    item: str
    what: ItemDraft


class GearEquipped(Fact, frozen=True, tag="freefall.gear_equipped"):
    """An item binds (FF-C2). `lost` is the amount that clamping takes from each attribute."""

    character: str
    item: str
    max_current: Attributes
    clamped: Attributes
    lost: Attributes


class GearUnequipped(Fact, frozen=True, tag="freefall.gear_unequipped"):
    """An item is unbound; current stays as it is (FF-C3, FF-A16)."""

    character: str
    item: str
    max_current: Attributes


class GearDiscarded(Fact, frozen=True, tag="freefall.gear_discarded"):
    """An item is discarded (FF-C3)."""

    character: str
    item: str
    max_current: Attributes


class GearDescribed(Fact, frozen=True, tag="freefall.gear_described"):
    """The description of an item from now on, in the words of its owner or a GM (FF-3)."""

    character: str
    item: str
    description: FreeText


class MachineCreated(Fact, frozen=True, tag="freefall.machine_created"):
    """A vehicle or an exoskeleton (FF-6)."""

    machine: str
    name: Name
    frm: int
    sys: int
    av: dict[HarmType, int]
    pilot_binding: Binding


class MachineBoarded(Fact, frozen=True, tag="freefall.machine_boarded"):
    """A character takes the controls of a machine, which binds (FF-C22)."""

    machine: str
    character: str
    pilot_binding: Binding
    max_current: Attributes
    clamped: Attributes
    lost: Attributes


class MachineLeft(Fact, frozen=True, tag="freefall.machine_left"):
    """A machine has no pilot any more (FF-C22)."""

    machine: str
    character: str
    max_current: Attributes


# --- play: time modes, turns, rolls and conflicts


class TimeModeChanged(Fact, frozen=True, tag="freefall.time_mode_changed"):
    """The time mode changes (FF-C4)."""

    mode: Mode
    scale: int


class ClockOpened(Fact, frozen=True, tag="freefall.clock_opened"):
    """A clock that successes move; `hidden` if only some may know of it."""

    clock: str
    name: Name
    size: int
    hidden: bool | UnsetType = UNSET


class ClockTicked(Fact, frozen=True, tag="freefall.clock_ticked"):
    """Successes move a clock by `by`."""

    clock: str
    by: int
    filled_after: int
    size: int


class ClockClosed(Fact, frozen=True, tag="freefall.clock_closed"):
    """A clock is closed."""

    clock: str


class TurnStarted(Fact, frozen=True, tag="freefall.turn_started"):
    """An actor's dice for this turn, measured once (FF-7); `late` if the turn ran already."""

    turn_id: str
    actor: str
    name: Name
    npc: bool
    filled: int
    dice_pool: int
    late: bool | UnsetType = UNSET


class TurnEnded(Fact, frozen=True, tag="freefall.turn_ended"):
    """The board is cleared."""

    turn_id: str


class ActionsDeclared(Fact, frozen=True, tag="freefall.actions_declared"):
    """An actor takes a seat with actions and dice (FF-8)."""

    turn_id: str
    actor: str
    seat: int
    group: str | None
    actions: list[Action]
    dice_assigned: int
    dice_left: int
    intent: FreeText | None = None


class ResolutionOrdered(Fact, frozen=True, tag="freefall.resolution_ordered"):
    """The order of acting: the last to declare first, or as the GM fixed it (FF-14)."""

    turn_id: str
    order: list[str]
    declaration_order: DeclarationOrder
    fixed_by_gm: bool


class TnNamed(Fact, frozen=True, tag="freefall.tn_named"):
    """A GM names the TN of a declared action (FF-10), or calls a character to a roll without one.

    `tn` is None where a GM calls such a roll off. `tag` and `attribute` are those of the declaration. The answer
    to a call, or its end, names its `call_id`; old ones have none.
    """

    added_later: ClassVar[tuple[str, ...]] = ("tag", "attribute", "call_id")
    actor: str
    tn: int | None
    tn_named_by: TnNamedBy
    action: str | None = None
    situation: FreeText | None = None
    tag: str | UnsetType = UNSET
    attribute: AttributeName | UnsetType = UNSET
    call_id: str | UnsetType = UNSET


class ActionAbandoned(Fact, frozen=True, tag="freefall.action_abandoned"):
    """A declared action is given up, with its dice."""

    added_later: ClassVar[tuple[str, ...]] = ("tag", "attribute")
    action: str
    actor: str
    tag: str | UnsetType = UNSET
    attribute: AttributeName | UnsetType = UNSET


class ActionNegated(Fact, frozen=True, tag="freefall.action_negated"):
    """A conflict, or the GM, undid a declared action (FF-15)."""

    added_later: ClassVar[tuple[str, ...]] = ("tag", "attribute")
    action: str
    actor: str
    why: FreeText | None = None
    tag: str | UnsetType = UNSET
    attribute: AttributeName | UnsetType = UNSET


# --- rolls


class ActionRolled(Fact, frozen=True, tag="freefall.action_rolled"):
    """The dice of an action, each with its bonus, against a TN with all penalties (FF-10, FF-11).

    `conflict_id` says that the dice were rolled in that conflict and are read a second time. `hidden`: only some
    may know of it. `tag` and `attribute` say what it was for where neither `action` nor `narration` does. It was
    called for with `call_id`.
    """

    added_later: ClassVar[tuple[str, ...]] = ("call_id",)
    roll_id: str
    actor: str
    action: str | None
    kind: ActionKind
    base_tn: int
    penalties: list[int]
    tn: int
    bonuses: list[int]
    gear_bonus: int
    bonus: int
    dice: list[Die]
    naturals: list[int]
    results: list[int]
    successes: int
    outcome: Outcome
    conflict: bool
    attack: Attack | None
    within_optimal: bool
    optimal_waived: bool
    mode: Mode
    prerequisite: Literal["specialty", "gear", "spend", "harm", "paid"] | None
    conflict_id: str | None = None
    narration: FreeText | None = None
    hidden: bool | UnsetType = UNSET
    tag: str | UnsetType = UNSET
    attribute: AttributeName | UnsetType = UNSET
    call_id: str | UnsetType = UNSET


class AttackHit(Fact, frozen=True, tag="freefall.attack_hit"):
    """An attack hits for `levels`, before armour (FF-12); `target` as it was declared."""

    added_later: ClassVar[tuple[str, ...]] = ("target",)
    roll_id: str
    actor: str
    dv: int
    harm_type: HarmType
    high_impact: bool
    critical: bool
    levels: int
    target: str | UnsetType = UNSET


class ComplicationFlagged(Fact, frozen=True, tag="freefall.complication_flagged"):
    """Natural ones in a conflict let the GM introduce a complication (FF-13)."""

    roll_id: str
    actor: str
    ones: int


class ComplicationIntroduced(Fact, frozen=True, tag="freefall.complication_introduced"):
    """A complication is introduced (FF-C11)."""

    roll: str
    text: FreeText


class SceneLeftBehind(Fact, frozen=True, tag="freefall.scene_left_behind"):
    """The end of a scene closes ties outside turns, and the rolls that could still have had consequences."""

    ties: list[str] = field(default_factory=list)
    rolls: list[str] = field(default_factory=list)


class SuccessForced(Fact, frozen=True, tag="freefall.success_forced"):
    """In montage, harm turned a failure into a success."""

    roll: str
    actor: str


class ConflictRolled(Fact, frozen=True, tag="freefall.conflict_rolled"):
    """The faster side, by the highest single result, bonuses included (FF-15). `first` is None while tied.

    `gear_bonuses` are those of tools for declared actions, beside the `bonuses` that were named; `met` are the
    sides whose prerequisite was met before they rolled. `unseen` are sides with a hidden roll: their identity
    and their part of `highest` are for GMs alone. `actors` are those of the declared actions.
    """

    conflict_id: str
    turn_id: str | None
    participants: list[str]
    dice: dict[str, list[Die]]
    naturals: dict[str, list[int]]
    bonuses: dict[str, int]
    highest: dict[str, int]
    first: str | None
    tie: bool
    tied: list[str]
    decided_by: Decider | None
    gear_bonuses: dict[str, int] = field(default_factory=dict)
    met: list[str] = field(default_factory=list)
    unseen: list[str] | UnsetType = UNSET
    actors: dict[str, str] | UnsetType = UNSET


class ConflictOrderDecided(Fact, frozen=True, tag="freefall.conflict_order_decided"):
    """A tie is decided (FF-C10); `actor` is the one whose action is `first`."""

    conflict_id: str
    first: str
    decided_by: Decider
    actor: str | UnsetType = UNSET


# --- harm: called, suffered, and resolved level by level (FF-16 to FF-22)


class HarmCalled(Fact, frozen=True, tag="freefall.harm_called"):
    """Harm is called, and its owner has to choose. `will_oust`: the next permanent harm is the last."""

    call_id: str
    character: str
    harm_type: HarmType
    incoming: int
    av: int
    levels: int
    high_impact: bool
    av_stacking: AvStacking
    source: Source
    will_oust: bool
    action: str | None = None
    machine: str | None = None
    roll: str | None = None


class HarmWithdrawn(Fact, frozen=True, tag="freefall.harm_withdrawn"):
    """Unresolved harm is taken back: by a GM, or with the thing it paid for: an action, a forced success."""

    call_id: str
    character: str


class HarmSuffered(Fact, frozen=True, tag="freefall.harm_suffered"):
    """Levels of harm after armour; spent points and the result of each level follow (FF-17).

    `pays` names the declared action whose prerequisite this was; `pays_ahead` says that the roll comes later.
    """

    character: str
    harm_type: HarmType
    incoming: int
    av: int
    levels: int
    high_impact: bool
    source: Source
    av_stacking: AvStacking
    call_id: str | None = None
    pays: str | None = None
    pays_ahead: bool = False


class AttributeSpent(Fact, frozen=True, tag="freefall.attribute_spent"):
    """Current points are spent (FF-9, FF-18)."""

    character: str
    attribute: AttributeName
    amount: int
    purpose: Purpose
    current_after: int
    pays: str | None = None


class HarmMarked(Fact, frozen=True, tag="freefall.harm_marked"):
    """Option A: an empty slot takes a temporary harm."""

    character: str
    harm_id: str
    slot: int
    harm_type: HarmType
    state: Literal["temporary"] = "temporary"
    hidden: bool = False


class HarmMadePermanent(Fact, frozen=True, tag="freefall.harm_made_permanent"):
    """Option B: a temporary harm turns permanent and keeps its type."""

    character: str
    harm_id: str
    slot: int
    harm_type: HarmType
    permanent_type: PermanentType


class GearBroken(Fact, frozen=True, tag="freefall.gear_broken"):
    """Option C: an item stops working; its binding stays. `kept` is how much, where it binds anything."""

    character: str
    item: str
    binding_kept: bool = True
    kept: Attributes | UnsetType = UNSET


class GearFaulted(Fact, frozen=True, tag="freefall.gear_faulted"):
    """Option C on a hardened item: it fails for now (FF-A9)."""

    character: str
    item: str
    binding_kept: bool = True
    kept: Attributes | UnsetType = UNSET


class CharacterOusted(Fact, frozen=True, tag="freefall.character_ousted"):
    """The third permanent harm ends the character's part in the story (FF-16)."""

    verdict: ClassVar[tuple[str, ...]] = ("character",)
    character: str
    cause: Literal["three_permanent_harms"] = "three_permanent_harms"


class CharacterFateDecided(Fact, frozen=True, tag="freefall.character_fate_decided"):
    """Dead or retired (FF-C14)."""

    character: str
    fate: Fate


class HarmConsequenceWritten(Fact, frozen=True, tag="freefall.harm_consequence_written"):
    """The meaning of a permanent harm from now on (FF-C13)."""

    character: str
    harm_id: str
    slot: int
    consequence: FreeText


class MachineHarmSuffered(Fact, frozen=True, tag="freefall.machine_harm_suffered"):
    """Levels of harm after the machine's armour, for the pilot to allocate (FF-22)."""

    machine: str
    pilot: str | None
    harm_type: HarmType
    incoming: int
    av: int
    levels: int
    high_impact: bool
    call_id: str | None = None


class MachineAttributeSpent(Fact, frozen=True, tag="freefall.machine_attribute_spent"):
    """A machine loses points of FRM or SYS."""

    machine: str
    attribute: MachineAttribute
    amount: int
    current_after: int
    purpose: Purpose = "mitigation"
    pays: str | None = None


class MachineBroken(Fact, frozen=True, tag="freefall.machine_broken"):
    """A machine breaks, because it could not take a level; it still binds its pilot, and `kept` is how much."""

    machine: str
    pilot_binding_kept: bool = True
    kept: Attributes | UnsetType = UNSET


# --- recovery
#
# `price` moves from `payer` to an escrow when work is agreed, and on or back when it ends; `payer` is None where
# credits are not tracked. `agreed_in` is the action that work began with: its end has that key, and that action's
# readers (`visibility`).


class TemporaryHarmCleared(Fact, frozen=True, tag="freefall.temporary_harm_cleared"):
    """A slot is empty again (FF-C15); `auto` is the setting that cleared it."""

    character: str
    harm_id: str
    slot: int
    pool_after: int
    by: Means | None = None
    when: Occasion | None = None
    auto: AutoClear | None = None


class RecoveryTaskOpened(Fact, frozen=True, tag="freefall.recovery_task_opened"):
    """A GM is asked which temporary harms clear now (FF-W1); `harms` are ids by character.

    A dismissal of the question names its `task_id`; old ones have none.
    """

    added_later: ClassVar[tuple[str, ...]] = ("task_id",)
    occasion: Occasion
    harms: dict[str, list[str]]
    auto_clear_temporary: AutoClear
    task_id: str | UnsetType = UNSET


class RecoveryTaskClosed(Fact, frozen=True, tag="freefall.recovery_task_closed"):
    """The GM dismisses the question about temporary harm."""

    added_later: ClassVar[tuple[str, ...]] = ("task_id",)
    occasion: Occasion
    task_id: str | UnsetType = UNSET


class TreatmentStarted(Fact, frozen=True, tag="freefall.treatment_started"):
    """A permanent harm is in treatment (FF-C16); `due` is campaign time in seconds."""

    treatment_id: str
    character: str
    harm_id: str
    slot: int
    method: str
    due: int
    required_actions: list[str]
    price: int
    payer: str | None
    credits: Credits
    agreed_in: ActionId | None = None
    visibility: str = "all"


class TreatmentCancelled(Fact, frozen=True, tag="freefall.treatment_cancelled"):
    """A treatment is cancelled."""

    treatment_id: str
    character: str
    price: int
    payer: str | None


class PermanentHarmRemoved(Fact, frozen=True, tag="freefall.permanent_harm_removed"):
    """A treatment is done and the slot empty (FF-C17)."""

    treatment_id: str
    character: str
    harm_id: str
    slot: int
    price: int
    payer: str | None


class RepairStarted(Fact, frozen=True, tag="freefall.repair_started"):
    """A fixer repairs an item (FF-C18); `due` is campaign time in seconds.

    In repairs `character` is None where the `item` is a machine, which has no owner.
    """

    repair_id: str
    character: str | None
    item: str
    fixer: str
    due: int
    parts: list[str]
    surgery: bool
    price: int
    payer: str | None
    credits: Credits
    agreed_in: ActionId | None = None
    visibility: str = "all"


class RepairCancelled(Fact, frozen=True, tag="freefall.repair_cancelled"):
    """A repair is cancelled."""

    repair_id: str
    character: str | None
    item: str
    price: int
    payer: str | None


class GearRepaired(Fact, frozen=True, tag="freefall.gear_repaired"):
    """An item works again (FF-C19), or a machine."""

    repair_id: str
    character: str | None
    item: str
    price: int
    payer: str | None


class GearSelfRepaired(Fact, frozen=True, tag="freefall.gear_self_repaired"):
    """A faulty hardened item works again at a regroup or in downtime (FF-W4)."""

    character: str
    item: str


class RequirementRecorded(Fact, frozen=True, tag="freefall.requirement_recorded"):
    """A need of a treatment or a repair is met (FF-C26)."""

    action: str
    treatment: str | None = None
    repair: str | None = None


class AttributeRestored(Fact, frozen=True, tag="freefall.attribute_restored"):
    """Current points come back, never past the maximum (FF-C20)."""

    character: str
    attribute: AttributeName
    amount: int
    current_after: int
    max_current: int
    downtime_restore: DowntimeRestore | None = None


class MachineAttributeRestored(Fact, frozen=True, tag="freefall.machine_attribute_restored"):
    """A machine's FRM or SYS comes back, never past its permanent value (FF-C20, FF-22)."""

    machine: str
    attribute: MachineAttribute
    amount: int
    current_after: int
    permanent: int
    downtime_restore: DowntimeRestore | None = None


class MachineMended(Fact, frozen=True, tag="freefall.machine_mended"):
    """A broken machine works again because it was restored; `broken_machines` allowed that (FF-22)."""

    machine: str
    broken_machines: BrokenMachines


class RegroupHeld(Fact, frozen=True, tag="freefall.regroup_held"):
    """The crew regroups (FF-C21)."""


class DowntimeStarted(Fact, frozen=True, tag="freefall.downtime_started"):
    """Downtime begins: surgery and long work are possible (FF-C21)."""


class DowntimeEnded(Fact, frozen=True, tag="freefall.downtime_ended"):
    """Downtime ends (FF-C21)."""


class CreditsAwarded(Fact, frozen=True, tag="freefall.credits_awarded"):
    """A crew is paid."""

    crew: str | None
    amount: int
    reason: FreeText
    balance_after: int


class CreditsCharged(Fact, frozen=True, tag="freefall.credits_charged"):
    """A crew pays for something; it may go into debt."""

    crew: str | None
    amount: int
    reason: FreeText
    balance_after: int


Event = (
    ClassDefined
    | CharacterCreated
    | CharacterAdopted
    | CharacterAssigned
    | EntranceEvent
    | PermanentChanged
    | GearAdded
    | GearEquipped
    | GearUnequipped
    | GearDiscarded
    | GearDescribed
    | MachineCreated
    | MachineBoarded
    | MachineLeft
    | TimeModeChanged
    | ClockOpened
    | ClockTicked
    | ClockClosed
    | TurnStarted
    | TurnEnded
    | ActionsDeclared
    | ResolutionOrdered
    | TnNamed
    | ActionAbandoned
    | ActionNegated
    | ActionRolled
    | AttackHit
    | ComplicationFlagged
    | ComplicationIntroduced
    | SceneLeftBehind
    | SuccessForced
    | ConflictRolled
    | ConflictOrderDecided
    | HarmCalled
    | HarmWithdrawn
    | HarmSuffered
    | AttributeSpent
    | HarmMarked
    | HarmMadePermanent
    | GearBroken
    | GearFaulted
    | CharacterOusted
    | CharacterFateDecided
    | HarmConsequenceWritten
    | MachineHarmSuffered
    | MachineAttributeSpent
    | MachineBroken
    | TemporaryHarmCleared
    | RecoveryTaskOpened
    | RecoveryTaskClosed
    | TreatmentStarted
    | TreatmentCancelled
    | PermanentHarmRemoved
    | RepairStarted
    | RepairCancelled
    | GearRepaired
    | GearSelfRepaired
    | RequirementRecorded
    | AttributeRestored
    | MachineAttributeRestored
    | MachineMended
    | RegroupHeld
    | DowntimeStarted
    | DowntimeEnded
    | CreditsAwarded
    | CreditsCharged
)
