"""A character's sheet: everything stored, and everything computed from it (FF-4)."""

from typing import Annotated, Literal

from msgspec import Struct, field, structs

from domain.field_references import ref
from domain.ids import AccountId
from domain.rejection import Missing
from domain.sentences import say
from domain.systems.freefall.attributes import binding, filled, max_current, permanents, pool
from domain.systems.freefall.harm import Option, levels_to_oust, options
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import (
    Action,
    Binding,
    Board,
    CalledHarm,
    Character,
    FreefallState,
    Item,
    Points,
    Weapon,
)
from domain.systems.freefall.tables import (
    ATTRIBUTES,
    MATCHING,
    SLOTS,
    AttributeName,
    Fate,
    HarmState,
    HarmType,
    ItemKind,
    ItemState,
    Mode,
    Removal,
    Source,
    Subtype,
)
from domain.systems.freefall.treatments_and_repairs import missing
from domain.systems.freefall.turns import is_done


class BindingView(Struct, frozen=True):
    """An item's or a machine's binding of an attribute: its id, its name, and how much."""

    by: str
    name: str
    amount: int


class AttributeView(Struct, frozen=True):
    """An attribute: the raw cap, the cap after all bindings, and the current value."""

    permanent: int
    maximum: int
    current: int
    bound: int
    bound_by: list[BindingView]


class SlotView(Struct, frozen=True):
    """A filled slot; `will_oust` warns that turning it permanent ousts the character."""

    slot: Annotated[int, ref("slot")]
    harm_id: str
    type: HarmType
    state: HarmState
    note: str | None
    will_oust: bool
    in_treatment: bool


class GearView(Struct, frozen=True):
    """An item. `works` if it is bound and functional; `repair_due` is game time while a fixer has it."""

    name: str
    kind: ItemKind
    subtype: Subtype | None
    binding: Binding
    bound: bool
    state: ItemState
    works: bool
    enables: list[str]
    bonus: dict[str, int]
    av: dict[HarmType, int]
    weapon: Weapon | None
    hardened: bool
    invasive: bool
    removal: Removal
    repair_due: int | None
    description: str | None = None


class MachineView(Struct, frozen=True):
    """The machine that a character pilots."""

    machine_id: str
    name: str
    frm: Points
    sys: Points
    av: dict[HarmType, int]
    state: Literal["functional", "broken"]
    pilot_binding: Binding


class PendingHarmView(Struct, frozen=True):
    """Harm that waits for this character's choices, and every way to resolve its next level.

    `will_oust`: one of these ways ousts the character at once. `may_oust`: choices for all levels could.
    """

    call_id: str
    harm_type: HarmType
    levels: int
    high_impact: bool
    source: Source
    machine: str | None
    spend_max: int
    will_oust: bool
    may_oust: bool
    options: list[Option]


class WorkView(Struct, frozen=True):
    """A running treatment or repair, when it is due and what it still needs.

    `about` is `slot 2`, in every language, or an item's id.
    """

    id: str
    about: str
    due: int
    missing: list[str]
    price: int


class ActionStands(Action):
    """A declared action; a simple one is `done` once its seat is up, because there is no roll for it."""

    status: Literal["declared", "rolled", "negated", "abandoned", "done"] = "declared"  # type: ignore[assignment] # one more than is stored


class TurnView(Struct, frozen=True):
    """A character's part in the turn. `resolves` is their place in the order of resolution, from 1."""

    turn_id: str
    dice_pool: int
    dice_left: int
    seat: int | None
    resolves: int | None
    actions: list[ActionStands]


class CharacterSheetView(Struct, frozen=True):
    """A character. `dice_pool` is that of the next turn; `mode` is the current mode of play."""

    character_id: str
    name: str
    player: AccountId | None
    class_: str = field(name="class")
    npc: bool
    crew: str | None
    status: Literal["active", "ousted"]
    fate: Fate | None
    mode: Mode
    attributes: dict[AttributeName, AttributeView]
    specialties: list[Annotated[str, ref("specialty")]]
    slots: list[SlotView | None]
    filled: int
    dice_pool: int
    gear: dict[str, GearView]
    machine: MachineView | None
    turn: TurnView | None
    pending_harm: list[PendingHarmView]
    treatments: list[WorkView]
    repairs: list[WorkView]


def sheet(state: FreefallState, character: str, settings: Settings) -> CharacterSheetView:
    """The sheet of one character. Raises `unknown_character`."""
    owner = state.characters.get(character)
    if owner is None:
        raise Missing("unknown_character", say("That character does not exist in this campaign."))
    return CharacterSheetView(
        character_id=owner.character_id,
        name=owner.name,
        player=owner.player,
        class_=owner.class_,
        npc=owner.npc,
        crew=owner.crew,
        status=owner.status,
        fate=owner.fate,
        mode=state.mode,
        attributes={name: _attribute(state, owner, name) for name in ATTRIBUTES},
        specialties=list(owner.specialties),
        slots=_slots(state, owner),
        filled=filled(owner),
        dice_pool=pool(owner),
        gear={id_: _gear(state, owner, id_, item) for id_, item in owner.gear()},
        machine=_machine(state, owner),
        turn=_turn(state, owner),
        pending_harm=[pending_harm(owner, call, settings) for call in state.called if call.character == character],
        treatments=[
            WorkView(
                treatment.treatment_id,
                f"slot {_slot_of(owner, treatment.harm_id)}",
                treatment.due,
                missing(treatment),
                treatment.price,
            )
            for treatment in state.listed_treatments()
            if treatment.character == character
        ],
        repairs=[
            WorkView(repair.repair_id, repair.item, repair.due, missing(repair), repair.price)
            for repair in state.listed_repairs()
            if repair.character == character
        ],
    )


