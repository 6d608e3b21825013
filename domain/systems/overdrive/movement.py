"""Moving, cover, advantage and protection (OD-22, OD-C22).

Codes: movement_used, no_cinematic_action, pinned_by_protection, one_quadrant_change_per_turn,
not_enough_pm, nothing_to_move, move_does_not_fit, off_the_map, not_same_sector.
"""

from domain.asked import Asked
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.asking import (
    find_character,
    find_own,
    require_combat,
    require_fighter,
    require_turn,
)
from domain.systems.overdrive.rolling import Plan, combat_skill, plan
from domain.systems.overdrive.state import Combat, OverdriveState, Participant, Position, Roll
from domain.systems.overdrive.tables import PM_PER_CURVE, PM_PER_PROTECTION, PM_PER_STRAIGHT, Direction

MAP_MAX = 1000


def steps(direction: Direction | None, count: int, *, quadrant_pm: bool = False) -> tuple[int, int]:
    """Rings and quadrants that so many cells (or, with `quadrant_pm`, movement points) mean."""
    around = count // PM_PER_STRAIGHT if quadrant_pm else count
    match direction:
        case "outward":
            return count, 0
        case "inward":
            return -count, 0
        case "clockwise":
            return 0, around
        case "counterclockwise":
            return 0, -around
        case None:
            return 0, 0


def shifted(position: Position | None, rings: int, quadrants: int) -> Position | None:
    """Another sector; the middle of the map is ring 0. An unknown one stays unknown."""
    if position is None:
        return None
    return Position(max(0, position.ring + rings), position.quadrant + quadrants)


def require_on_map(position: Position | None, rule: str) -> None:
    """Raises `off_the_map`: rings count from the middle, and no map is larger than any table."""
    if position is not None and not (0 <= position.ring <= MAP_MAX and abs(position.quadrant) <= MAP_MAX):
        raise Rejection(
            "off_the_map",
            say("A map has rings from 0 to {most}, and quadrants up to {most} either way.", most=MAP_MAX),
            rule=rule,
        )


def require_free(combat: Combat, who: str, name: str) -> None:
    """Raises `pinned_by_protection`."""
    if combat.pinned(who):
        raise Rejection(
            "pinned_by_protection",
            say("{name} protects or is protected, and stays in place.", name=name),
            rule="OD-22",
        )


def roll_movement(state: OverdriveState, asked: Asked, command: c.RollMovement) -> Plan:
    """OD-C22: one roll, for a manoeuvre, for cover or for an advantage."""
    character = find_own(state, asked, command.character, "OD-C22")
    combat = require_combat(state, "OD-C22")
    fighter = require_fighter(combat, character, "OD-C22")
    require_turn(combat, character, "OD-C22")
    if command.cinematic and fighter.cinematic_actions < 1:
        raise Rejection(
            "no_cinematic_action", say("{name} has no extra action.", name=character.name), rule="OD-9"
        )
    if fighter.movement_used and not command.cinematic:
        raise Rejection(
            "movement_used", say("{name} has used this turn's movement.", name=character.name), rule="OD-21"
        )
    if command.mode == "maneuver":
        require_free(combat, character.character_id, character.name)
    return plan(
        state,
        asked,
        character,
        command,
        "movement",
        "score:movement",
        combat_skill(state, character),
        mode=command.mode,
        cinematic=command.cinematic,
    )


def outcome(roll: Roll) -> list[e.Event]:
    """OD-22: one point or die per success."""
    events: list[e.Event] = [e.CinematicActionUsed(roll.character)] if roll.cinematic else []
    match roll.mode:
        case "cover":
            return [*events, e.CoverDiceGained(roll.character, roll.successes)]
        case "advantage":
            return [*events, e.AdvantageDiceGained(roll.character, roll.successes)]
        case "maneuver" | None:
            return [*events, e.MovementPointsGained(roll.character, roll.successes)]


