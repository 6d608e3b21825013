"""The beginning and end of a fight, and initiative (OD-19, OD-20, OD-C18 … OD-C20, OD-C27, OD-C30, OD-W1).

Codes: not_in_initiative, initiative_rolled, only_at_initiative, not_enough_tactical_points, unknown_item,
bad_order, pending_loss, roll_held, unknown_participant, off_the_map, already_in_combat, direction_required,
points_do_not_fit.
"""

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.sentences import say, say_many
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_character,
    find_mech,
    find_own,
    loss_comes_first,
    name_of,
    nameable,
    require_any_player,
    require_combat,
    require_fighter,
    require_fit,
    require_gm,
    require_no_combat,
)
from domain.systems.overdrive.rolls import Plan, combat_skill, kept_under, plan, require_nothing_held, worth
from domain.systems.overdrive.sector_geometry import require_on_map, require_worth, sector, shifted, steps
from domain.systems.overdrive.stabilisation import unrecharged
from domain.systems.overdrive.state import Combat, Mech, OverdriveState, Participant, Position, Roll
from domain.systems.overdrive.state import Initiative as Place
from domain.systems.overdrive.tables import QUADRANTS, RULINGS

OBJECTIVE = "objective"


def start_combat(
    state: OverdriveState, context: CommandContext, command: c.StartCombat, dice: Dice
) -> list[e.Event]:
    """OD-C18: start a fight; unrecharged mechs suffer for it, in the order of the list (OD-19)."""
    require_gm(context, "OD-C18")
    require_no_combat(state, "OD-C18")
    participants = command.participants
    if participants is None:
        participants = [
            character.character_id
            for character in nameable(state, context)
            if character.status == "fit" and character.character_id not in context.out_of_story
        ]
        context.filled["participants"] = participants
    people = [find_character(state, context, who, "OD-C18") for who in dict.fromkeys(participants)]
    ids = [character.character_id for character in people]
    if not ids:
        raise Rejection("no_character", "A fight needs at least one participant.", rule="OD-C18")
    for who in (*command.surprised, *command.positions):
        if who not in ids:
            raise Rejection(
                "unknown_participant",
                say("{name} is not in this fight.", name=name_of(state, who)),
                rule="OD-C18",
                choices=ids,
            )
    for position in (*command.positions.values(), command.objective_position):
        require_on_map(position, "OD-C18")
    around = context.settings.quadrants
    events: list[e.Event] = [
        e.CombatStarted(
            combat_id=derive_id("combat", context.action_id),
            participants=ids,
            surprised=list(dict.fromkeys(command.surprised)),
            scale=command.scale,
            positions={
                who: Position(position.ring, position.quadrant % around)
                for who, position in command.positions.items()
            },
            objective_position=sector(command.objective_position, around),
            rulings=RULINGS,
            quadrants=around,
        )
    ]
    for nth, character in enumerate(people):
        events += unrecharged(context, character, state.boarded(character), dice, nth)
    return events


def join_combat(
    state: OverdriveState, context: CommandContext, command: c.JoinCombat, dice: Dice
) -> list[e.Event]:
    """OD-19: an ambush, or help. Raises `already_in_combat` or `not_fit`."""
    require_gm(context, "OD-19")
    combat = require_combat(state, "OD-19")
    character = find_character(state, context, command.character, "OD-19")
    if character.character_id in combat.participants:
        raise Rejection(
            "already_in_combat", say("{name} is already in this fight.", name=character.name), rule="OD-19"
        )
    require_fit(character)
    require_on_map(command.position, "OD-19")
    event = e.CombatJoined(
        combat_id=combat.combat_id,
        character=character.character_id,
        position=sector(command.position, combat.quadrants),
        surprised=command.surprised or UNSET,
    )
    return [event, *unrecharged(context, character, state.boarded(character), dice)]


def roll_initiative(state: OverdriveState, context: CommandContext, command: c.RollInitiative) -> Plan:
    """OD-C19: Detection."""
    character = find_own(state, context, command.character, "OD-C19")
    combat = require_combat(state, "OD-C19")
    fighter = require_fighter(combat, character, "OD-C19")
    if combat.phase != "initiative" and not fighter.late:
        raise Rejection("not_in_initiative", "Initiative is over: the turns have already begun.", rule="OD-C19")
    if fighter.initiative is not None:
        raise Rejection(
            "initiative_rolled", say("{name} has already rolled initiative.", name=character.name), rule="OD-C19"
        )
    skill = combat_skill(state, character)
    return plan(state, context, character, command, "initiative", "score:detection", skill)


