"""At the table: whoever reads board and `pending` of Frame State alone is never stuck, and refused nothing."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.rejection import Rejection
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import TestDie
from projections.systems.frame_state.boards import mission
from tests.domain.board_answers import check, offered
from tests.domain.frame_state.random_play import SETTINGS, play
from tests.domain.frame_state.table import PEOPLE, Table
from tests.domain.system_table import person
from tests.scripted_dice import ScriptedDice

D8 = TestDie(die="d8")
ROUNDS_MAX = 60
CHANCES = st.integers(0, 10**9).map(Random)
EXAMPLES = settings(max_examples=15, suppress_health_check=list(HealthCheck))


def asker(who: Any) -> str:
    return next((each for each in PEOPLE if person(each) == who), "handler")


def board(table: Table, able: Any = None) -> Any:
    return mission(
        table.state, lambda thing: FRAME_STATE.name(table.state, str(thing)) or "Ben", table.settings, able
    )


def pending(table: Table) -> Any:
    return [*FRAME_STATE.pending(table.state), *FRAME_STATE.also_pending(table.state, table.settings)]


def check_board(table: Table) -> None:
    def accept(who: Any, command: Any) -> None:
        FRAME_STATE.decide(table.state, table.context(asker(who), command), ScriptedDice([1] * 20))

    drawn = board(table)
    check(FRAME_STATE, drawn.waits_for, pending(table), accept)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_wherever_a_play_stands_the_board_offers_what_is_accepted(house_rules, chance):
    table = play(house_rules, chance)
    check_board(table)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_who_goes_on_from_the_board_alone_comes_to_an_end(house_rules, chance):
    table = play(house_rules, chance)
    for _ in range(ROUNDS_MAX):
        waiting = board(table).waits_for
        if not waiting:
            return
        who, command = chance.choice([*offered(FRAME_STATE, waiting[:1])])
        table.do(asker(who), command, [1] * 20)
        check_board(table)
    raise AssertionError("there is always something left to answer")


def test_proposals_and_tests_say_what_they_are_about():
    """Review, Frame State 2."""
    table = Table()
    mara = table.pilot()
    table.do("mara", c.ProposeTest(dice=[D8], intent="over the roofs"))
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=mara, situation="shrapnel"))
    drawn = board(table)
    assert [each.intent for each in drawn.proposals] == ["over the roofs"]
    assert [each.situation for each in drawn.open_tests] == ["shrapnel"]
    assert [str(each.told) for each in drawn.waits_for] == [
        "Mara has to roll d8 against 5: shrapnel",
        "Mara proposes a test of d8: set its mark, or turn it down: over the roofs",
    ]


def test_what_waits_for_a_player_who_left_waits_for_a_gm_who_may_act():
    """Review, Frame State 7."""
    table = Table()
    mara = table.pilot()
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=mara))
    assert table.refusal("handler", c.RollTest()) == "not_your_test"
    table.members = {person("handler"): "gm"}
    [entry] = board(table, [person("handler")]).waits_for
    assert (entry.waits_for, [each.command["type"] for each in entry.answers]) == (
        None,
        ["frame_state.roll_test", "frame_state.cancel_test"],
    )
    assert "hands the character to another member" in str(entry.told)
    table.do("handler", c.RollTest(), [3])
    table.do("handler", c.AllocatePoint(category="skills", attribute="smarts"))


def test_nothing_waits_for_the_replacement_of_a_frame_by_one_that_is_lost_too():
    table = Table()
    table.pilot()
    table.do("handler", c.LoseFrame())
    table.do("mara", c.CreateUnit(kind="frame", name="Heron"))
    table.do("mara", c.ReplaceFrame())
    assert [each.kind for each in pending(table)] == ["replace_frame"]
    [entry] = board(table).waits_for
    assert [each.command.get("decline", False) for each in entry.answers] == [False, True]
    table.do("handler", c.LoseFrame())
    assert pending(table) == []
    assert board(table).replacements == []


def test_a_test_that_cannot_be_rolled_any_more_waits_to_be_called_off():
    table = Table()
    mara = table.pilot()
    aim = [TestDie(attribute="aim_assist")]
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=aim, pilot=mara))
    table.do("handler", c.LoseFrame())
    assert [(each.kind, each.waits_for) for each in pending(table)] == [("cancel_test", None)]
    check_board(table)


def test_an_npcs_test_waits_for_the_handler_to_call_it_off_unless_npcs_roll():
    for rolls, kind in ((False, "cancel_test"), (True, "roll_test")):
        table = Table(Settings(handler_rolls=rolls))
        table.pilot()
        [unit] = table.do("handler", c.CreateUnit(kind="npc", name="The Widow"))
        table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=unit.unit_id))
        assert [each.kind for each in pending(table)] == [kind]
        check_board(table)


def test_a_frame_that_is_due_waits_for_its_pilot_or_for_money():
    """Review, Frame State 3: shown as due."""
    table = Table()
    table.do("handler", c.DefineCatalogue(preset="playtest1.2"))
    table.pilot()
    table.do("handler", c.LoseFrame())
    table.do("mara", c.CreateUnit(kind="frame", name="Heron"))
    [due] = board(table).frames_due
    [entry] = board(table).waits_for
    assert (due.price, due.new.name, entry.waits_for) == (3000, "Heron", None)
    assert [each.command["amount"] for each in entry.answers] == [1900]
    check_board(table)
    table.do("handler", c.AwardCurrency(amount=1900, reason="a loan"))
    assert board(table).waits_for[0].waits_for == person("mara")
    check_board(table)


def test_who_is_in_debt_is_offered_all_that_a_new_frame_takes():
    table = Table()
    table.do("handler", c.DefineCatalogue(preset="playtest1.2"))
    table.pilot()
    table.do("handler", c.ChargeCurrency(amount=2000, reason="a fine"))
    table.do("handler", c.LoseFrame())
    table.do("mara", c.CreateUnit(kind="frame", name="Heron"))
    [entry] = board(table).waits_for
    assert str(entry.told).endswith("owing 900 credits")
    assert table.refusal("mara", c.ReplaceFrame()) == "insufficient_currency"
    [(_, award)] = offered(FRAME_STATE, [entry])
    table.do("handler", award)
    [entry] = board(table).waits_for
    assert [each.command["type"] for each in entry.answers] == ["frame_state.replace_frame"]
    check_board(table)


def test_whoever_rolls_means_a_test_that_is_theirs_to_roll():
    table = Table()
    mara, jun = table.pilot(), table.pilot("jun")
    for pilot in (mara, mara, jun):
        table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=pilot))
    with pytest.raises(Rejection, match=r"^Which test\? d8 of Mara \(1\) or d8 of Mara \(2\)\.$") as refused:
        table.do("mara", c.RollTest())
    assert [each["name"] for each in refused.value.details["choices"]] == ["Mara", "Mara"]
    table.do("jun", c.RollTest(), [3])
    nobody = table.do("handler", c.CreatePilot(name="Nobody"))[0].pilot_id
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=nobody))
    [rolled] = table.do("handler", c.RollTest(), [3])
    assert rolled.pilot == nobody


def test_the_only_proposal_is_turned_down_without_naming_it():
    table = Table()
    table.pilot()
    table.do("mara", c.ProposeTest(dice=[D8]))
    table.do("handler", c.CancelTest())
    assert pending(table) == []


def test_what_is_asked_says_that_the_average_is_taken_and_why_an_npc_does_not_roll():
    table = Table()
    table.pilot()
    [unit] = table.do("handler", c.CreateUnit(kind="npc", name="The Widow"))
    table.do("mara", c.ProposeTest(dice=[D8], method="avg"))
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8], pilot=unit.unit_id))
    assert {str(each.told) for each in board(table).waits_for} == {
        "The Widow is an NPC, and only pilots roll: call the test off",
        "Mara proposes a test of d8, taking the average: set its mark, or turn it down",
    }


def test_a_mission_that_runs_may_be_concluded_and_holds_nobody_up():
    table = Table()
    table.pilot()
    [started] = table.do("handler", c.StartMission(name="Ebb"))
    [entry] = board(table).waits_for
    assert (str(entry.told), entry.optional) == ("The mission “Ebb” goes on with Mara", True)
    assert pending(table) == []
    check_board(table)
    [(_, conclude)] = offered(FRAME_STATE, [entry])
    assert conclude == c.ConcludeMission(mission_id=started.mission_id)
    table.do("handler", conclude)
    assert board(table).waits_for == []