def move(state: OverdriveState, asked: Asked, command: c.Move) -> list[e.UnitMoved]:
    """OD-C22: lines are paid in movement points; one straight line a turn."""
    character = find_own(state, asked, command.character, "OD-C22")
    combat = require_combat(state, "OD-C22")
    fighter = require_fighter(combat, character, "OD-C22")
    require_turn(combat, character, "OD-C22")
    require_free(combat, character.character_id, character.name)
    if command.straight > (0 if fighter.quadrant_changed else 1):
        raise Rejection(
            "one_quadrant_change_per_turn", "The quadrant changes at most once per turn.", rule="OD-22"
        )
    cost = PM_PER_CURVE * command.curves + PM_PER_STRAIGHT * command.straight
    if cost > fighter.pm:
        raise Rejection(
            "not_enough_pm",
            say("That costs {cost} PM, and {left} are left.", cost=cost, left=fighter.pm),
            rule="OD-22",
        )
    if cost == 0:
        raise Rejection("nothing_to_move", "Say which lines are crossed.", rule="OD-C22")
    require_on_map(command.to, "OD-C22")
    before, after = fighter.position, command.to
    rings = quadrants = 0
    if before is not None and after is not None:
        rings, quadrants = after.ring - before.ring, after.quadrant - before.quadrant
        possible = abs(rings) <= command.curves and (command.curves - abs(rings)) % 2 == 0
        if not possible or (quadrants != 0) != (command.straight == 1):
            raise Rejection("move_does_not_fit", "Those lines do not lead there.", rule="OD-22")
    return [
        e.UnitMoved(
            character=character.character_id,
            curves=command.curves,
            straight=command.straight,
            cost=cost,
            pm_left=fighter.pm - cost,
            cells=command.curves + command.straight,
            from_=before,
            to=after,
            rings=rings,
            quadrants=quadrants,
            placed=after if before is None else None,
        )
    ]


def protect(state: OverdriveState, asked: Asked, command: c.Protect) -> list[e.ProtectionStarted]:
    """OD-C22: one stands before another, and both stay where they are."""
    character = find_own(state, asked, command.character, "OD-C22")
    combat = require_combat(state, "OD-C22")
    fighter = require_fighter(combat, character, "OD-C22")
    require_turn(combat, character, "OD-C22")
    whom = find_character(state, asked, command.whom, "OD-C22")
    other = combat.participants.get(whom.character_id)
    if other is None or other is fighter:
        raise Rejection(
            "unknown_participant", say("{name} cannot be protected here.", name=whom.name), rule="OD-22"
        )
    require_free(combat, character.character_id, character.name)
    require_free(combat, whom.character_id, whom.name)
    if fighter.pm < PM_PER_PROTECTION:
        raise Rejection("not_enough_pm", "Protecting somebody costs 1 PM.", rule="OD-22")
    if None not in (fighter.position, other.position) and fighter.position != other.position:
        raise Rejection("not_same_sector", say("{name} is in another sector.", name=whom.name), rule="OD-22")
    return [
        e.ProtectionStarted(
            protector=character.character_id,
            protected=whom.character_id,
            cost=PM_PER_PROTECTION,
            pm_left=fighter.pm - PM_PER_PROTECTION,
        )
    ]


def movement_rolled(state: OverdriveState, event: e.RollMade) -> None:
    """The turn's movement is used, unless it was an extra one."""
    fighter = state.participant(event.character or "")
    if event.kind == "movement" and fighter is not None and not event.cinematic:
        fighter.movement_used = True


def gained(
    state: OverdriveState, event: e.MovementPointsGained | e.CoverDiceGained | e.AdvantageDiceGained
) -> None:
    """Points and dice add up."""
    fighter = state.participant(event.character)
    if fighter is None:
        return
    match event:
        case e.MovementPointsGained():
            fighter.pm += event.amount
        case e.CoverDiceGained():
            fighter.cover_dice += event.amount
        case e.AdvantageDiceGained():
            fighter.advantage_dice += event.amount


def unit_moved(state: OverdriveState, event: e.UnitMoved) -> None:
    """Another sector: cover and advantage stay behind (OD-A21)."""
    fighter = state.participant(event.character)
    if fighter is None:
        return
    fighter.pm = max(0, fighter.pm - event.cost)
    fighter.quadrant_changed = fighter.quadrant_changed or event.straight > 0
    displaced(fighter, event.rings, event.quadrants)
    if fighter.position is None:
        fighter.position = event.placed
    if event.quadrants:
        fighter.heading = "clockwise" if event.quadrants > 0 else "counterclockwise"
    elif event.rings or event.cells:
        fighter.heading = "inward" if event.rings < 0 else "outward"


def displaced(fighter: Participant, rings: int, quadrants: int) -> None:
    """Whoever leaves a sector leaves its cover and advantage."""
    fighter.position = shifted(fighter.position, rings, quadrants)
    fighter.cover_dice = fighter.advantage_dice = 0


def protection_started(state: OverdriveState, event: e.ProtectionStarted) -> None:
    """One before the other."""
    fighter = state.participant(event.protector)
    if fighter is not None and state.participant(event.protected) is not None:
        fighter.pm = max(0, fighter.pm - event.cost)
        fighter.protecting = event.protected