def outcome(state: OverdriveState, roll: Roll) -> list[e.Event]:
    """OD-20: most successes first, then the higher Detection (OD-A25)."""
    character = state.characters.get(roll.character)
    if character is None or state.combat is None:
        return []
    detection = worth(state, character, "score:detection")
    places = {key: fighter.initiative for key, fighter in state.combat.participants.items() if fighter.initiative}
    places[roll.character] = Place(roll.successes, detection)
    return [e.InitiativeSet(roll.character, roll.successes, detection, order=ordered(state, places))]


def ordered(state: OverdriveState, places: dict[str, Place]) -> list[str]:
    """The order of initiative; ties are by name until the GM settles them."""
    return sorted(state.by_name(places), key=lambda who: (-places[who].successes, -places[who].detection))


def spend_tactical_points(
    state: OverdriveState, context: CommandContext, command: c.SpendTacticalPoints
) -> list[e.TacticalPointsSpent]:
    """OD-C20: 1 point moves one thing 1 PM, while initiative is being rolled."""
    require_any_player(state, context, "OD-C20")
    combat = state.combat
    if combat is None or combat.phase != "initiative":
        raise Rejection(
            "only_at_initiative", "Tactical points are spent while initiative is rolled.", rule="OD-20"
        )
    if command.points > max(0, state.tactical_points):
        raise Rejection(
            "not_enough_tactical_points",
            say_many(
                "The team has {n} tactical point.", "The team has {n} tactical points.", state.tactical_points
            ),
            rule="OD-20",
        )
    aboard = {
        character.mech: key for key, character in sorted(state.characters.items()) if character.mech is not None
    }
    who = aboard.get(command.item, command.item)
    if command.item != OBJECTIVE and who not in combat.participants:
        raise Rejection(
            "unknown_item",
            say("{item} is neither the objective nor in this fight.", item=name_of(state, command.item)),
            rule="OD-20",
        )
    if combat.rulings:
        stands = state.objective_position if command.item == OBJECTIVE else combat.participants[who].position
        require_worth(stands, command.direction, command.points, "OD-20")
    rings, quadrants = steps(command.direction, command.points, quadrant_pm=True)
    return [
        e.TacticalPointsSpent(
            item=command.item,
            points=command.points,
            moved_pm=command.points,
            total_after=state.tactical_points - command.points,
            direction=command.direction,
            character=who if command.item != OBJECTIVE else None,
            rings=rings,
            quadrants=quadrants,
            during=combat.now,
        )
    ]


def begin_turns(state: OverdriveState, context: CommandContext, command: c.BeginTurns) -> list[e.TurnsBegun]:
    """OD-C30: the GM's order settles ties and nothing else. Raises `bad_order` or `roll_held`."""
    require_gm(context, "OD-C30")
    combat = require_combat(state, "OD-C30")
    if combat.phase != "initiative":
        raise Rejection("not_in_initiative", "The turns have already begun.", rule="OD-C30")
    if combat.rulings > 1:
        for who in combat.participants:
            _require_initiative_settled(state, who, context)
    places = {key: fighter.initiative or Place(-1, 0) for key, fighter in combat.participants.items()}
    order = ordered(state, places)
    if command.order is not None:
        ranks = [(places[who].successes, places[who].detection) for who in command.order if who in places]
        fits = sorted(command.order) == sorted(order) and ranks == sorted(ranks, reverse=True)
        if not fits:
            raise Rejection("bad_order", "That order contradicts the initiative.", rule="OD-A25", choices=order)
        order = command.order
    return [e.TurnsBegun(order, combat.now, derive_id("turn", context.action_id))]


def _require_initiative_settled(state: OverdriveState, who: str, context: CommandContext) -> None:
    """Raise `roll_held` while a roll of initiative may still get more successes."""
    character, open_roll = state.characters.get(who), state.rolls.get(who)
    if character is not None and open_roll is not None and open_roll.kind == "initiative":
        require_nothing_held(state, character, context)


def end_combat(state: OverdriveState, context: CommandContext, command: c.EndCombat) -> list[e.Event]:  # noqa: ARG001 — the shape
    """OD-C27. Raises `pending_loss`."""
    require_gm(context, "OD-C27")
    combat = require_combat(state, "OD-C27")
    people = state.by_name(combat.participants)
    fighters = [state.characters[who] for who in people if who in state.characters]
    for character in fighters:
        if character.pending_loss is not None:
            raise loss_comes_first(character)
    fought_in = [mech for who in people for mech in combat.participants[who].mechs]
    sat_in = [character.mech for character in fighters if character.mech is not None]
    mechs = [mech for mech in dict.fromkeys([*fought_in, *sat_in]) if mech in state.mechs]
    return [
        e.CombatEnded(combat.combat_id, people, mechs),
        *(e.MechDischarged(mech) for mech in mechs),
    ]


