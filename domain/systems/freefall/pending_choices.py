"""The choices that the table waits for, with their players and subjects. Ousted characters have no choices."""

from collections.abc import Iterator

from domain.rejection import Rejection
from domain.systems.freefall.access import owner_of_choice
from domain.systems.freefall.direct_conflicts import deciders, is_undecided, require_order
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Action, Actor, Board, FreefallState
from domain.systems.freefall.treatments_and_repairs import missing
from domain.systems.freefall.turns import is_gone, is_to_roll
from domain.systems.system import Pending


def pending(state: FreefallState) -> list[Pending]:
    """Harm waits for its owner, ties for their players, a turn for its actors, and much for a GM."""
    return [
        *_harm(state),
        *_ties(state),
        *_fates(state),
        *(_turn(state, state.board) if state.board is not None else []),
        *_called_rolls(state),
        *_work(state),
        *_recovery(state),
    ]


def also_pending(state: FreefallState, settings: Settings) -> list[Pending]:
    """Rolls without a TN wait for the roller where players name TNs, else for a GM (FF-10)."""
    board = state.board
    if board is None or not board.order:
        return []
    nameless = [action for action in rolls_up(state, board) if action.tn is None]
    if settings.tn_named_by != "roller":
        return [Pending.of("name_tn", action.id, None, board.turn_id) for action in nameless]
    return [
        Pending.of("roll_action", action.id, owner_of_choice(state, action.actor), board.turn_id, action)
        for action in nameless
        if is_settled(state, action.actor)
    ]


def _harm(state: FreefallState) -> Iterator[Pending]:
    """Harm that was called."""
    for call in state.called:
        if call.character in state.characters and not is_gone(state, call.character):
            kind = "allocate_machine_harm" if call.machine is not None else "receive_harm"
            yield Pending.of(kind, call.call_id, owner_of_choice(state, call.character))


def _ties(state: FreefallState) -> Iterator[Pending]:
    """A tie waits for each of the players in it, of whom one is enough; for a GM where only NPCs are."""
    for conflict in state.conflicts:
        if is_undecided(state, conflict):
            players = deciders(state, conflict)
            if not players:
                yield Pending.of("decide_tie", conflict.conflict_id, None)
            for player in players:
                yield Pending.of("decide_tie", conflict.conflict_id, player)


def _fates(state: FreefallState) -> Iterator[Pending]:
    """Fates of ousted characters."""
    for character in state.people():
        if character.status == "ousted" and character.fate is None:
            yield Pending.of("decide_fate", character.character_id, character.player)


def undeclared(state: FreefallState, board: Board) -> list[Actor]:
    """Those who may still declare in the turn."""
    return [
        actor
        for actor in board.actors
        if actor.seat is None and (actor.late or not board.order) and not is_gone(state, actor.actor)
    ]


def _turn(state: FreefallState, board: Board) -> Iterator[Pending]:
    """Declarations, then the order, then the rolls that are up, then the end."""
    late = undeclared(state, board)
    for actor in late:
        yield Pending.of("declare_actions", actor.actor, owner_of_choice(state, actor.actor), board.turn_id)
    if not board.order:
        if not late:
            declared = any(actor.seat is not None for actor in board.actors)
            yield Pending.of("order_resolution" if declared else "end_turn", board.turn_id, None)
        return
    for action in rolls_up(state, board):
        if action.tn is not None and is_settled(state, action.actor):
            player = owner_of_choice(state, action.actor)
            yield Pending.of("roll_action", action.id, player, board.turn_id, action)
    if not late and not any(is_to_roll(state, action) for action in board.actions):
        yield Pending.of("end_turn", board.turn_id, None)


def rolls_up(state: FreefallState, board: Board) -> list[Action]:
    """The actions that may be rolled now, by the order."""
    return [action for action in board.actions if is_to_roll(state, action) and _is_up(state, action)]


def _is_up(state: FreefallState, action: Action) -> bool:
    try:
        require_order(state, action)
    except Rejection:
        return False
    return True


def is_settled(state: FreefallState, actor: str) -> bool:
    """Whether an actor has no harm to resolve first."""
    return not any(call.character == actor for call in state.called)


def _called_rolls(state: FreefallState) -> Iterator[Pending]:
    """Rolls that a GM asked for; in a turn, actions are declared instead."""
    seated = [actor.actor for actor in state.board.actors] if state.board is not None else []
    for who in sorted(state.called_rolls):
        if who in state.characters and who not in seated and is_settled(state, who) and not is_gone(state, who):
            call, ahead = state.called_rolls[who], state.characters[who].paid_ahead
            marks = (call.call_id or "", call.tn, ahead)
            yield Pending.of("roll_action", who, owner_of_choice(state, who), marks)


def _work(state: FreefallState) -> Iterator[Pending]:
    """Treatments and repairs that need something; others are finished on their day."""
    for treatment in state.listed_treatments():
        if needs := missing(treatment):
            yield Pending.of("record_requirement", treatment.treatment_id, None, needs)
    for repair in state.listed_repairs():
        if needs := missing(repair):
            yield Pending.of("record_requirement", repair.repair_id, None, needs)


def _recovery(state: FreefallState) -> Iterator[Pending]:
    """Temporary harm that a GM is asked about, of characters who are still in the story and have it."""
    if state.recovery is None:
        return
    asked_about, task = state.recovery.harms, state.recovery.task_id or ""
    for character in state.people():
        still = {harm.harm_id for harm in character.slots if harm is not None and harm.state == "temporary"}
        for harm in asked_about.get(character.character_id, []) if character.status == "active" else []:
            if harm in still:
                yield Pending.of("clear_temporary_harm", harm, None, task)


def steps(state: FreefallState) -> list[Pending]:
    """The next turn, which takes the place of the one that runs; and steps that follow from rolls and harm."""
    rolls = [roll.roll_id for roll in state.rolls]
    harms = [harm.harm_id for who in state.people() for harm in who.slots if harm is not None]
    return [
        Pending.of("start_turn", state.board.turn_id if state.board is not None else "", None),
        *(Pending.of(kind, roll, None) for kind in ("force_success", "introduce_complication") for roll in rolls),
        *(Pending.of("describe_permanent_harm", harm, None) for harm in harms),
    ]
