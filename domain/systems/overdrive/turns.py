"""Turns: acting, waiting, and the choices settled before one ends (OD-20, OD-21, OD-C21, OD-C30).

Codes: not_your_turn, pending_loss, roll_held, attack_unresolved, no_interrupt.
"""

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_character,
    find_own,
    loss_comes_first,
    require_acting,
    require_combat,
    require_fighter,
    require_player_or_gm,
    whose_turn_is_meant,
)
from domain.systems.overdrive.attacks import attack_unresolved
from domain.systems.overdrive.movement import unprotect
from domain.systems.overdrive.rolls import require_nothing_held
from domain.systems.overdrive.state import Combat, OverdriveState


def end_turn(state: OverdriveState, context: CommandContext, command: c.EndTurn) -> list[e.Event]:
    """OD-C30: end a turn once nothing of it is open; after the last in order a new turn starts."""
    combat = require_combat(state, "OD-C30")
    who = command.character or whose_turn_is_meant(state, context, combat.participants, state.acting)
    character = find_character(state, context, who, "OD-C30")
    context.filled["character"] = character.character_id
    require_player_or_gm(character, context, "OD-C30")
    require_acting(state, character, "OD-C30")
    if character.pending_loss is not None:
        raise loss_comes_first(character)
    if combat.rulings:
        if combat.attack is not None:
            raise attack_unresolved(state, combat.attack)
        require_nothing_held(state, character, context)
    return over(state, combat, character.character_id, context)


def over(state: OverdriveState, combat: Combat, who: str, context: CommandContext) -> list[e.Event]:
    """The events at the end of a character's turn; after the last in order a new turn starts."""
    ended: e.Event = e.TurnEnded(who, combat.now)
    if [other for other in state.still_to_act if other != who]:
        return [ended]
    return [ended, e.CombatTurnStarted(turn=combat.turn + 1, turn_id=derive_id("turn", context.action_id))]


def delay_turn(state: OverdriveState, context: CommandContext, command: c.DelayTurn) -> list[e.TurnDelayed]:
    """OD-C21: act later in the order, but not in between (OD-20)."""
    combat = require_combat(state, "OD-C21")
    character = find_own(state, context, command.character, "OD-C21")
    fighter = require_fighter(combat, character, "OD-C21")
    waiting = [who for who in combat.order if who not in combat.done]
    me = character.character_id
    has_begun = fighter.movement_used or fighter.attack_used or (fighter.acted and combat.rulings > 0)
    if has_begun:
        raise Rejection(
            "no_interrupt",
            say("{name} has already begun this turn: it cannot be split.", name=character.name),
            rule="OD-20",
        )
    later = command.after in waiting and me in waiting and waiting.index(command.after) > waiting.index(me)
    if combat.phase != "turns" or not later:
        raise Rejection(
            "no_interrupt",
            "You may act after someone later in the order, but not interrupt their turn.",
            rule="OD-20",
        )
    return [e.TurnDelayed(me, command.after, combat.now)]


def turns_begun(state: OverdriveState, event: e.TurnsBegun) -> None:
    """Set the order."""
    if state.combat is not None:
        order = [who for who in event.order if who in state.combat.participants]
        state.combat.phase, state.combat.turn_id = "turns", event.turn_id
        state.combat.initiative_order, state.combat.order, state.combat.done = order, list(order), []


def turn_delayed(state: OverdriveState, event: e.TurnDelayed) -> None:
    """Change the order of this turn."""
    combat = state.combat
    if combat is None or event.after not in combat.order or event.character == event.after:
        return
    order = [who for who in combat.order if who != event.character]
    order.insert(order.index(event.after) + 1, event.character)
    combat.order = order
    _next(state, combat)


def turn_ended(state: OverdriveState, event: e.TurnEnded) -> None:
    """Mark the character as done; protections by the next one end."""
    combat = state.combat
    if combat is not None and event.who not in combat.done:
        combat.done.append(event.who)
        _next(state, combat)


def combat_turn_started(state: OverdriveState, event: e.CombatTurnStarted) -> None:
    """Begin a turn: remove everything that lasts one turn; in old logs protections, too."""
    combat = state.combat
    if combat is None:
        return
    combat.turn += event.amount
    combat.turn_id = event.turn_id
    combat.order, combat.done = list(combat.initiative_order), []
    for fighter in combat.participants.values():
        fighter.pm = fighter.cinematic_actions = 0
        fighter.quadrant_changed = fighter.movement_used = fighter.attack_used = fighter.acted = False
        fighter.heading = None
        if combat.rulings == 0:
            fighter.protecting = None
    _next(state, combat)


def _next(state: OverdriveState, combat: Combat) -> None:
    """End protections by the actor, and skip those who cannot fight."""
    acting = state.acting
    unprotect(combat, acting)
    if combat.rulings and acting is not None and state.is_fit(acting):
        passed = combat.order[: combat.order.index(acting)]
        combat.done += [who for who in passed if who not in combat.done]
