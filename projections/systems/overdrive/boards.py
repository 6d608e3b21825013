"""The fight board: order, positions, movement points, cooling weapons, losses to choose (OD-3, OD-19 … OD-26)."""

from typing import Annotated, Literal

from msgspec import Struct

from domain.field_references import ref
from domain.ids import AccountId
from domain.systems.overdrive.initiative import ordered
from domain.systems.overdrive.sector_geometry import sector
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Character, Combat, Initiative, OverdriveState, Position
from domain.systems.overdrive.tables import Counter, Scale, Status
from projections.awaited_answers import Able, Name, WaitingFor
from projections.systems.overdrive.awaited_answers import fight_waits_for
from projections.systems.overdrive.sheet import (
    CounterView,
    LossView,
    WeaponView,
    counter_view,
    loss_view,
    weapon_views,
)


class PersonRef(Struct, frozen=True):
    """A character."""

    character: str
    name: str


class DamageGoes(Struct, frozen=True):
    """The counter that takes the next damage."""

    counter: Counter
    stands: CounterView


class FighterStands(Struct, frozen=True):
    """A fighter, and what they can still do. `position` is null in a fight without a map.

    `place` in the order counts from 1; null before initiative is rolled. `mech` is null on foot. `weapons` are
    those at hand, with the turn on which a cooling one is ready; of the configurations, `active` are switched on
    and `configurations` can still be lost. `status` is null for fighters who cannot fight: turns skip them. If the
    `player` has left the campaign, a GM answers for them.
    """

    who: PersonRef
    player: AccountId | None
    player_has_left: bool
    place: int | None
    status: Literal["acting", "waiting", "done"] | None
    condition: Status
    surprised: bool
    initiative: Initiative | None
    mech: str | None
    mode: Literal["normal", "fatal"] | None
    damage: DamageGoes
    overdrive: int
    position: Position | None
    pm: int
    movement_used: bool
    quadrant_changed: bool
    attack_used: bool
    cinematic_actions: int
    cover_dice: int
    advantage_dice: int
    protects: PersonRef | None
    protected_by: PersonRef | None
    weapons: dict[Annotated[str, ref("weapon")], WeaponView]
    cooling: list[Annotated[str, ref("weapon")]]
    active: list[Annotated[str, ref("config")]]
    configurations: list[Annotated[str, ref("config")]]
    pending_loss: LossView | None
    roll_held: bool


class DefenseStands(Struct, frozen=True):
    """A rolled defence."""

    who: PersonRef
    successes: int


class AttackStands(Struct, frozen=True):
    """An attack that waits: for its defence while `defenses` are empty, then for its resolution.

    `max_recoil` is how far the target can be pushed now.
    """

    attacker: PersonRef
    target: PersonRef
    weapon: str
    successes: int
    defenses: list[DefenseStands]
    max_recoil: int


class FightBoard(Struct, frozen=True):
    """The fight at a glance.

    In peace `combat_id`, `phase`, `scale` and `turn` are null and there are no fighters. `order` is this turn's,
    `acting` whose turn it is. `waiting_for_initiative` have not rolled theirs. `waits_for` lists the pending
    choices, blocking ones first. A ring of the map has so many `quadrants`, counted clockwise from 0.
    """

    combat_id: str | None
    phase: Literal["initiative", "turns"] | None
    scale: Scale | None
    turn: int | None
    acting: PersonRef | None
    order: list[PersonRef]
    waiting_for_initiative: list[PersonRef]
    fighters: list[FighterStands]
    attack: AttackStands | None
    tactical_points: int
    objective_position: Position | None
    quadrants: int
    waits_for: list[WaitingFor]


