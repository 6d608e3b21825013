"""Spots an enemy frame, last of the actions of a turn (MF-C12, MF-16).

Codes: attack_first, already_spotted, target_too_far_to_spot, target_in_cover, not_spottable, which_target,
unknown_target.
"""

from domain.command_context import CommandContext
from domain.mechanics.omitted_ids import the_one
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import either, say
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.access import find_turn, require_defense_placed, require_in_play
from domain.systems.mobile_frame.die_assignment import Giving, assigned, require_die_said
from domain.systems.mobile_frame.frame_values import spotting_level
from domain.systems.mobile_frame.state import Battle, Frame, MobileFrameState
from domain.systems.mobile_frame.tables import HAND_UNITS, SPOT_ANYTHING


def spot(
    state: MobileFrameState, context: CommandContext, command: c.Spot
) -> list[Giving | e.SpotPlaced | e.SpotForgone]:
    """MF-C12, MF-16: after the own attack; only a higher marker replaces the present one."""
    battle, turn, frame = find_turn(state, context, command.frame, "MF-C12")
    require_defense_placed(turn, "MF-C12")
    if turn.attack is not None or (turn.target is not None and not turn.attacked):
        raise Rejection("attack_first", "Attack, or call the attack off, before you spot.", rule="MF-16")
    if turn.spotted:
        raise Rejection(
            "already_spotted", say("{frame} has already spotted this turn.", frame=frame.name), rule="MF-C12"
        )
    target = _spottable(state, context, frame, command.target)
    level = spotting_level(frame)
    if level < SPOT_ANYTHING and command.distance > spotting_distance(battle):
        raise Rejection(
            "target_too_far_to_spot",
            say("{target} is too far away to be spotted.", target=target.name),
            rule="MF-16",
        )
    if level == 0 and command.in_cover:
        raise Rejection(
            "target_in_cover", "Without a spotting system, nobody in cover can be spotted.", rule="MF-16"
        )
    events: list[Giving | e.SpotPlaced | e.SpotForgone] = []
    value = turn.value("spot")
    if command.die is None and "spot" not in turn.assigned:
        require_die_said(context, turn, frame, "spot")
    if command.die is not None:
        with About("frame", "die"):
            events += assigned(turn, frame, "spot", command.die)
        value = turn.pool[command.die].value
    if value == 0:
        return [*events, e.SpotForgone(frame.frame_id, target.frame_id, "no_die", turn_id=turn.turn_id)]
    if target.spot is not None and target.spot >= value:
        return [*events, e.SpotForgone(frame.frame_id, target.frame_id, "not_higher", turn_id=turn.turn_id)]
    placed = e.SpotPlaced(frame.frame_id, target.frame_id, value, replaced=target.spot, turn_id=turn.turn_id)
    return [*events, placed]


def spotting_distance(battle: Battle) -> int:
    """The distance at which a frame with fewer than two spotting systems spots: as far as direct fire reaches."""
    return max(battle.ruler_units, HAND_UNITS)


def spottable(state: MobileFrameState, frame: Frame) -> list[Frame]:
    """The frames that a frame could spot at any distance (MF-16, MF-A10)."""
    return [other for other in state.in_play() if other.owner != frame.owner and other.status == "active"]


def _spottable(state: MobileFrameState, context: CommandContext, frame: Frame, target: str | None) -> Frame:
    """A hostile frame; the only one if the command names none.

    Raises `not_spottable`, `which_target`, `unknown_target`.
    """
    hostile = spottable(state, frame)
    if target is None:
        return the_one(
            context,
            "target",
            hostile,
            code="which_target",
            message=lambda several: say(
                "Which frame? {choices}.", choices=either(candidate.name for candidate in several)
            ),
            rule="MF-C12",
            describe=lambda candidate: {"target": candidate.frame_id, "name": candidate.name},
            none=lambda: Rejection("not_spottable", "No enemy frame is left to spot.", rule="MF-16"),
        )
    if target in state.frames:
        require_in_play(state.frames[target], "MF-C12")
    enemy = next((candidate for candidate in hostile if candidate.frame_id == target), None)
    if enemy is not None:
        return enemy
    if target in state.covers or target in state.stations or target in state.frames:
        raise Rejection("not_spottable", "Only an enemy frame that still stands can be spotted.", rule="MF-16")
    raise Rejection(
        "unknown_target",
        "That is no frame on this field.",
        rule="MF-C12",
        choices=[candidate.frame_id for candidate in hostile],
    )


def spot_placed(state: MobileFrameState, event: e.SpotPlaced) -> None:
    """Set the spot marker on the target, unless a higher one is there."""
    target = state.frames.get(event.target)
    if target is not None and target.status == "active":
        target.spot = max(event.value, target.spot or 0)
    spotted(state, event)


def spotted(state: MobileFrameState, event: e.SpotForgone | e.SpotPlaced) -> None:
    """The turn's spot is used up."""
    turn = state.activation(event.frame)
    if turn is not None:
        turn.spotted = True
