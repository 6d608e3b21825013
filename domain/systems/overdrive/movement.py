"""Moving, cover, advantage and protection (OD-22, OD-C22).

Codes: movement_used, no_cinematic_action, pinned_by_protection, one_quadrant_change_per_turn,
not_enough_pm, nothing_to_move, destination_required, move_does_not_fit, off_the_map, not_same_sector.
"""

from contextlib import nullcontext

from domain.command_context import CommandContext
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import say, say_many
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_character,
    find_own,
    require_combat,
    require_fighter,
    require_no_loss,
    require_turn,
)
from domain.systems.overdrive.rolls import Plan, combat_skill, plan
from domain.systems.overdrive.sector_geometry import (
    lines_between,
    pm_between,
    require_on_map,
    sector,
    shifted,
    turned,
)
from domain.systems.overdrive.state import Character, Combat, OverdriveState, Participant, Position, Roll
from domain.systems.overdrive.tables import PM_PER_CURVE, PM_PER_PROTECTION, PM_PER_STRAIGHT


def require_free(combat: Combat, who: str, name: str) -> None:
    """Raise `pinned_by_protection`."""
    if combat.pinned(who):
        raise Rejection(
            "pinned_by_protection",
            say("{name} is protecting somebody or protected, and cannot move.", name=name),
            rule="OD-22",
        )


