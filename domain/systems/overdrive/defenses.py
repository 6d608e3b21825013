"""Defences against an attack, and its resolution (OD-24, OD-25, OD-C24, OD-C25).

Codes: not_attacked, defense_rolled, not_enough_cover_dice, cannot_defend, defense_not_rolled,
recoil_out_of_range, victim_not_involved, pending_loss, direction_required, off_the_map.
"""

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.rejection import Rejection
from domain.sentences import say, say_many, term
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_character,
    loss_comes_first,
    name_of,
    require_combat,
    require_player_or_gm,
)
from domain.systems.overdrive.movement import displaced
from domain.systems.overdrive.outcomes import closing, roll_with_outcome
from domain.systems.overdrive.rolls import Plan, combat_skill, plan
from domain.systems.overdrive.sector_geometry import require_room, shifted, steps
from domain.systems.overdrive.stabilisation import damage
from domain.systems.overdrive.state import Attack, Character, Combat, OverdriveState
from domain.systems.overdrive.tables import BUTT, Direction


def roll_defense(
    state: OverdriveState, context: CommandContext, command: c.RollDefense, dice: Dice
) -> list[e.Event]:
    """OD-C24: the one attacked rolls, then their protector; this closes the attack's own roll."""
    combat = state.combat
    attack = combat.attack if combat is not None else None
    if combat is None or attack is None:
        raise Rejection("not_attacked", "Nobody is under attack.", rule="OD-C24")
    if command.character is None:
        context.filled["character"] = attack.target
    character = find_character(state, context, command.character or attack.target, "OD-C24")
    require_player_or_gm(character, context, "OD-C24")
    if character.character_id != attack.target:
        raise Rejection("not_attacked", say("{name} is not under attack.", name=character.name), rule="OD-C24")
    if attack.defenses:
        raise Rejection("defense_rolled", "That defence is already rolled.", rule="OD-24")
    plans = []
    protector = state.characters.get(combat.protector_against(attack) or "")
    for who, cover in ((character, command.cover_dice), (protector, command.protector_cover_dice)):
        if who is not None and who.status == "fit":
            plans.append(_planned(state, context, combat, attack, command, who, cover, own=who is character))
    if not plans:
        raise Rejection(
            "cannot_defend",
            say("{name} is {status} and cannot defend.", name=character.name, status=term(character.status)),
            rule="OD-26",
        )
    open_roll = state.rolls.get(attack.attacker)
    events: list[e.Event] = []
    if open_roll is not None and open_roll.kind == "attack":
        events += closing(state, open_roll) if open_roll.held else []
    for nth, planned in enumerate(plans):
        events += roll_with_outcome(state, context, planned, dice, nth)
    return events


def _planned(
    state: OverdriveState,
    context: CommandContext,
    combat: Combat,
    attack: Attack,
    command: c.RollDefense,
    who: Character,
    cover: int,
    *,
    own: bool,
) -> Plan:
    """One defender's roll. The command's relation and dice are for the one attacked."""
    fighter = combat.participants.get(who.character_id)
    if fighter is None or cover > fighter.cover_dice:
        dice_left = fighter.cover_dice if fighter is not None else 0
        raise Rejection(
            "not_enough_cover_dice",
            say_many("{name} has {n} cover die left.", "{name} has {n} cover dice left.", dice_left, name=who.name)
            if dice_left
            else say("{name} has no cover dice left.", name=who.name),
            rule="OD-22",
        )
    asked_for = command if own else c.RollDefense(hold=command.hold)
    skill = combat_skill(state, who)
    return plan(
        state,
        context,
        who,
        asked_for,
        "defense",
        "score:defense",
        skill,
        cover_dice_used=cover,
        against=attack.roll_id,
    )