def _attribute(state: FreefallState, character: Character, name: AttributeName) -> AttributeView:
    """One attribute with all its bindings."""
    points = character.attributes[name]
    bound_by = [
        BindingView(id_, item.what.name, item.what.binding.on(name))
        for id_, item in character.gear()
        if item.bound and item.what.binding.on(name)
    ]
    machine = state.machine_of(character.character_id)
    if machine is not None and machine.pilot_binding.on(name):
        bound_by.append(BindingView(machine.machine_id, machine.name, machine.pilot_binding.on(name)))
    return AttributeView(
        permanent=points.permanent,
        maximum=max_current(state, character, name),
        current=points.current,
        bound=binding(state, character, name),
        bound_by=bound_by,
    )


def _slots(state: FreefallState, character: Character) -> list[SlotView | None]:
    """The three slots, empty ones as null."""
    last = permanents(character) == SLOTS - 1
    treated = {treatment.harm_id for treatment in state.treatments.values()}
    return [
        SlotView(
            slot=number,
            harm_id=harm.harm_id,
            type=harm.type,
            state=harm.state,
            note=harm.note,
            will_oust=last and harm.state == "temporary",
            in_treatment=harm.harm_id in treated,
        )
        if harm is not None
        else None
        for number, harm in enumerate(character.slots, 1)
    ]


def _slot_of(character: Character, harm_id: str) -> int:
    """The slot of a harm; 0: there is none."""
    numbers = (nth for nth, harm in enumerate(character.slots, 1) if harm is not None and harm.harm_id == harm_id)
    return next(numbers, 0)


def _gear(state: FreefallState, character: Character, id_: str, item: Item) -> GearView:
    dates = [
        repair.due
        for repair in state.repairs.values()
        if repair.item == id_ and repair.character == character.character_id
    ]
    what = item.what
    return GearView(
        name=what.name,
        kind=what.kind,
        subtype=what.subtype,
        binding=what.binding,
        bound=item.bound,
        state=item.state,
        works=item.works,
        enables=what.enables,
        bonus=dict(sorted(what.bonus.items())),
        av=dict(sorted(what.av.items())),
        weapon=what.weapon,
        hardened=what.hardened,
        invasive=what.invasive,
        removal=what.removal,
        repair_due=min(dates, default=None),
        description=what.description or None,
    )


def _machine(state: FreefallState, character: Character) -> MachineView | None:
    """The machine that a character pilots."""
    machine = state.machine_of(character.character_id)
    if machine is None:
        return None
    return MachineView(
        machine_id=machine.machine_id,
        name=machine.name,
        frm=machine.frm,
        sys=machine.sys,
        av=dict(sorted(machine.av.items())),
        state=machine.state,
        pilot_binding=machine.pilot_binding,
    )


def _turn(state: FreefallState, character: Character) -> TurnView | None:
    """The character's part in this turn; None: they have none."""
    board = state.board
    actor = board.actor(character.character_id) if board is not None else None
    if board is None or actor is None:
        return None
    return TurnView(
        turn_id=board.turn_id,
        dice_pool=actor.dice_pool,
        dice_left=actor.dice_left,
        seat=actor.seat,
        resolves=board.order.index(actor.actor) + 1 if actor.actor in board.order else None,
        actions=actions_of(state, board, actor.actor),
    )


def actions_of(state: FreefallState, board: Board, actor: str) -> list[ActionStands]:
    """An actor's actions this turn."""
    own = (action for action in board.actions if action.actor == actor)
    return [
        ActionStands(**structs.asdict(action) | ({"status": "done"} if is_done(state, board, action) else {}))
        for action in own
    ]


def pending_harm(character: Character, call: CalledHarm, settings: Settings) -> PendingHarmView:
    """Pending harm, and its owner's options under the table's settings."""
    ways = options(character, call.harm_type, settings)
    price = call.source in ("prerequisite", "montage")
    current = character.attributes[MATCHING[call.harm_type]].current
    return PendingHarmView(
        call_id=call.call_id,
        harm_type=call.harm_type,
        levels=call.levels,
        high_impact=call.high_impact,
        source=call.source,
        machine=call.machine,
        spend_max=0 if price else min(current, call.levels),
        will_oust=any(way.will_oust for way in ways),
        may_oust=levels_to_oust(character) <= call.levels,
        options=ways,
    )
