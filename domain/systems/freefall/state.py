"""The state of a FREE/FALL campaign: the fold of its events, plain data that is its own snapshot.

Iteration over a dict sorts it first: a snapshot may come back with its keys in another order.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from domain.dice import Die
from domain.field_references import new, ref
from domain.ids import AccountId, ActionId
from domain.personal_text import FreeText, Name, Reference
from domain.systems.freefall.rulebook_guides import BODY_BINDING, DV_GUIDE, GHOST_BINDING, MIND_BINDING
from domain.systems.freefall.tables import (
    ATTRIBUTES,
    SLOTS,
    ActionKind,
    AttributeName,
    Fate,
    HarmState,
    HarmType,
    ItemKind,
    ItemState,
    Mode,
    Occasion,
    Removal,
    Source,
    Subtype,
)

REMEMBERED = 64
"""The rolls and free conflicts that are remembered by id."""

NAMES_REMEMBERED = 200
"""The removed things whose names are remembered."""

Level = Annotated[int, Meta(ge=0, le=1000)]
Tag = Annotated[Name, ref("tag", of="character", free=True)]
Tags = Annotated[list[Tag], Meta(max_length=50)]


class Points(Struct):
    """One attribute: its raw cap, and its current points (FF-1)."""

    permanent: int
    current: int


class Binding(Struct, frozen=True, forbid_unknown_fields=True):
    """FF-3: a binding takes from Body (weight, power), Mind (attention) and Ghost (composure, humanity).

    Of an item or a pilot's seat: how much less of each attribute there is.
    """

    body: Annotated[Level, BODY_BINDING] = 0
    mind: Annotated[Level, MIND_BINDING] = 0
    ghost: Annotated[Level, GHOST_BINDING] = 0

    def on(self, attribute: AttributeName) -> int:
        """The cost for one attribute."""
        return int(getattr(self, attribute))

    def costs(self) -> dict[AttributeName, int]:
        """The bound attributes with their costs."""
        return {attribute: cost for attribute in ATTRIBUTES if (cost := self.on(attribute))}


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of an item in an attack (FF-2)."""

    dv: Annotated[int, Meta(ge=1, le=1000), DV_GUIDE]
    harm_type: HarmType = "physical"
    optimal_ranges: Annotated[list[Annotated[Name, new]], Meta(max_length=50)] = []
    high_impact: bool = False


class ItemDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of gear or an augmentation as a GM writes it (FF-2).

    `invasive` gates installing, `removal` says what taking an augmentation out needs. `av` is by harm type.
    `description` says what it looks like, and what its binding means (FF-3).
    """

    name: Annotated[Name, new]
    kind: ItemKind = "gear"
    subtype: Subtype | None = None
    binding: Binding = Binding()
    enables: Tags = []
    bonus: Annotated[dict[Tag, Level], Meta(max_length=50)] = {}
    av: Annotated[dict[HarmType, Level], Meta(max_length=3)] = {}
    weapon: Weapon | None = None
    hardened: bool = False
    invasive: bool = False
    removal: Removal = "downtime"
    description: FreeText | UnsetType = UNSET


class Item(Struct):
    """An item of a character: its description, whether it is equipped or installed, and its condition."""

    what: ItemDraft
    bound: bool = False
    state: ItemState = "functional"

    @property
    def works(self) -> bool:
        """Whether the item is bound and functional."""
        return self.bound and self.state == "functional"


class Harm(Struct):
    """A filled slot (FF-16).

    `note` is the lasting consequence of a permanent one; `hidden`: only some may know.
    """

    harm_id: str
    type: HarmType
    state: HarmState = "temporary"
    note: FreeText | None = None
    hidden: bool = False


def _empty() -> list[Harm | None]:
    return [None] * SLOTS


class Character(Struct):
    """A character's sheet (FF-4). `paid_ahead` counts prerequisites that were paid before their roll.

    `hidden`: they were created hidden.
    """

    character_id: str
    player: AccountId | None
    name: str
    class_: str = field(name="class")
    attributes: dict[AttributeName, Points]
    specialties: list[str] = field(default_factory=list)
    items: dict[str, Item] = field(default_factory=dict)
    slots: list[Harm | None] = field(default_factory=_empty)
    status: Literal["active", "ousted"] = "active"
    fate: Fate | None = None
    crew: str | None = None
    npc: bool = False
    paid_ahead: int = 0
    hidden: bool = False

    def gear(self) -> list[tuple[str, Item]]:
        """Their items by id, sorted by name for people."""
        return sorted(self.items.items(), key=lambda pair: (pair[1].what.name, pair[0]))


class Machine(Struct):
    """A vehicle or an exoskeleton (FF-6)."""

    machine_id: str
    name: str
    frm: Points
    sys: Points
    av: dict[HarmType, int] = field(default_factory=dict)
    state: Literal["functional", "broken"] = "functional"
    pilot_binding: Binding = Binding()
    pilot: str | None = None


class Attack(Struct, frozen=True, forbid_unknown_fields=True):
    """An attack's damage; fields left out come from the weapon named, or is physical (FF-12)."""

    dv: Annotated[Annotated[int, Meta(ge=1, le=1000)] | None, DV_GUIDE] = None
    harm_type: HarmType | None = None
    high_impact: bool | None = None
    item: Annotated[str, ref("item", of="character")] | None = None
    target: Annotated[Reference, ref("attack_target", free=True)] | None = None


