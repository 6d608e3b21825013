"""What comes into play is for the table from then on what it is for the Handler, who learns nothing by it."""

from copy import deepcopy

import msgspec
import pytest

from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state.state import Build, Frame, FrameState, Pilot, Pool, Unit


def everything() -> FrameState:
    build = Build(pools={"skills": Pool(3, 1)}, invested={"sharpness": 2}, experimental={"armour": [1]})
    state = FrameState()
    state.pilots["pilot-1"] = Pilot("pilot-1", None, "Vane", 70, deepcopy(build), "A liar", ["frame-1", "frame-2"])
    state.frames["frame-1"] = Frame(
        "frame-1", "pilot-1", "Heron", deepcopy(build), "replaced", replaced_by="frame-2"
    )
    state.frames["frame-2"] = Frame("frame-2", "pilot-1", "Egret", deepcopy(build), refit_credit=4)
    state.units["unit-1"] = Unit("unit-1", "The winch man")
    return state


@pytest.mark.parametrize("subject", ["pilot-1", "frame-2", "unit-1"])
def test_the_table_sees_it_as_it_is_and_the_handler_learns_nothing(subject):
    whole, told = everything(), FrameState()
    if subject == "frame-2":  # of a pilot whom everybody knows, without it
        told = everything()
        told.pilots["pilot-1"].frames.remove("frame-2")
        del told.frames["frame-2"]
    before = msgspec.json.encode(whole)
    [event] = FRAME_STATE.entrance_events(whole, subject)
    told = FRAME_STATE.evolve(told, event)
    whole = FRAME_STATE.evolve(whole, event)
    assert msgspec.json.encode(whole) == before
    for kept in ("pilots", "frames", "units"):
        for each, thing in getattr(told, kept).items():
            assert thing == getattr(whole, kept)[each]
    assert FRAME_STATE.entrance_events(told, subject) == [event]


def test_what_entered_is_nobodys_to_change_by_changing_a_fold():
    whole = everything()
    [event] = FRAME_STATE.entrance_events(whole, "pilot-1")
    stored = msgspec.json.encode(event)
    told = FRAME_STATE.evolve(FrameState(), event)
    for state in (told, whole):
        state.pilots["pilot-1"].build.invested["sharpness"] = 5
        state.frames["frame-2"].build.pools["skills"].advances = 9
    assert msgspec.json.encode(event) == stored
