"""Rulings that a table may want otherwise, and what workers do (MF-A7, MF-A12, MF-A16, MF-W1)."""

import pytest

from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import MobileFrameState
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.table import Field, duel
from tests.domain.system_table import kinds


def woken(settings: Settings) -> Field:
    """Adder has attacked Bear with a 6, and Bear wakes; Crow with its two shields stands by."""
    field = Field(settings)
    for who, name, notation in (("ann", "Adder", "WWRdRd"), ("ben", "Bear", "WWB"), ("cleo", "Crow", "WWBB")):
        field.field_frame(who, name, notation)
    field.fight()
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=2))
    return field


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("ignored", ["DamageRolled", "StrayShotIgnored", "StrayShotIgnored", "DamageDealt"]),
        ("passed_on", ["DamageRolled", "DamageDealt", "SystemLost", "WhiteDieLost"]),
    ],
)
def test_strays_at_two_shields_are_ignored_or_passed_on(setting, told):
    field = woken(Settings(stray_shots=setting))
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    events = field.do(
        "ann", c.ResolveAttack(situation="covered_by_frame", cover_frame=field.id("Crow")), [5, 5, 1, 1, 1, 1]
    )
    assert kinds(events) == told
    assert events[0].stray_shots == setting


def test_a_woken_frame_declares_a_target_unless_the_table_says_no():
    declared = c.DeclareTarget(target="", range="hand")
    field = woken(Settings())
    adder = field.id("Adder")
    assert kinds(field.do("ben", c.DeclareTarget(target=adder, range="hand"))) == ["TargetDeclared"]
    field = woken(Settings(woken_may_declare=False))
    assert field.events[-1].may_declare is False
    assert field.refusal("ben", c.DeclareTarget(target=field.id("Adder"), range="hand")) == "may_not_declare"
    assert field.refusal("ben", declared) == "unknown_target"


def test_the_bonus_d8_stands_on_cover_only_where_the_table_says_so():
    for allowed in (False, True):
        field = duel(Settings(bonus_d8_on_cover=allowed), adder="WWG8")
        field.activates("Adder")
        field.do("ann", c.RollDicepool(), [3])
        field.do("ann", c.AssignDie(action="defense"))
        move = c.Move(distance=3, stand_on_cover=True, die=2)
        if allowed:
            assert field.do("ann", move)[-1].bonus_d8_on_cover is True
        else:
            assert field.refusal("ann", move) == "cannot_stand_on_cover"


def captured() -> Field:
    """Three players who score the same, of whom Ben takes a station; Ann has passed before."""
    field = Field()
    for who, name in (("ann", "Adder"), ("ben", "Bear"), ("cleo", "Crow")):
        field.field_frame(who, name, "WWBG")
    field.do("gm", c.PlaceStation(name="Relay"))
    field.fight()
    field.do("ann", c.Pass())
    field.do("ben", c.CaptureStation(frames=[field.id("Bear")]))
    return field


def test_a_capture_changes_the_order_at_once_and_a_worker_says_so_once():
    field = captured()
    assert [each.name for each in battle_view(field.state, field.called).players if each.next] == ["Ben"]
    assert field.battle.passed == []
    [owed] = MOBILE_FRAME.due_commands(field.state)
    assert owed.cause == field.events[-2].captured_by is not None
    assert (owed.subject, owed.due) == (field.battle.battle_id, None)
    [said] = field.do("worker", owed.command)
    assert said.scores == {side: each.score for side, each in field.battle.sides.items()}
    assert MOBILE_FRAME.due_commands(field.state) == []
    assert field.refusal("worker", owed.command) == "order_already_set"


@pytest.mark.parametrize(("who", "command"), [("ben", c.Pass()), ("ben", c.ActivateFrame())])
def test_nothing_is_owed_once_play_has_gone_on(who, command):
    field = captured()
    [owed] = MOBILE_FRAME.due_commands(field.state)
    field.do(who, command)
    assert MOBILE_FRAME.due_commands(field.state) == []
    passed = list(field.battle.passed)
    assert field.refusal("worker", owed.command) == "order_already_set"
    assert field.battle.passed == passed


def test_a_capture_in_a_turn_leaves_the_order_to_the_turns_end():
    field = Field()
    for who, name in (("ann", "Adder"), ("ben", "Bear")):
        field.field_frame(who, name, "WWBG")
    field.do("gm", c.PlaceStation(name="Relay"))
    field.fight()
    field.activates("Adder")
    field.do("ann", c.CaptureStation(frames=[field.id("Adder")]))
    assert MOBILE_FRAME.due_commands(field.state) == []
    assert MOBILE_FRAME.due_commands(MobileFrameState()) == []
