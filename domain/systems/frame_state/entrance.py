"""Entering play: a pilot with their frames, a frame of a known pilot, an NPC's unit."""

from collections.abc import Collection
from copy import deepcopy

from domain.mechanics.dispatch import Evolve
from domain.systems.frame_state.entrance_events import EntranceEvent, FrameEntered, PilotEntered, UnitEntered
from domain.systems.frame_state.state import FrameState


def entrance_events(state: FrameState, subject: str) -> list[EntranceEvent]:
    """The events that tell how a hidden thing is now; none if there is no such thing."""
    if (pilot := state.pilots.get(subject)) is not None:
        frames = [state.frames[frame_id] for frame_id in pilot.frames if frame_id in state.frames]
        return [PilotEntered(deepcopy(pilot), deepcopy(frames))]
    if (frame := state.frames.get(subject)) is not None:
        return [FrameEntered(deepcopy(frame))]
    if (unit := state.units.get(subject)) is not None:
        return [UnitEntered(deepcopy(unit))]
    return []


def may_enter(state: FrameState) -> Collection[str]:
    """The ids of all things that `entrance_events` tells of."""
    return {*state.pilots, *state.frames, *state.units}


def _pilot_entered(state: FrameState, event: PilotEntered) -> None:
    if event.pilot.pilot_id not in state.pilots:
        state.pilots[event.pilot.pilot_id] = deepcopy(event.pilot)
        state.frames = {frame.frame_id: deepcopy(frame) for frame in event.frames} | state.frames


def _frame_entered(state: FrameState, event: FrameEntered) -> None:
    if event.frame.frame_id not in state.frames:
        state.frames[event.frame.frame_id] = deepcopy(event.frame)
        owner = state.pilots.get(event.frame.pilot_id)
        if owner is not None and event.frame.frame_id not in owner.frames:
            owner.frames.append(event.frame.frame_id)


def _unit_entered(state: FrameState, event: UnitEntered) -> None:
    state.units.setdefault(event.unit.unit_id, deepcopy(event.unit))


def _forget_pilot(state: FrameState, event: PilotEntered) -> None:
    known_pilot = state.pilots.pop(event.pilot.pilot_id, None)
    for frame_id in [*(known_pilot.frames if known_pilot is not None else ()), *event.pilot.frames]:
        state.frames.pop(frame_id, None)


def _forget_frame(state: FrameState, event: FrameEntered) -> None:
    state.frames.pop(event.frame.frame_id, None)


def _forget_unit(state: FrameState, event: UnitEntered) -> None:
    state.units.pop(event.unit.unit_id, None)


EVOLVE: Evolve[FrameState] = {
    PilotEntered: _pilot_entered,
    FrameEntered: _frame_entered,
    UnitEntered: _unit_entered,
}
"""Add a thing where it was not known."""

FORGET: Evolve[FrameState] = {PilotEntered: _forget_pilot, FrameEntered: _forget_frame, UnitEntered: _forget_unit}
"""Remove all knowledge of a thing."""


def evolve_reentered(state: FrameState, event: EntranceEvent) -> FrameState:
    """Replace the thing by what the event tells, because its past may not all be known."""
    FORGET[type(event)](state, event)
    EVOLVE[type(event)](state, event)
    return state
