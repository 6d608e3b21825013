"""Attacks, defences and recoil (OD-23 … OD-25, OD-C23 … OD-C25).

Codes: attack_used, attack_unresolved, unknown_weapon, weapon_disabled, weapon_cooling, out_of_reach,
no_cinematic_action, not_enough_advantage_dice, unknown_target, which_target, distance_required.
"""

from domain.command_context import CommandContext
from domain.mechanics.omitted_ids import the_one
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import in_a_row, say, say_many
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_own,
    in_words,
    name_of,
    require_combat,
    require_fighter,
    require_no_loss,
    require_turn,
)
from domain.systems.overdrive.rolls import Plan, combat_skill, plan
from domain.systems.overdrive.sector_geometry import pm_between
from domain.systems.overdrive.state import Attack, Character, Combat, OverdriveState, Participant, Roll, Weapon
from domain.systems.overdrive.tables import BUTT, COOLING_TURNS

THE_BUTT = Weapon(type="kinetic", ideal=0, cools=False)


def weapon_of(state: OverdriveState, character: Character, weapon: str) -> Weapon | None:
    """The weapon: of the mech, or on foot the character's own, or the butt."""
    if weapon == BUTT:
        return THE_BUTT
    mech = state.boarded(character)
    return (mech.weapons if mech is not None else character.weapons).get(weapon)


def declare_attack(state: OverdriveState, context: CommandContext, command: c.DeclareAttack) -> Plan:
    """OD-C23: every refusal comes before the first die."""
    character = find_own(state, context, command.character, "OD-C23")
    combat = require_combat(state, "OD-C23")
    fighter = require_fighter(combat, character, "OD-C23")
    require_turn(state, character, "OD-C23")
    require_no_loss(combat, character)
    if combat.attack is not None:
        raise attack_unresolved(state, combat.attack)
    if fighter.attack_used and not command.cinematic:
        raise Rejection(
            "attack_used", say("{name} has already attacked this turn.", name=character.name), rule="OD-21"
        )
    weapon = _ready(state, combat, character, command.weapon)
    if command.cinematic and fighter.cinematic_actions < 1:
        raise Rejection(
            "no_cinematic_action", say("{name} has no extra action left.", name=character.name), rule="OD-9"
        )
    if command.advantage_dice > fighter.advantage_dice:
        raise Rejection(
            "not_enough_advantage_dice",
            say_many(
                "{name} has {n} advantage die left.",
                "{name} has {n} advantage dice left.",
                fighter.advantage_dice,
                name=character.name,
            )
            if fighter.advantage_dice
            else say("{name} has no advantage dice left.", name=character.name),
            rule="OD-22",
        )
    with About("character", "target"):
        target = _target(state, context, combat, character, command.target)
    distance = _distance(state, context, combat, character.character_id, target, command)
    return plan(
        state,
        context,
        character,
        command,
        "attack",
        "score:attack",
        combat_skill(state, character),
        distance_penalty=0 if command.cinematic else abs(distance - weapon.ideal),
        advantage_dice_used=command.advantage_dice,
        target=target,
        weapon=command.weapon,
        cinematic=command.cinematic,
    )


def attack_unresolved(state: OverdriveState, attack: Attack) -> Rejection:
    """The rejection of a command that has to wait for an attack."""
    return Rejection(
        "attack_unresolved",
        say(
            "Resolve {attacker}'s attack on {target} first.",
            attacker=name_of(state, attack.attacker),
            target=name_of(state, attack.target),
        ),
        rule="OD-C23",
    )


def _ready(state: OverdriveState, combat: Combat, character: Character, key: str) -> Weapon:
    """A weapon that may be fired now."""
    weapon = weapon_of(state, character, key)
    if weapon is None:
        raise Rejection(
            "unknown_weapon",
            say("{name} has no weapon “{weapon}” here.", name=character.name, weapon=in_words(key)),
            rule="OD-C23",
        )
    if weapon.state == "disabled":
        raise Rejection("weapon_disabled", say("“{weapon}” is disabled.", weapon=in_words(key)), rule="OD-C23")
    if weapon.cools and weapon.fired_turn is not None and combat.turn < weapon.fired_turn + COOLING_TURNS:
        raise Rejection(
            "weapon_cooling",
            say(
                "“{weapon}” is cooling; it is ready again in turn {turn}.",
                weapon=in_words(key),
                turn=weapon.fired_turn + COOLING_TURNS,
            ),
            rule="OD-A23",
        )
    return weapon