class Action(Struct):
    """A declared action of the turn (FF-5). `conflict_dice` are dice of a conflict that wait for its roll."""

    id: str
    actor: str
    dice: int
    kind: ActionKind = "specialized"
    attribute: AttributeName | None = None
    tag: str | None = None
    tn: int | None = None
    conflict: bool = False
    opposed_to: str | None = None
    attack: Attack | None = None
    status: Literal["declared", "rolled", "negated", "abandoned"] = "declared"
    paid: bool = False
    conflict_id: str | None = None
    conflict_bonus: int = 0
    conflict_dice: list[Die] = field(default_factory=list)


class Actor(Struct):
    """A participant of the turn. `seat` is None until they declare; a group shares one.

    `late`: they joined while it ran, and may declare even while others' actions resolve.
    """

    actor: str
    name: str
    npc: bool
    dice_pool: int
    seat: int | None = None
    group: str | None = None
    dice_left: int = 0
    late: bool = False


class Board(Struct):
    """The board of the turn. `order` is empty until all have declared (FF-14)."""

    turn_id: str
    actors: list[Actor] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def actor(self, id_: str) -> Actor | None:
        """The actor of this id."""
        return next((actor for actor in self.actors if actor.actor == id_), None)

    def action(self, id_: str) -> Action | None:
        """The declared action of this id."""
        return next((action for action in self.actions if action.id == id_), None)


class Conflict(Struct):
    """A direct conflict (FF-15). `first` is None while a tie waits for its decision."""

    conflict_id: str
    turn_id: str | None
    tied: list[str]
    decided_by: Literal["players", "gm"] | None
    first: str | None = None


class Roll(Struct):
    """The record of a roll: for complications, forced successes, and a hidden side of a conflict."""

    roll_id: str
    actor: str
    failed: bool
    flagged: bool
    mode: Mode
    forced: bool = False
    highest: int = 0
    """Its highest single result."""
    hidden: bool = False
    """Only some may know of it."""
    over: bool = False
    """Its scene is over, and harm cannot turn it any more."""
    complicated: bool = False
    """It had its complication."""


class CalledHarm(Struct):
    """Harm that a GM called and its owner has yet to resolve; `levels` are those after armour.

    `source` is `prerequisite` for the price of a roll (then `action` may name it), `machine` for harm to a
    machine that its pilot allocates, `montage` for a success that is forced.
    """

    call_id: str
    character: str
    harm_type: HarmType
    incoming: int
    av: int
    levels: int
    av_stacking: Literal["highest", "sum"] = "highest"
    high_impact: bool = False
    source: Source = "attack"
    action: str | None = None
    machine: str | None = None
    roll: str | None = None


