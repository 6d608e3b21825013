"""The turn board: declarations, the order of resolution, and what is waited for (FF-5, FF-14)."""

from typing import Literal

from msgspec import Struct

from domain.ids import AccountId
from domain.systems.freefall.pending_choices import rolls_up, undeclared
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Actor, Board, Clock, Conflict, FreefallState, Machine, Points
from domain.systems.freefall.tables import SCALES, AttributeName, HarmType, Mode
from domain.systems.freefall.treatments_and_repairs import missing
from domain.systems.freefall.turns import is_to_roll
from projections.awaited_answers import Able, Name, WaitingFor
from projections.systems.freefall.awaited_answers import waits_for
from projections.systems.freefall.sheet import ActionStands, PendingHarmView, actions_of, pending_harm


class SeatStands(Struct, frozen=True):
    """A participant of the turn. `seat` is null until they declare, and a group shares one.

    `resolves` is their place in the order of resolution, from 1; null until the order is set.
    """

    actor: str
    name: str
    npc: bool
    player: AccountId | None
    player_name: str | None
    status: Literal["active", "ousted"]
    seat: int | None
    group: str | None
    resolves: int | None
    acts_now: bool
    dice_pool: int
    dice_left: int
    actions: list[ActionStands]


class SideStands(Struct, frozen=True):
    """A side of a conflict: a declared action or a character who rolled, and the dice of a declared action."""

    id: str
    name: str
    tied: bool
    naturals: list[int]


class ConflictStands(Struct, frozen=True):
    """A direct conflict. `first` is null while a tie waits for `decided_by`."""

    conflict_id: str
    sides: list[SideStands]
    tie: bool
    decided_by: Literal["players", "gm"] | None
    first: str | None
    first_name: str | None


class HarmStands(Struct, frozen=True):
    """Harm that a character has to resolve, with every way to resolve its next level."""

    character: str
    name: str
    harm: PendingHarmView


class MachineStands(Struct, frozen=True):
    """A machine, boarded or not. `repair_due` is game time in seconds while a fixer has it."""

    machine_id: str
    name: str
    frm: Points
    sys: Points
    av: dict[HarmType, int]
    state: Literal["functional", "broken"]
    pilot_binding: dict[AttributeName, int]
    pilot: str | None
    pilot_name: str | None
    repair_due: int | None


class WorkStands(Struct, frozen=True):
    """A running treatment or repair: its character, its subject, and its needs before it is done on its day."""

    id: str
    kind: Literal["treatment", "repair"]
    character: str | None
    character_name: str | None
    about: str
    due: int
    missing: list[str]


class CalledRollStands(Struct, frozen=True):
    """A roll that the GM called for outside turns."""

    character: str
    name: str
    tn: int
    situation: str | None


class TurnBoard(Struct, frozen=True):
    """The turn at a glance. Outside bullet time `turn_id` is null and there are no seats.

    `seats` stand in the order of declaration, undeclared ones last; `resolution` and `undeclared` name actors.
    `acting` may roll now: all of one seat, or the faster side of a conflict. `waits_for` lists the pending
    choices, with who is waited for and the accepted answers.
    """

    mode: Mode
    scale: int
    downtime: bool
    turn_id: str | None
    phase: Literal["no_turn", "declaring", "declared", "resolving", "done"]
    seats: list[SeatStands]
    resolution: list[str]
    undeclared: list[str]
    acting: list[str]
    conflicts: list[ConflictStands]
    pending_harm: list[HarmStands]
    waits_for: list[WaitingFor]
    clocks: list[Clock]
    machines: list[MachineStands]
    work: list[WorkStands]
    called_rolls: list[CalledRollStands]


def turn(state: FreefallState, name: Name, settings: Settings, able: Able = None) -> TurnBoard:
    """The board of the turn."""
    board = state.board
    seats = _seats(state, board, name) if board is not None else []
    return TurnBoard(
        mode=state.mode,
        scale=SCALES[state.mode],
        downtime=state.downtime,
        turn_id=board.turn_id if board is not None else None,
        phase=_phase(state),
        seats=seats,
        resolution=list(board.order) if board is not None else [],
        undeclared=[seat.actor for seat in seats if seat.seat is None and seat.status == "active"],
        acting=[seat.actor for seat in seats if seat.acts_now],
        conflicts=[_conflict(state, conflict, name) for conflict in state.conflicts],
        pending_harm=[
            HarmStands(call.character, who.name, pending_harm(who, call, settings))
            for call in state.called
            if (who := state.characters.get(call.character)) is not None
        ],
        waits_for=waits_for(state, name, settings, able),
        clocks=state.listed_clocks(),
        machines=[_machine(state, machine, name) for machine in state.listed_machines()],
        work=_work(state, name),
        called_rolls=[
            CalledRollStands(who, name(who), state.called_rolls[who].tn, state.called_rolls[who].situation)
            for who in sorted(state.called_rolls)
        ],
    )


