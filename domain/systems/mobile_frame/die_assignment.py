"""Assigns dice to actions (MF-10, MF-11, MF-14).

Codes: action_already_has_a_die, no_such_die, die_already_assigned, wrong_color, no_weapon_at_range,
no_target_declared, not_the_declared_range, not_the_declared_weapon, already_attacked, already_moved,
already_spotted, roll_first, defense_first, attack_held_open, attack_first, not_spottable, which_target,
unknown_target, target_too_far_to_spot, target_in_cover, spot_comes_last, which_die.
"""

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.access import find_turn, require_defense_placed
from domain.systems.mobile_frame.frame_values import ranges_of
from domain.systems.mobile_frame.loadout import less_rockets
from domain.systems.mobile_frame.state import Activation, Frame, MobileFrameState, PoolDie
from domain.systems.mobile_frame.tables import (
    COLOR_OF_ACTION,
    LETTER_OF,
    RANGE_OF,
    Action,
    Letter,
    Range,
    Weapon,
)
from domain.systems.mobile_frame.term_words import ACTIONS, COLORS, RANGES

Giving = e.DieAssigned | e.DefensePlaced | e.TurnResumed | e.RocketSpent


def require_open(state: MobileFrameState, turn: Activation) -> None:
    """Raise `attack_held_open`: an announced attack is carried through before a turn ends (MF-14)."""
    if turn.attack is not None:
        raise held_open(state, turn.attack.target, "MF-C13")
    if turn.target is not None and turn.assigned.get("attack") is not None and not turn.attacked:
        sentence = say(
            "The attack on {target} has its die: make it first.", target=state.name_of(turn.target.target) or ""
        )
        raise Rejection("attack_held_open", sentence, rule="MF-C13")


def held_open(state: MobileFrameState, target: str, rule: str) -> Rejection:
    """The rejection where an announced attack has to be resolved first."""
    return Rejection(
        "attack_held_open",
        say("Resolve the attack on {target} first.", target=state.name_of(target) or ""),
        rule=rule,
    )


def assign_die(
    state: MobileFrameState, context: CommandContext, command: c.AssignDie
) -> list[Giving | a.AttackAborted]:
    """MF-C7: one die for one action; an attack without a die is aborted."""
    _, turn, frame = find_turn(state, context, command.frame, "MF-C7")
    if command.action == "movement" and turn.spotted and not context.decided_before:
        raise Rejection("spot_comes_last", "Spotting comes last: this turn has no more move.", rule="MF-8")
    events: list[Giving | a.AttackAborted] = []
    events += assigned(turn, frame, command.action, command.die, command.range)
    if command.action == "attack" and command.die is None and turn.target is not None:
        return [a.AttackAborted(frame=frame.frame_id, target=turn.target.target, turn_id=turn.turn_id)]
    if command.action == "defense":
        value = turn.pool[command.die].value if command.die is not None else 0
        events.append(e.DefensePlaced(frame=frame.frame_id, value=value))
        attacker = state.activation(turn.attacker) if turn.attacker is not None else None
        if attacker is not None:
            events.append(e.TurnResumed(frame=attacker.frame))
    return events


def assigned(
    turn: Activation, frame: Frame, action: Action, die: int | None, range_: Range | None = None
) -> list[Giving]:
    """The events of an action that gets a die of the pool, or none (MF-10). A rocket is spent with it (MF-A9)."""
    if not turn.rolled:
        raise Rejection("roll_first", "Roll the whole dicepool first.", rule="MF-10")
    _require_unassigned(turn, action)
    if action != "defense":
        require_defense_placed(turn, "MF-C7")
    attack_range = _attack_range(frame, turn, range_) if action == "attack" else None
    if die is None:
        return [e.DieAssigned(frame.frame_id, action, die=None, value=0, range=attack_range, turn_id=turn.turn_id)]
    if die >= len(turn.pool):
        raise Rejection(
            "no_such_die", say("There is no die {die} in the pool; the first one is 0.", die=die), rule="MF-10"
        )
    pool_die = turn.pool[die]
    if pool_die.used:
        raise Rejection("die_already_assigned", "That die is already used; each die serves once.", rule="MF-10")
    if pool_die.color not in ("white", COLOR_OF_ACTION[action]):
        raise Rejection(
            "wrong_color",
            say(
                "{frame} cannot give {action} {die}.",
                frame=frame.name,
                action=ACTIONS[action],
                die=COLORS[pool_die.color],
            ),
            rule="MF-10",
        )
    if pool_die.range is not None and RANGE_OF[pool_die.range] != attack_range:
        raise Rejection("no_weapon_at_range", "That die is for another range.", rule="MF-A8")
    if pool_die.range is not None and turn.target is not None and turn.target.weapon is not None:
        _require_weapon(turn.target.weapon, pool_die.range)
    declared = turn.target.weapon if action == "attack" and turn.target is not None else None
    given_die = e.DieAssigned(
        frame=frame.frame_id,
        action=action,
        die=die,
        value=pool_die.value,
        range=attack_range,
        rocket_kept=(declared == "rocket" and pool_die.range is None) or UNSET,
        turn_id=turn.turn_id,
    )
    events: list[Giving] = [given_die]
    if pool_die.range == "r":
        events.append(e.RocketSpent(frame=frame.frame_id))
    return events