class Treatment(Struct):
    """A permanent harm under treatment. `due` is campaign time in seconds; `payer` is an account (FF-W2).

    `agreed_in` is the action it began with, which those of `visibility` may see.
    """

    treatment_id: str
    character: str
    harm_id: str
    method: str
    due: int
    required: list[str]
    done: list[str] = field(default_factory=list)
    price: int = 0
    payer: str | None = None
    agreed_in: ActionId | None = None
    visibility: str = "all"


class Repair(Struct):
    """An item under repair, or a machine, which is no `character`'s; `required` are parts, and surgery (FF-W2)."""

    repair_id: str
    character: str | None
    item: str
    fixer: str
    due: int
    required: list[str]
    done: list[str] = field(default_factory=list)
    price: int = 0
    payer: str | None = None
    agreed_in: ActionId | None = None
    visibility: str = "all"


class Clock(Struct):
    """A clock of the GM's that successes move in action time; a `hidden` one moves beside, unseen."""

    clock_id: str
    name: str
    size: int
    filled: int = 0
    hidden: bool = False


class CalledRoll(Struct, frozen=True):
    """A roll that a GM calls a character to, outside turns: TN and reason (FF-10). Old ones have no id."""

    tn: int
    situation: FreeText | None = None
    call_id: str | UnsetType = UNSET


class RecoveryTask(Struct):
    """Temporary harms that a GM is asked about, by character, and the occasion (FF-W1). Old ones have no id."""

    occasion: Occasion
    harms: dict[str, list[str]]
    task_id: str | UnsetType = UNSET


class FormerThing(Struct, frozen=True):
    """The name of a thing that no longer exists, for sentences about the past."""

    id: str
    name: str


class FreefallState(Struct):
    """A whole FREE/FALL campaign."""

    mode: Mode = "narrative"
    downtime: bool = False
    classes: dict[str, list[str]] = field(default_factory=dict)
    characters: dict[str, Character] = field(default_factory=dict)
    machines: dict[str, Machine] = field(default_factory=dict)
    board: Board | None = None
    conflicts: list[Conflict] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    called: list[CalledHarm] = field(default_factory=list)
    treatments: dict[str, Treatment] = field(default_factory=dict)
    repairs: dict[str, Repair] = field(default_factory=dict)
    clocks: dict[str, Clock] = field(default_factory=dict)
    recovery: RecoveryTask | None = None
    credits: dict[str, int] = field(default_factory=dict)
    called_rolls: dict[str, CalledRoll] = field(default_factory=dict)
    gone: list[FormerThing] = field(default_factory=list)

    def people(self) -> list[Character]:
        """Every character with a sheet, by name."""
        return sorted(self.characters.values(), key=lambda character: (character.name, character.character_id))

    def listed_machines(self) -> list[Machine]:
        """Every machine, by name."""
        return sorted(self.machines.values(), key=lambda machine: (machine.name, machine.machine_id))

    def listed_clocks(self) -> list[Clock]:
        """Every clock, by name."""
        return sorted(self.clocks.values(), key=lambda clock: (clock.name, clock.clock_id))

    def listed_treatments(self) -> list[Treatment]:
        """Every treatment, the earliest due first."""
        return sorted(
            self.treatments.values(),
            key=lambda treatment: (treatment.due, treatment.method, treatment.treatment_id),
        )

    def listed_repairs(self) -> list[Repair]:
        """Every repair, the earliest due first."""
        return sorted(self.repairs.values(), key=lambda repair: (repair.due, repair.fixer, repair.repair_id))

    def remember(self, id_: str, name: str) -> None:
        """Remember the name of a thing that is removed, among the last few."""
        self.gone = [*(record for record in self.gone if record.id != id_), FormerThing(id_, name)][
            -NAMES_REMEMBERED:
        ]

    def machine_of(self, character_id: str) -> Machine | None:
        """The machine that a character pilots."""
        aboard = (machine for machine in self.listed_machines() if machine.pilot == character_id)
        return next(aboard, None)

    def is_on_bench(self, machine: Machine) -> bool:
        """Whether a fixer has a machine, which cannot be used until then."""
        return any(
            repair.character is None and repair.item == machine.machine_id for repair in self.repairs.values()
        )