def combat_started(state: OverdriveState, event: e.CombatStarted) -> None:
    """Start the fight, which ends the scene before it."""
    state.scene = None
    around = event.quadrants or QUADRANTS
    state.combat = Combat(
        combat_id=event.combat_id,
        rulings=event.rulings or 0,
        quadrants=around,
        scale=event.scale,
        surprised=list(event.surprised),
        participants={
            who: Participant(position=sector(event.positions.get(who), around)) for who in event.participants
        },
    )
    for who, fighter in state.combat.participants.items():
        character = state.characters.get(who)
        fighter.mechs = [character.mech] if character is not None and character.mech is not None else []
    if event.objective_position is not None:
        state.objective_position = event.objective_position
    state.objective_position = sector(state.objective_position, around)


def combat_joined(state: OverdriveState, event: e.CombatJoined) -> None:
    """Add the character as the last in the order, this turn and until they roll initiative."""
    combat, character = state.combat, state.characters.get(event.character)
    if combat is None or event.character in combat.participants:
        return
    mechs = [character.mech] if character is not None and character.mech is not None else []
    combat.participants[event.character] = Participant(
        position=sector(event.position, combat.quadrants),
        mechs=mechs,
        late=True,
        surprised_in=combat.turn if event.surprised else None,
    )
    if combat.phase == "turns":
        combat.initiative_order.append(event.character)
        combat.order.append(event.character)


def initiative_set(state: OverdriveState, event: e.InitiativeSet) -> None:
    """Set a place in the order; in the turns it holds at once, but does not interrupt a turn."""
    fighter, combat = state.participant(event.character), state.combat
    if fighter is None or combat is None:
        return
    fighter.initiative = Place(event.successes, event.detection)
    if combat.phase == "turns":
        _place(combat, combat.initiative_order, event.character, 0)
        if state.acting != event.character and event.character not in combat.done:
            least = combat.order.index(state.acting) + 1 if state.acting is not None else 0
            _place(combat, combat.order, event.character, least)


def _place(combat: Combat, order: list[str], who: str, least: int) -> None:
    """Move a character before the first with less initiative, but not above place `least`."""

    def rank(character: str) -> tuple[int, int]:
        fighter = combat.participants.get(character)
        place = fighter.initiative if fighter is not None else None
        return (-1, 0) if place is None else (place.successes, place.detection)

    if who in order:
        order.remove(who)
    less = (nth for nth, other in enumerate(order) if nth >= least and rank(other) < rank(who))
    order.insert(next(less, len(order)), who)


def tactical_points_spent(state: OverdriveState, event: e.TacticalPointsSpent) -> None:
    """Subtract the points. There is no floor: an undone gain may leave the team in debt."""
    state.tactical_points -= event.points
    around = state.combat.quadrants if state.combat is not None else QUADRANTS
    if event.item == OBJECTIVE:
        state.objective_position = shifted(state.objective_position, event.rings, event.quadrants, around)
    fighter = state.participant(event.character or "")
    if fighter is not None:
        fighter.position = shifted(fighter.position, event.rings, event.quadrants, around)


def combat_ended(state: OverdriveState, event: e.CombatEnded) -> None:
    """OD-W1: remove everything of the fight; wounds, failures and modes stay.

    Configurations rest in all mechs of those who fought, also in those that they did not sit in (OD-A27).
    """
    state.combat = None
    state.tension_due = True
    for who in event.participants:
        character = state.characters.get(who)
        if character is None:
            continue
        if character.status == "stunned":
            character.status = "fit"
        for weapon in character.weapons.values():
            weapon.fired_turn = None
        for is_hidden in (False, True):
            state.rolls.pop(kept_under(who, is_hidden=is_hidden), None)
    for mech in state.mechs.values():
        if mech.mech_id in event.mechs:
            for weapon in mech.weapons.values():
                weapon.fired_turn = None
        if mech.mech_id in event.mechs or mech.pilot in event.participants:
            _rest(mech)


def _rest(mech: Mech) -> None:
    """Let the active configurations be available again."""
    for config, how in mech.configs.items():
        if how == "active":
            mech.configs[config] = "available"


def recharge_mech(
    state: OverdriveState, context: CommandContext, command: c.RechargeMech
) -> list[e.MechRecharged]:
    """OD-C28: recharge a mech; the GM says how much it takes (OD-A26)."""
    require_gm(context, "OD-C28")
    mech = find_mech(state, context, command.mech, "OD-C28")
    require_no_combat(state, "OD-C28")
    return [e.MechRecharged(mech.mech_id)]


def charged(state: OverdriveState, event: e.MechDischarged | e.MechRecharged) -> None:
    """Set whether a mech is charged: a fight empties it, the GM recharges it."""
    mech = state.mechs.get(event.mech)
    if mech is not None:
        mech.recharged = isinstance(event, e.MechRecharged)
