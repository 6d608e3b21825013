"""Controls: the promises that random play looks after do turn red when they are broken."""

import msgspec
import pytest

from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.state import MobileFrameState
from tests.domain.mobile_frame.promises import Promises, damage_never_revives
from tests.domain.mobile_frame.table import Field, duel


def copied(field: Field) -> MobileFrameState:
    return msgspec.json.decode(msgspec.json.encode(field.state), type=MobileFrameState)


def test_a_die_that_is_given_twice_is_found_out():
    field = duel()
    promises = Promises()
    given = e.DieAssigned(frame=field.id("Adder"), action="movement", die=1, value=3)
    promises.hold(copied(field), [given])
    with pytest.raises(AssertionError, match="used once"):
        promises.hold(copied(field), [given])


def test_a_frame_that_falls_without_costing_an_asset_is_found_out():
    field = duel()
    fell = a.FrameDestroyed(frame=field.id("Bear"), owner=field.frame("Bear").owner)
    Promises().hold(copied(field), [fell])
    with pytest.raises(AssertionError):
        Promises().hold(copied(field), [msgspec.structs.replace(fell, assets_change=0)])


def test_a_score_that_is_told_wrongly_is_found_out():
    field = duel()
    told = e.ScoreRecalculated(player=field.frame("Bear").owner, from_=5, to=99, reason="frame_destroyed")
    with pytest.raises(AssertionError):
        Promises().hold(copied(field), [told])


def test_a_system_that_comes_back_is_found_out():
    field = duel()
    was = copied(field)
    was.frames[field.id("Bear")].systems.remove("defense")
    with pytest.raises(AssertionError):
        damage_never_revives(was, field.state)


def test_what_is_right_passes():
    field = duel()
    before = copied(field)
    field.activates("Adder")
    Promises().hold(before, field.do("gm", c.RollDicepool(), [3]))
