"""Cores heal by the clock (AN-W1): hour by hour, week by week, in any slicing of time."""

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.recovery import HOUR_MICROSECONDS
from domain.systems.angst.rolls import Crucial
from domain.systems.angst.settings import Settings
from domain.systems.system import InRealTime, OnCalendar
from projections.systems.angst.sheet import sheet
from tests.domain.angst.table import Table
from tests.domain.system_table import kinds
from tests.scripted_dice import ScriptedDice

GRADUAL, DEADLY = Crucial("gradual"), Crucial("gradual", deadly=True)


def wound(table, who, crucial, core="physical", dn=3):
    """Fail a crucial test by one: two dice show 1 against 3."""
    return table.do("gm", c.MakeTest(core=core, dn=dn, character=who, crucial=crucial))


def test_a_step_comes_back_an_hour_after_it_was_lost():
    table = Table()
    mara = table.character()
    table.pass_hours(7)
    wound(table, mara, GRADUAL)
    [back] = table.pass_hours(1)
    assert (back.core, back.kind, back.effective, back.at_hour) == ("physical", "nondeadly", "d8", 8)


def test_a_second_loss_does_not_turn_the_clock_back():
    table = Table()
    mara = table.character()
    wound(table, mara, DEADLY)
    table.pass_hours(100)
    wound(table, mara, DEADLY)
    assert [back.at_hour for back in table.pass_hours(1000)] == [168, 336]


def test_both_kinds_run_on_clocks_of_their_own():
    table = Table()
    mara = table.character()
    wound(table, mara, DEADLY)
    table.pass_hours(10)
    wound(table, mara, GRADUAL)
    back = table.pass_hours(200)
    assert [(each.kind, each.at_hour, each.effective) for each in back] == [
        ("nondeadly", 11, "d6"),
        ("deadly", 168, "d8"),
    ]


def test_a_clock_that_has_run_out_starts_afresh_with_the_next_loss():
    table = Table()
    mara = table.character()
    wound(table, mara, GRADUAL)
    table.pass_hours(50)
    wound(table, mara, GRADUAL)
    assert [back.at_hour for back in table.pass_hours(9)] == [51]


def test_whoever_was_spared_waits_for_the_gm():
    table = Table()
    mara = table.character()
    wound(table, mara, Crucial("sudden", deadly=True, spared_by_gm=True))
    assert table.pass_hours(100_000) == []
    [adjusted] = table.do("gm", c.SetCore(core="physical", effective="d4"))
    assert (adjusted.steps, adjusted.warning) == (1, None)
    table.end_scene()
    wound(table, mara, GRADUAL)
    assert [back.effective for back in table.pass_hours(5)] == ["d4"]
    [adjusted] = table.do("gm", c.SetCore(core="physical", effective="d8"))
    assert adjusted.warning is not None
    assert not table.sheet(mara).cores["physical"].spared


def test_what_the_gm_lowers_heals_like_any_loss():
    table = Table()
    table.character()
    [adjusted] = table.do("gm", c.SetCore(core="social", effective="d8"))
    assert adjusted.steps == -2
    assert [back.effective for back in table.pass_hours(2)] == ["d10", "d12"]


def test_setting_a_core_to_what_it_is_changes_nothing():
    table = Table()
    table.character()
    assert table.do("gm", c.SetCore(core="social", effective="d12")) == []


def test_the_dead_do_not_heal_and_are_not_set():
    table = Table()
    mara = table.character()
    lost = wound(table, mara, Crucial("sudden", deadly=True))
    assert kinds(lost)[2:] == ["CoreReduced", "CharacterRemovedFromScene", "CharacterDied"]
    assert table.pass_hours(10_000) == []
    assert table.refusal("gm", c.SetCore(core="physical", effective="d4")) == "character_unavailable"


def test_real_time_heals_by_the_worker_and_never_early():
    table = Table(Settings(clock="real"))
    mara = table.character()
    table.at = 5
    wound(table, mara, GRADUAL)
    wound(table, mara, GRADUAL)
    assert table.pass_hours(1000) == []
    [first] = ANGST.due_commands(table.state)
    assert first.due == InRealTime(5 + HOUR_MICROSECONDS)
    table.at = first.due.microsecond - 1
    assert table.refusal("worker", first.command) == "not_due_yet"
    [back] = table.pass_real_time(1)
    assert (back.effective, back.clock, back.due_at) == ("d6", "real", first.due.microsecond)
    assert table.refusal("worker", first.command) == "not_recovering"
    [then] = ANGST.due_commands(table.state)
    assert then.due == InRealTime(first.due.microsecond + HOUR_MICROSECONDS)