def _distance(
    state: OverdriveState,
    context: CommandContext,
    combat: Combat,
    attacker: str,
    target: str,
    command: c.DeclareAttack,
) -> int:
    """The distance of the target in PM: from the positions if both are known, else as the command says.

    Raises `out_of_reach` or `distance_required`.
    """
    command_distance = command.distance
    here, there = (combat.participants[who].position for who in (attacker, target))
    map_distance = pm_between(here, there, combat.quadrants) if combat.rulings else None
    distance = command_distance if map_distance is None else map_distance
    if distance is None:
        raise Rejection(
            "distance_required",
            say("How far away is {target}, in PM?", target=name_of(state, target)),
            rule="OD-C23",
        )
    if command.weapon == BUTT and distance > 0:
        raise Rejection("out_of_reach", "The butt only reaches what is in contact.", rule="OD-23")
    if command_distance is None:
        context.filled["distance"] = distance
    return distance


def _target(
    state: OverdriveState, context: CommandContext, combat: Combat, character: Character, target: str | None
) -> str:
    """The target; the only other participant if the command names none.

    Raises `unknown_target` or `which_target`.
    """
    others = state.by_name(who for who in combat.participants if who != character.character_id)
    if target is not None and target not in others:
        raise Rejection(
            "unknown_target",
            say("{target} cannot be attacked here.", target=name_of(state, target)),
            rule="OD-C23",
            choices=others,
        )
    if target is not None:
        return target
    return the_one(
        context,
        "target",
        others,
        code="which_target",
        message=lambda several: say(
            "Who is attacked: {choices}?", choices=in_a_row(name_of(state, candidate) for candidate in several)
        ),
        rule="OD-C23",
        describe=str,
    )


def outcome(state: OverdriveState, roll: Roll) -> list[e.Event]:
    """The events of a fired weapon: it cools, unless it is the butt; an extra action is used up."""
    character = state.characters.get(roll.character)
    events: list[e.Event] = []
    weapon = weapon_of(state, character, roll.weapon or "") if character is not None else None
    if character is not None and weapon is not None and weapon.cools and state.combat is not None:
        mech = state.boarded(character)
        events.append(
            e.WeaponCooling(
                character=roll.character,
                weapon=roll.weapon or "",
                fired_turn=state.combat.turn,
                ready_on_turn=state.combat.turn + COOLING_TURNS,
                mech=mech.mech_id if mech is not None else None,
            )
        )
    return [*events, e.CinematicActionUsed(roll.character)] if roll.cinematic else events


def attack_rolled(state: OverdriveState, event: e.RollMade) -> None:
    """Add the attack, which waits for its defence."""
    combat, fighter = state.combat, state.participant(event.character or "")
    if event.kind != "attack" or combat is None or fighter is None or event.target is None:
        return
    fighter.acted = True
    if not event.cinematic:
        fighter.attack_used = True
    fighter.advantage_dice = max(0, fighter.advantage_dice - event.advantage_dice_used)
    combat.attack = Attack(
        attacker=event.character or "",
        target=event.target,
        weapon=event.weapon or BUTT,
        successes=event.successes,
        roll_id=event.roll_id,
    )


def weapon_cooling(state: OverdriveState, event: e.WeaponCooling) -> None:
    """Let the weapon cool from the turn it fired in."""
    holder = state.characters.get(event.character)
    mech = state.mechs.get(event.mech) if event.mech is not None else None
    weapons = mech.weapons if mech is not None else holder.weapons if holder is not None else {}
    if event.weapon in weapons:
        weapons[event.weapon].fired_turn = event.fired_turn


def cinematic_action_used(state: OverdriveState, event: e.CinematicActionUsed) -> None:
    """Use up an extra action."""
    fighter: Participant | None = state.participant(event.character)
    if fighter is not None:
        fighter.cinematic_actions = max(0, fighter.cinematic_actions - event.amount)
