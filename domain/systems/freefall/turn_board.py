"""Applies the events of a turn to its board (FF-5)."""

import msgspec

from domain.systems.freefall import events as e
from domain.systems.freefall.state import REMEMBERED, Action, Actor, Board, Conflict, FreefallState, Roll

CONFLICTS_MAX = 20
"""The free conflicts that are remembered by id."""


def turn_started(state: FreefallState, event: e.TurnStarted) -> None:
    """Begin a turn: clear the board and give every actor a full pool."""
    if state.board is None or state.board.turn_id != event.turn_id:
        state.board = Board(turn_id=event.turn_id)
        state.conflicts = [conflict for conflict in state.conflicts if conflict.turn_id is None]
    if event.actor not in state.characters:
        state.remember(event.actor, event.name)
    if state.board.actor(event.actor) is None:
        state.board.actors.append(
            Actor(
                actor=event.actor,
                name=event.name,
                npc=event.npc,
                dice_pool=event.dice_pool,
                dice_left=event.dice_pool,
                late=event.late is True,
            )
        )


def turn_ended(state: FreefallState, event: e.TurnEnded) -> None:
    """Clear the board."""
    if state.board is not None and state.board.turn_id == event.turn_id:
        state.board = None
        state.conflicts = [conflict for conflict in state.conflicts if conflict.turn_id is None]


def actions_declared(state: FreefallState, event: e.ActionsDeclared) -> None:
    """Seat an actor with their actions; if an undo removed their turn, nothing changes."""
    board = state.board
    actor = board.actor(event.actor) if board is not None and board.turn_id == event.turn_id else None
    if board is None or actor is None or actor.seat is not None:
        return
    actor.seat, actor.group = event.seat, event.group
    if actor.late and board.order:
        board.order.insert(0, event.actor)  # the last to declare acts first
    actor.dice_left = max(0, actor.dice_pool - event.dice_assigned)
    fresh = [action for action in event.actions if board.action(action.id) is None]
    # Copies for the state, because an event may be folded into several states.
    board.actions += [msgspec.convert(msgspec.to_builtins(action), Action) for action in fresh]


def resolution_ordered(state: FreefallState, event: e.ResolutionOrdered) -> None:
    """Set the order of the turn."""
    if state.board is not None and state.board.turn_id == event.turn_id:
        state.board.order = list(event.order)


def action_dropped(state: FreefallState, event: e.ActionAbandoned | e.ActionNegated) -> None:
    """Mark the action as not to be rolled."""
    action = state.board.action(event.action) if state.board is not None else None
    if action is not None and action.status == "declared":
        action.status = "abandoned" if isinstance(event, e.ActionAbandoned) else "negated"


def conflict_rolled(state: FreefallState, event: e.ConflictRolled) -> None:
    """Keep the dice of declared actions, and the order or the tie."""
    if any(conflict.conflict_id == event.conflict_id for conflict in state.conflicts):
        return
    state.conflicts.append(
        Conflict(
            conflict_id=event.conflict_id,
            turn_id=event.turn_id,
            tied=list(event.tied),
            decided_by=event.decided_by,
            first=event.first,
        )
    )
    state.conflicts = state.conflicts[-CONFLICTS_MAX:]
    _remember_ones(state, event)
    if state.board is None or event.turn_id != state.board.turn_id:
        return
    for id_ in event.participants:
        action = state.board.action(id_)
        if action is not None:
            action.conflict, action.conflict_id = True, event.conflict_id
            action.conflict_dice = list(event.dice.get(id_, []))
            action.conflict_bonus = event.bonuses.get(id_, 0)
            action.paid = action.paid or id_ in event.met


def _remember_ones(state: FreefallState, event: e.ConflictRolled) -> None:
    """Flag the natural ones of sides without a declared action, because their dice are not read again (FF-13)."""
    board = state.board if event.turn_id is not None else None
    loose = [id_ for id_ in event.participants if board is None or board.action(id_) is None]
    ones = [id_ for id_ in loose if 1 in event.naturals.get(id_, [])]
    if ones:
        flagged = Roll(roll_id=event.conflict_id, actor=ones[0], failed=False, flagged=True, mode=state.mode)
        state.rolls = [*state.rolls, flagged][-REMEMBERED:]


def left_behind(state: FreefallState, event: e.SceneLeftBehind) -> None:
    """Remove the ties of a scene that is over; its rolls are remembered."""
    state.conflicts = [conflict for conflict in state.conflicts if conflict.conflict_id not in event.ties]
    for roll in state.rolls:
        roll.over = roll.over or roll.roll_id in event.rolls


def conflict_decided(state: FreefallState, event: e.ConflictOrderDecided) -> None:
    """Set the order that decides a tie."""
    for conflict in state.conflicts:
        if conflict.conflict_id == event.conflict_id:
            conflict.first = event.first