def test_a_worker_that_comes_late_gives_back_every_step_at_its_own_moment():
    table = Table(Settings(clock="real"))
    mara = table.character()
    wound(table, mara, DEADLY)
    wound(table, mara, GRADUAL)
    wound(table, mara, GRADUAL)
    back = table.pass_real_time(400 * HOUR_MICROSECONDS)
    assert [(each.kind, each.due_at // HOUR_MICROSECONDS, each.effective) for each in back] == [
        ("nondeadly", 1, "d4"),
        ("nondeadly", 2, "d6"),
        ("deadly", 168, "d8"),
    ]
    assert ANGST.due_commands(table.state) == []


def test_every_step_is_owed_once_under_the_action_that_lost_it():
    table = Table()
    mara = table.character()
    lost = table.context("gm", None).action_id
    wound(table, mara, DEADLY)
    wound(table, mara, DEADLY)
    [first] = ANGST.due_commands(table.state)
    assert (first.cause, first.subject) == (lost, f"{mara}.physical.deadly.168")
    assert first.due == OnCalendar(168 * 3600)
    table.pass_hours(168)
    [second] = ANGST.due_commands(table.state)
    assert (second.cause, second.subject) == (lost, f"{mara}.physical.deadly.336")


def test_what_was_lost_out_of_sight_comes_back_out_of_sight():
    table = Table()
    guard = table.character("guard", kind="gmc")
    hidden = structs.replace(
        table.context("gm", c.MakeTest(core="physical", dn=9, character=guard, crucial=GRADUAL)), visibility="gm"
    )
    for event in ANGST.decide(table.state, hidden, ScriptedDice([1])):
        table.state = ANGST.evolve(table.state, event)
    assert [each.visibility for each in ANGST.due_commands(table.state)] == ["gm"]


def test_a_loss_keeps_the_clock_it_began_under():
    table = Table()
    mara = table.character()
    wound(table, mara, GRADUAL)
    table.settings = Settings(clock="real")
    wound(table, mara, GRADUAL)
    assert table.pass_real_time(1000 * HOUR_MICROSECONDS) == []
    assert len(table.pass_hours(2)) == 2
    assert ANGST.due_commands(table.state) == []


SLICES = st.lists(st.integers(1, 400), min_size=1, max_size=12)
WOUNDS = st.lists(
    st.tuples(
        st.sampled_from(["physical", "resolve"]),
        st.sampled_from([GRADUAL, DEADLY, Crucial("sudden", deadly=True, spared_by_gm=True)]),
        st.integers(0, 200),
        st.sampled_from(["mara", "jun"]),
    ),
    max_size=6,
)


def passed(table, hours):
    """So many hours by the clock that heals here."""
    if table.settings.clock == "real":
        return table.pass_real_time(hours * HOUR_MICROSECONDS)
    return table.pass_hours(hours)


@settings(max_examples=60)
@given(st.sampled_from(["game", "real"]), WOUNDS, SLICES)
def test_any_slicing_of_time_gives_the_same_facts_and_the_same_cores(clock, wounds, slices):
    table = Table(Settings(clock=clock))
    people = {who: table.character(who) for who in ("mara", "jun")}
    for core, crucial, later, who in wounds:
        table.end_scene()
        stakes = crucial if core == "physical" else GRADUAL
        passed(table, later)
        hurt = table.sheet(people[who])
        if hurt.status != "dead" and hurt.cores[core].effective != "d0":
            wound(table, people[who], stakes, core)
    whole = deepcopy(table)
    sliced = [event for hours in slices for event in passed(table, hours)]
    at_once = passed(whole, sum(slices))
    assert at_once == sliced
    assert whole.state == table.state
    keys = [(each.character, each.core, each.kind, each.at_hour, each.due_at) for each in at_once]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("days", [1, 7, 28])
def test_a_step_of_days_is_as_many_steps_of_one_day(days):
    def healed(slices):
        table = Table()
        mara = table.character()
        wound(table, mara, DEADLY)
        wound(table, mara, GRADUAL)
        return [event for hours in slices for event in table.pass_hours(hours)]

    assert healed([24 * days]) == healed([24] * days) == healed([1] * 24 * days)


def test_a_spared_core_lists_no_steps_that_heal_by_themselves():
    """It listed 168 hours a step, with no hour and no moment."""
    table = Table()
    mara = table.character()
    wound(table, mara, Crucial("sudden", deadly=True, spared_by_gm=True))
    core = sheet(table.state, mara, table.settings).cores["physical"]
    assert (core.spared, core.heals) == (True, [])