def serving(turn: Activation, frame: Frame, action: Action) -> list[int]:
    """The places of the dice that an action may still get: of its colour or white; an attack as declared."""
    return [place for place, die in enumerate(turn.pool) if not die.used and serves(turn, frame, action, die)]


def serves(turn: Activation, frame: Frame, action: Action, die: PoolDie) -> bool:
    """Whether an action may get a die, used or not: of its colour or white; an attack as declared."""
    target = turn.target
    if die.color not in ("white", COLOR_OF_ACTION[action]):
        return False
    if action != "attack" or target is None:
        return True
    if target.range not in ranges_of(frame, turn):
        return False
    if die.range is None:
        return True
    declared = target.weapon is None or LETTER_OF[target.weapon] == die.range
    return declared and RANGE_OF[die.range] == target.range


def require_die_said(context: CommandContext, turn: Activation, frame: Frame, action: Action) -> None:
    """Raise `which_die` where a die would do for an action: without one, it would be used up for nothing."""
    dice = serving(turn, frame, action)
    if dice and not context.decided_before:
        raise Rejection(
            "which_die",
            say(
                "{frame} has assigned no die to {action}. Say which one.",
                frame=frame.name,
                action=ACTIONS[action],
            ),
            rule="MF-10",
            choices=dice,
        )


def _require_weapon(weapon: Weapon, letter: Letter) -> None:
    """Raise `not_the_declared_weapon` unless the named weapon fires."""
    if LETTER_OF[weapon] != letter:
        raise Rejection(
            "not_the_declared_weapon",
            "The attack was declared with another weapon: give it that weapon's die, or a white one.",
            rule="MF-9",
        )


def _require_unassigned(turn: Activation, action: Action) -> None:
    """Raise if an action is over or has its die."""
    if turn.assigned.get(action) is not None:
        raise Rejection("action_already_has_a_die", "That action already has its die.", rule="MF-10")
    if action == "attack" and turn.attacked:
        raise Rejection("already_attacked", "This turn's attack is already over.", rule="MF-C9")
    if action == "movement" and turn.moved:
        raise Rejection("already_moved", "This turn's move is already over.", rule="MF-C8")
    if action == "spot" and turn.spotted:
        raise Rejection("already_spotted", "This turn's spot is already over.", rule="MF-C12")
    if action == "defense" and action in turn.assigned:
        raise Rejection(
            "action_already_has_a_die", "Defence is already set, and stays for the round.", rule="MF-11"
        )


def _attack_range(frame: Frame, turn: Activation, range_: Range | None) -> Range:
    """The declared range, at which an attack is made."""
    if turn.target is None:
        raise Rejection("no_target_declared", "No target was declared before the dice fell.", rule="MF-9")
    attack_range = range_ or turn.target.range
    if attack_range not in ranges_of(frame, turn):
        raise Rejection(
            "no_weapon_at_range",
            say("{frame} has no weapon {range}.", frame=frame.name, range=RANGES[attack_range]),
            rule="MF-14",
        )
    if attack_range != turn.target.range:
        raise Rejection(
            "not_the_declared_range",
            say("The attack was declared {range}.", range=RANGES[turn.target.range]),
            rule="MF-9",
        )
    return attack_range


def die_assigned(state: MobileFrameState, event: e.DieAssigned) -> None:
    """Mark the die as used."""
    turn = state.activation(event.frame)
    if turn is None:
        return
    turn.assigned[event.action] = event.die
    if event.die is not None and event.die < len(turn.pool):
        turn.pool[event.die].used = True


def rocket_spent(state: MobileFrameState, event: e.RocketSpent) -> None:
    """Remove the rocket."""
    frame = state.frames.get(event.frame)
    if frame is not None:
        frame.dice = less_rockets(frame.dice, event.amount)


def defense_placed(state: MobileFrameState, event: e.DefensePlaced) -> None:
    """Set the defence marker; without a die it is 0."""
    frame, turn = state.frames.get(event.frame), state.activation(event.frame)
    if frame is not None and frame.status == "active":
        frame.defense = event.value
    if turn is not None:
        turn.assigned.setdefault("defense", None)