def _phase(state: FreefallState) -> Literal["no_turn", "declaring", "declared", "resolving", "done"]:
    board = state.board
    if board is None:
        return "no_turn"
    if board.order:
        return "resolving" if any(is_to_roll(state, action) for action in board.actions) else "done"
    return "declaring" if undeclared(state, board) else "declared"


def _seats(state: FreefallState, board: Board, name: Name) -> list[SeatStands]:
    """All participants in the order of declaration; the undeclared ones in the order they joined."""
    acting = {action.actor for action in rolls_up(state, board)} if board.order else set()
    seated = sorted((actor for actor in board.actors if actor.seat is not None), key=lambda actor: actor.seat or 0)
    return [
        _seat(state, board, actor, actor.actor in acting, name)
        for actor in [*seated, *(actor for actor in board.actors if actor.seat is None)]
    ]


def _seat(state: FreefallState, board: Board, actor: Actor, acts_now: bool, name: Name) -> SeatStands:
    character = state.characters.get(actor.actor)
    player = character.player if character is not None else None
    return SeatStands(
        actor=actor.actor,
        name=actor.name,
        npc=actor.npc,
        player=player,
        player_name=name(player) if player is not None else None,
        status=character.status if character is not None else "active",
        seat=actor.seat,
        group=actor.group,
        resolves=board.order.index(actor.actor) + 1 if actor.actor in board.order else None,
        acts_now=acts_now,
        dice_pool=actor.dice_pool,
        dice_left=actor.dice_left,
        actions=actions_of(state, board, actor.actor),
    )


def _conflict(state: FreefallState, conflict: Conflict, name: Name) -> ConflictStands:
    """A conflict with its sides: its declared actions, and the other characters in the tie."""
    actions = state.board.actions if state.board is not None else []
    declared = {action.id: action for action in actions if action.conflict_id == conflict.conflict_id}
    others = [id_ for id_ in [*conflict.tied, conflict.first] if id_ is not None and id_ not in declared]
    sides = [
        SideStands(
            id=id_,
            name=name(declared[id_].actor if id_ in declared else id_),
            tied=id_ in conflict.tied,
            naturals=[die.natural for die in declared[id_].conflict_dice] if id_ in declared else [],
        )
        for id_ in dict.fromkeys([*declared, *others])
    ]
    first = next((side for side in sides if side.id == conflict.first), None)
    return ConflictStands(
        conflict_id=conflict.conflict_id,
        sides=sides,
        tie=bool(conflict.tied),
        decided_by=conflict.decided_by,
        first=conflict.first,
        first_name=first.name if first is not None else None,
    )


def _machine(state: FreefallState, machine: Machine, name: Name) -> MachineStands:
    """A machine, with its pilot if it has one."""
    dates = [repair.due for repair in state.repairs.values() if repair.item == machine.machine_id]
    return MachineStands(
        machine_id=machine.machine_id,
        name=machine.name,
        frm=machine.frm,
        sys=machine.sys,
        av=dict(sorted(machine.av.items())),
        state=machine.state,
        pilot_binding=machine.pilot_binding.costs(),
        pilot=machine.pilot,
        pilot_name=name(machine.pilot) if machine.pilot is not None else None,
        repair_due=min(dates, default=None),
    )


def _work(state: FreefallState, name: Name) -> list[WorkStands]:
    """Treatments, then repairs."""
    treated = [
        WorkStands(
            treatment.treatment_id,
            "treatment",
            treatment.character,
            name(treatment.character),
            treatment.method,
            treatment.due,
            missing(treatment),
        )
        for treatment in state.listed_treatments()
    ]
    repaired = [
        WorkStands(
            repair.repair_id,
            "repair",
            repair.character,
            name(repair.character) if repair.character is not None else None,
            name(repair.item),
            repair.due,
            missing(repair),
        )
        for repair in state.listed_repairs()
    ]
    return [*treated, *repaired]