def fight(state: OverdriveState, name: Name, settings: Settings, able: Able = None) -> FightBoard:
    """The current fight: fighters in the order of its turns, those without a place by name."""
    combat = state.combat
    if combat is None:
        return FightBoard(
            combat_id=None,
            phase=None,
            scale=None,
            turn=None,
            acting=None,
            order=[],
            waiting_for_initiative=[],
            fighters=[],
            attack=None,
            tactical_points=state.tactical_points,
            objective_position=sector(state.objective_position, settings.quadrants),
            quadrants=settings.quadrants,
            waits_for=[],
        )
    initiatives = {
        who: fighter.initiative for who, fighter in combat.participants.items() if fighter.initiative is not None
    }
    order = combat.order if combat.phase == "turns" else ordered(state, initiatives)
    there = [who for who in combat.participants if who in state.characters]
    in_order = sorted(there, key=lambda who: (order.index(who) if who in order else len(order), name(who), who))
    return FightBoard(
        combat_id=combat.combat_id,
        phase=combat.phase,
        scale=combat.scale,
        turn=combat.turn if combat.phase == "turns" else None,
        acting=_person_ref(state.acting, name),
        order=[PersonRef(who, name(who)) for who in order],
        waiting_for_initiative=[
            PersonRef(who, name(who))
            for who in in_order
            if combat.phase == "initiative" and who not in initiatives and state.is_fit(who)
        ],
        fighters=[_fighter(state, combat, state.characters[who], order, name, settings, able) for who in in_order],
        attack=_attack(combat, name),
        tactical_points=state.tactical_points,
        objective_position=state.objective_position,
        quadrants=combat.quadrants,
        waits_for=fight_waits_for(state, name, settings, able),
    )


def _fighter(
    state: OverdriveState,
    combat: Combat,
    character: Character,
    order: list[str],
    name: Name,
    settings: Settings,
    able: Able,
) -> FighterStands:
    """One row of the board."""
    who = character.character_id
    fighter, mech = combat.participants[who], state.boarded(character)
    weapons = weapon_views(state, mech.weapons if mech is not None else character.weapons)
    counter = state.counter(character)
    value = mech.phase if counter == "phase" and mech is not None else character.fatal
    configs = mech.configs if mech is not None else {}
    roll = state.rolls.get(who)
    return FighterStands(
        who=PersonRef(who, name(who)),
        player=character.player_id,
        player_has_left=able is not None and character.player_id not in (None, *able),
        place=order.index(who) + 1 if who in order else None,
        status=_status(state, combat, who),
        condition=character.status,
        surprised=combat.is_surprised(who),
        initiative=fighter.initiative,
        mech=mech.name if mech is not None else None,
        mode=mech.mode if mech is not None else None,
        damage=DamageGoes(counter, counter_view(value, settings)),
        overdrive=character.od.available,
        position=fighter.position,
        pm=fighter.pm,
        movement_used=fighter.movement_used,
        quadrant_changed=fighter.quadrant_changed,
        attack_used=fighter.attack_used,
        cinematic_actions=fighter.cinematic_actions,
        cover_dice=fighter.cover_dice,
        advantage_dice=fighter.advantage_dice,
        protects=_person_ref(fighter.protecting, name),
        protected_by=_person_ref(combat.protector_of(who), name),
        weapons=weapons,
        cooling=[key for key, weapon in weapons.items() if weapon.ready_on_turn is not None],
        active=sorted(config for config, how in configs.items() if how == "active"),
        configurations=sorted(config for config, how in configs.items() if how != "lost"),
        pending_loss=loss_view(state, character),
        roll_held=roll is not None and roll.held,
    )


def _status(state: OverdriveState, combat: Combat, who: str) -> Literal["acting", "waiting", "done"] | None:
    """A fighter's status in this turn; None before the turns, and for fighters who cannot fight."""
    if state.acting == who:
        return "acting"
    if combat.phase != "turns" or (combat.rulings and not state.is_fit(who)):
        return None
    return "done" if who in combat.done else "waiting"


def _attack(combat: Combat, name: Name) -> AttackStands | None:
    """The exchange that is not finished."""
    attack = combat.attack
    if attack is None:
        return None
    return AttackStands(
        attacker=PersonRef(attack.attacker, name(attack.attacker)),
        target=PersonRef(attack.target, name(attack.target)),
        weapon=attack.weapon,
        successes=attack.successes,
        defenses=[
            DefenseStands(PersonRef(who, name(who)), successes)
            for who, successes in sorted(attack.defenses.items())
        ],
        max_recoil=max(0, attack.successes - max(attack.defenses.values(), default=0)),
    )


def _person_ref(who: str | None, name: Name) -> PersonRef | None:
    return PersonRef(who, name(who)) if who is not None else None