def roll_movement(state: OverdriveState, context: CommandContext, command: c.RollMovement) -> Plan:
    """OD-C22: one roll, for a manoeuvre, for cover or for an advantage."""
    character, combat, fighter = _mover(state, context, command.character)
    if command.cinematic and fighter.cinematic_actions < 1:
        raise Rejection(
            "no_cinematic_action", say("{name} has no extra action left.", name=character.name), rule="OD-9"
        )
    if fighter.movement_used and not command.cinematic:
        raise Rejection(
            "movement_used", say("{name} has already moved this turn.", name=character.name), rule="OD-21"
        )
    if command.mode == "maneuver":
        require_free(combat, character.character_id, character.name)
    return plan(
        state,
        context,
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


def move(state: OverdriveState, context: CommandContext, command: c.Move) -> list[e.UnitMoved]:
    """OD-C22: move for movement points, one a line; one straight line a turn."""
    character, combat, fighter = _mover(state, context, command.character)
    require_free(combat, character.character_id, character.name)
    with About("character") if fighter.pm == 0 else nullcontext():  # without points no way is short enough
        return [_move_event(combat, fighter, command, character)]


def _move_event(combat: Combat, fighter: Participant, command: c.Move, character: Character) -> e.UnitMoved:
    """The event of a move."""
    require_on_map(command.to, "OD-C22")
    curves, straight = _lines(combat, fighter, command)
    if straight > (0 if fighter.quadrant_changed else 1):
        raise Rejection(
            "one_quadrant_change_per_turn", "The quadrant changes at most once per turn.", rule="OD-22"
        )
    cost = PM_PER_CURVE * curves + PM_PER_STRAIGHT * straight
    if cost > fighter.pm:
        raise Rejection(
            "not_enough_pm",
            say("That costs {cost} PM, and {name} has {left}.", cost=cost, name=character.name, left=fighter.pm),
            rule="OD-22",
        )
    if cost == 0:
        raise _nothing_to_move(combat, fighter, command, character.name)
    to = sector(command.to, combat.quadrants)
    rings, quadrants = _change(combat, fighter, curves, straight, to)
    return e.UnitMoved(
        character=character.character_id,
        curves=curves,
        straight=straight,
        cost=cost,
        pm_left=fighter.pm - cost,
        cells=curves + straight,
        from_=fighter.position,
        to=to,
        rings=rings,
        quadrants=quadrants,
        placed=to if fighter.position is None else None,
        during=combat.now,
    )


def _mover(
    state: OverdriveState, context: CommandContext, character: str | None
) -> tuple[Character, Combat, Participant]:
    """The character who moves or protects, in their own turn and with nothing else pending."""
    mover = find_own(state, context, character, "OD-C22")
    combat = require_combat(state, "OD-C22")
    fighter = require_fighter(combat, mover, "OD-C22")
    require_turn(state, mover, "OD-C22")
    require_no_loss(combat, mover)
    return mover, combat, fighter


def _nothing_to_move(combat: Combat, fighter: Participant, command: c.Move, name: str) -> Rejection:
    """The rejection of a move over no line: on a map, the sector is missing or is their own."""
    sentence = say("Say which lines are crossed.")
    if combat.rulings and fighter.position is not None:
        sentence = say("Say which sector the move ends in.")
    if pm_between(command.to, fighter.position, combat.quadrants) == 0:
        sentence = say("{name} already stands in that sector.", name=name)
    return Rejection("nothing_to_move", sentence, rule="OD-C22")


def _lines(combat: Combat, fighter: Participant, command: c.Move) -> tuple[int, int]:
    """The lines to cross, curved and straight; if left out, those on the way to the sector.

    Raises `destination_required` for a character on a map without a destination.
    """
    if combat.rulings == 0 or fighter.position is None:
        return command.curves, command.straight
    if command.to is None and (command.curves or command.straight):
        raise Rejection("destination_required", "Say which sector the move ends in.", rule="OD-22")
    if command.to is None or command.curves or command.straight:
        return command.curves, command.straight
    return lines_between(fighter.position, command.to, combat.quadrants)


def _change(
    combat: Combat, fighter: Participant, curves: int, straight: int, to: Position | None
) -> tuple[int, int]:
    """The change in rings and quadrants by these lines. Raises `off_the_map` or `move_does_not_fit`."""
    before = fighter.position
    if before is None or to is None:
        return 0, 0
    rings, quadrants = to.ring - before.ring, turned(before, to, combat.quadrants)
    if combat.rulings == 0:
        quadrants = to.quadrant - before.quadrant
        possible = abs(rings) <= curves and (curves - abs(rings)) % 2 == 0
        fits = possible and (quadrants != 0) == (straight == 1)
    else:
        fits = lines_between(before, to, combat.quadrants) == (curves, straight)
    if not fits:
        away, across = lines_between(before, to, combat.quadrants)
        raise Rejection(
            "move_does_not_fit",
            say(
                "Those lines do not lead there: it takes {curved} and {straight}.",
                curved=say_many("{n} curved line", "{n} curved lines", away),
                straight=say_many("{n} straight line", "{n} straight lines", across),
            ),
            rule="OD-22",
            curves=away,
            straight=across,
        )
    return rings, quadrants


def protect(state: OverdriveState, context: CommandContext, command: c.Protect) -> list[e.ProtectionStarted]:
    """OD-C22: protect another character until one's next turn; both stay where they are."""
    character, combat, fighter = _mover(state, context, command.character)
    whom = find_character(state, context, command.whom, "OD-C22")
    other = combat.participants.get(whom.character_id)
    if other is None or other is fighter:
        raise Rejection(
            "unknown_participant",
            say("{name} cannot be protected here.", name=whom.name),
            rule="OD-22",
            choices=state.by_name(
                who for who, participant in combat.participants.items() if participant is not fighter
            ),
        )
    require_free(combat, character.character_id, character.name)
    require_free(combat, whom.character_id, whom.name)
    if fighter.pm < PM_PER_PROTECTION:
        raise Rejection(
            "not_enough_pm",
            say("Protecting somebody costs 1 PM, and {name} has none left.", name=character.name),
            rule="OD-22",
        )
    if pm_between(fighter.position, other.position, combat.quadrants):
        raise Rejection("not_same_sector", say("{name} is in another sector.", name=whom.name), rule="OD-22")
    return [
        e.ProtectionStarted(
            protector=character.character_id,
            protected=whom.character_id,
            cost=PM_PER_PROTECTION,
            pm_left=fighter.pm - PM_PER_PROTECTION,
            during=combat.now,
        )
    ]


def movement_rolled(state: OverdriveState, event: e.RollMade) -> None:
    """Use up the turn's movement, unless it was an extra one."""
    fighter = state.participant(event.character or "")
    if event.kind == "movement" and fighter is not None:
        fighter.acted = True
        fighter.movement_used = fighter.movement_used or not event.cinematic


def gained(
    state: OverdriveState, event: e.MovementPointsGained | e.CoverDiceGained | e.AdvantageDiceGained
) -> None:
    """Add points and dice."""
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
    """Move the unit; its cover and advantage are lost (OD-A21)."""
    fighter, combat = state.participant(event.character), state.combat
    if fighter is None or combat is None:
        return
    fighter.acted = True
    fighter.pm = max(0, fighter.pm - event.cost)
    fighter.quadrant_changed = fighter.quadrant_changed or event.straight > 0
    displaced(combat, event.character, event.rings, event.quadrants)
    if fighter.position is None:
        fighter.position = sector(event.placed, combat.quadrants)
    if event.quadrants:
        fighter.heading = "clockwise" if event.quadrants > 0 else "counterclockwise"
    elif event.rings or event.cells:
        fighter.heading = "inward" if event.rings < 0 else "outward"


def displaced(combat: Combat, who: str, rings: int, quadrants: int) -> None:
    """Remove cover, advantage and protections of a character who leaves a sector."""
    fighter = combat.participants[who]
    fighter.position = shifted(fighter.position, rings, quadrants, combat.quadrants)
    fighter.cover_dice = fighter.advantage_dice = 0
    if combat.rulings:
        for protector in (who, combat.protector_of(who)):
            unprotect(combat, protector)


def unprotect(combat: Combat, protector: str | None) -> None:
    """End a protection. In old logs it ends only with the turn."""
    fighter = combat.participants.get(protector or "")
    if fighter is not None and combat.rulings:
        fighter.protecting = None


def protection_started(state: OverdriveState, event: e.ProtectionStarted) -> None:
    """Add the protection."""
    fighter = state.participant(event.protector)
    if fighter is not None and state.participant(event.protected) is not None:
        fighter.acted = True
        fighter.pm = max(0, fighter.pm - event.cost)
        fighter.protecting = event.protected