def resolve_attack(
    state: OverdriveState, context: CommandContext, command: c.ResolveAttack, dice: Dice
) -> list[e.Event]:
    """OD-C25: strictly more successes are exactly one damage, and a push (OD-24, OD-25)."""
    combat = require_combat(state, "OD-C25")
    attack = combat.attack
    if attack is None:
        raise Rejection("not_attacked", "There is no attack to resolve.", rule="OD-C25")
    attacker = find_character(state, context, attack.attacker, "OD-C25")
    require_player_or_gm(attacker, context, "OD-C25")
    victim = _victim(state, context, combat, attack, command.victim)
    if not attack.defenses and not context.is_gm:
        _require_defence(state, combat, attack)
    for who in (attack.attacker, *attack.defenses):
        roll = state.rolls.get(who)
        if roll is not None and roll.held:
            raise Rejection(
                "roll_held",
                say("{name} has a held roll that the GM has to close first.", name=name_of(state, who)),
                rule="OD-C7",
            )
    fighter = combat.participants[victim.character_id]
    ship = combat.scale == "ship"
    most = attack.excess if not ship or fighter.heading is not None else 0
    if command.recoil > most:
        raise Rejection(
            "recoil_out_of_range",
            say_many("The recoil is at most {n} cell.", "The recoil is at most {n} cells.", most),
            rule="OD-25",
        )
    cells, direction = (most, fighter.heading) if ship else (command.recoil, command.direction)
    if cells and direction is None and fighter.position is not None:
        raise Rejection(
            "direction_required",
            say("Give the direction that {name} is pushed in.", name=victim.name),
            rule="OD-25",
        )
    if combat.rulings and not ship:
        rings, _ = steps(direction, cells)
        require_room(fighter.position, rings, "OD-25")
    harmless = attack.weapon == BUTT and state.boarded(victim) is not None
    hurt = int(attack.excess > 0 and not harmless)
    if hurt and victim.pending_loss is not None:
        raise loss_comes_first(victim)
    events: list[e.Event] = [
        e.AttackResolved(
            attacker=attack.attacker,
            target=attack.target,
            victim=victim.character_id,
            weapon=attack.weapon,
            attack_successes=attack.successes,
            defense_successes=attack.defense,
            hit=attack.excess > 0,
            excess=attack.excess,
            damage=hurt,
            max_recoil=most,
            attack=attack.roll_id,
            defenses=attack.defense_rolls or UNSET,
        )
    ]
    if cells:
        events.append(_recoil(combat, victim.character_id, cells, direction))
    return [*events, *damage(context, victim, state.boarded(victim), dice)] if hurt else events


def _require_defence(state: OverdriveState, combat: Combat, attack: Attack) -> None:
    """Raise `defense_not_rolled` while a defender can still roll."""
    able = [attack.target, combat.protector_against(attack)] if combat.rulings else [attack.target]
    for who in able:
        if who is not None and state.is_fit(who):
            raise Rejection(
                "defense_not_rolled",
                say("{name} has not rolled a defence yet.", name=name_of(state, who)),
                rule="OD-C24",
            )


def _victim(
    state: OverdriveState, context: CommandContext, combat: Combat, attack: Attack, victim: str | None
) -> Character:
    """OD-22: the victim that the attacker chooses: the protected or the protector."""
    involved = [attack.target, combat.protector_against(attack)]
    if victim is not None and victim not in involved:
        raise Rejection(
            "victim_not_involved",
            say("{victim} is not part of this attack.", victim=name_of(state, victim)),
            rule="OD-22",
            choices=[who for who in involved if who is not None],
        )
    if victim is None:
        victim = context.filled["victim"] = attack.target
    return find_character(state, context, victim, "OD-C25")


def _recoil(combat: Combat, who: str, cells: int, direction: Direction | None) -> e.UnitRecoiled:
    """The push by so many cells; the middle of the map stops it."""
    before = combat.participants[who].position
    rings, quadrants = steps(direction, cells)
    return e.UnitRecoiled(
        character=who,
        cells=cells,
        direction=direction,
        from_=before,
        to=shifted(before, rings, quadrants, combat.quadrants),
        rings=rings,
        quadrants=quadrants,
        by_own_speed=True if combat.scale == "ship" else UNSET,
    )


def defense_rolled(state: OverdriveState, event: e.RollMade) -> None:
    """Add the defence to the attack, and close the attack's roll."""
    combat = state.combat
    if event.kind != "defense" or combat is None or combat.attack is None or event.character is None:
        return
    combat.attack.defenses[event.character] = event.successes
    combat.attack.defense_rolls.append(event.roll_id)
    attacking = state.rolls.get(combat.attack.attacker)
    if attacking is not None and attacking.kind == "attack":
        del state.rolls[combat.attack.attacker]
    fighter = combat.participants.get(event.character)
    if fighter is not None:
        fighter.cover_dice = max(0, fighter.cover_dice - event.cover_dice_used)


def attack_resolved(state: OverdriveState, event: e.AttackResolved) -> None:
    """Remove the attack and close its rolls."""
    combat = state.combat
    if combat is None or combat.attack is None:
        return
    for who in (combat.attack.attacker, *combat.attack.defenses):
        roll = state.rolls.get(who)
        if roll is not None and roll.kind in ("attack", "defense"):
            del state.rolls[who]
    if combat.attack.attacker == event.attacker:
        combat.attack = None


def unit_recoiled(state: OverdriveState, event: e.UnitRecoiled) -> None:
    """Move the unit; its cover and advantage are lost."""
    combat = state.combat
    if combat is not None and event.character in combat.participants:
        displaced(combat, event.character, event.rings, event.quadrants)
