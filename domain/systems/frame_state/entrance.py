"""What was created hidden comes into play: a pilot with their frames, a frame of somebody known, an NPC's unit."""

from copy import deepcopy

from domain.systems.frame_state.entered_events import Entered, FrameEntered, PilotEntered, UnitEntered
from domain.systems.frame_state.state import FrameState


def entered(state: FrameState, subject: str) -> list[Entered]:
    """How it stands now, for who did not know it."""
    if (pilot := state.pilots.get(subject)) is not None:
        frames = [state.frames[each] for each in pilot.frames if each in state.frames]
        return [PilotEntered(deepcopy(pilot), deepcopy(frames))]
    if (frame := state.frames.get(subject)) is not None:
        return [FrameEntered(deepcopy(frame))]
    if (unit := state.units.get(subject)) is not None:
        return [UnitEntered(deepcopy(unit))]
    return []


def evolve_entered(state: FrameState, event: Entered) -> None:
    """It is known from here on; whoever knew it already learns nothing."""
    match event:
        case PilotEntered():
            if event.pilot.pilot_id not in state.pilots:
                state.pilots[event.pilot.pilot_id] = deepcopy(event.pilot)
                state.frames = {each.frame_id: deepcopy(each) for each in event.frames} | state.frames
        case FrameEntered():
            if event.frame.frame_id not in state.frames:
                state.frames[event.frame.frame_id] = deepcopy(event.frame)
                owner = state.pilots.get(event.frame.pilot_id)
                if owner is not None and event.frame.frame_id not in owner.frames:
                    owner.frames.append(event.frame.frame_id)
        case UnitEntered():
            state.units.setdefault(event.unit.unit_id, deepcopy(event.unit))


def tell_anew(state: FrameState, event: Entered) -> FrameState:
    """It is as the event tells it, for whoever does not know all of its past."""
    match event:
        case PilotEntered():
            known = state.pilots.pop(event.pilot.pilot_id, None)
            for each in [*(known.frames if known is not None else ()), *event.pilot.frames]:
                state.frames.pop(each, None)
        case FrameEntered():
            state.frames.pop(event.frame.frame_id, None)
        case UnitEntered():
            state.units.pop(event.unit.unit_id, None)
    evolve_entered(state, event)
    return state
