"""At the table: whoever reads board and `pending` of Angst alone is never stuck, and refused nothing."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.rejection import Rejection
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.rolls import Crucial, Tap
from projections.systems.angst.boards import scene
from tests.domain.angst.random_play import SETTINGS, play
from tests.domain.angst.table import Table
from tests.domain.board_answers import check, offered
from tests.domain.system_table import person
from tests.scripted_dice import ScriptedDice

PEOPLE = ("mara", "jun")
ROUNDS_MAX = 60
SPENDING = {"reroll_dice", "add_life_experience"}
CHANCES = st.integers(0, 10**9).map(Random)
EXAMPLES = settings(max_examples=15, suppress_health_check=list(HealthCheck))


def asker(who: Any) -> str:
    return next((each for each in PEOPLE if person(each) == who), "gm")


def board(table: Table, able: Any = None) -> Any:
    return scene(table.state, lambda thing: ANGST.name(table.state, str(thing)) or "Ben", table.settings, able)


def check_board(table: Table) -> None:
    def accept(who: Any, command: Any) -> None:
        ANGST.decide(table.state, table.context(asker(who), command), ScriptedDice([1] * 20))

    check(ANGST, board(table).waits_for, ANGST.pending(table.state), accept)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_wherever_a_play_stands_the_board_offers_what_is_accepted(house_rules, chance):
    check_board(play(house_rules, chance))


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_who_goes_on_from_the_board_alone_comes_to_an_end(house_rules, chance):
    table = play(house_rules, chance)
    for _ in range(ROUNDS_MAX):
        waiting = [each for each in board(table).waits_for if each.kind not in SPENDING]
        if not waiting:
            return
        who, command = chance.choice([*offered(ANGST, waiting[:1])])
        table.do(asker(who), command, [1] * 20)
        check_board(table)
    raise AssertionError("there is always something left to answer")


def test_what_was_called_for_somebody_out_of_the_scene_waits_to_be_called_off():
    table = Table()
    mara = table.character()
    table.do("gm", c.CallTest(core="mental", dn=5, character=mara))
    stakes = Crucial("sudden")
    table.do("gm", c.MakeTest(core="physical", dn=30, character=mara, crucial=stakes), [1, 1])
    assert [(each.kind, each.waits_for) for each in ANGST.pending(table.state)] == [("cancel_test", None)]
    check_board(table)
    table.end_scene()
    assert [(each.kind, each.waits_for) for each in ANGST.pending(table.state)] == [("make_test", person("mara"))]
    check_board(table)


def test_an_opposed_test_waits_until_the_other_side_is_final():
    """Review, Angst 1: what would be refused is not offered."""
    table = Table()
    mara, jun = table.character(), table.character("jun")
    table.do("gm", c.CallTest(core="physical", character=mara, opposed=True))
    opposing = c.MakeTest(core="physical", dn=None, character=jun, opposed=True, finalise=False)
    table.do("gm", opposing, [2, 2])
    assert [each.kind for each in ANGST.pending(table.state)] == ["finalise_test"]
    check_board(table)
    table.do("gm", c.FinaliseTest())
    assert [each.kind for each in ANGST.pending(table.state)] == ["make_test", "resolve_opposed"]
    check_board(table)
    table.do("mara", c.MakeTest(), [6, 6])
    check_board(table)
    comparing = [each for entry in board(table).waits_for for each in entry.answers if "acting" in each.command]
    assert {each.command["acting"]["test_id"] for each in comparing} == {table.state.tests[1].test_id}


def test_an_offer_of_nothing_is_none():
    table = Table()
    table.character(angst={"anger": 1})
    table.do("gm", c.MakeTest(core="mental", dn=3, tap=Tap("anger", "positive")), [3, 3])
    assert [each.kind for each in ANGST.pending(table.state)] == ["purge_angst"]
    check_board(table)
    table.do("mara", c.BuyAngstPurge(angst="anger"))
    assert ANGST.pending(table.state) == []
    assert board(table).offers == []


def test_what_waits_for_a_player_who_left_waits_for_a_gm_who_is_told_how_to_go_on():
    table = Table()
    mara = table.character()
    table.do("gm", c.CallTest(core="mental", dn=5, character=mara))
    [entry] = board(table, [person("gm")]).waits_for
    assert (entry.waits_for, [each.command["type"] for each in entry.answers]) == (
        None,
        ["angst.make_test", "angst.cancel_test"],
    )
    assert "hands the character to another member" in str(entry.told)
    table.do("gm", c.MakeTest(), [3, 3])


def test_what_a_test_costs_and_what_gets_in_its_way_is_told_to_whoever_has_to_make_it():
    table = Table()
    mara = table.character()
    stakes = Crucial("gradual", deadly=True)
    table.do("gm", c.CallTest(core="physical", dn=8, character=mara, crucial=stakes, negative_tap="anger"))
    [entry] = board(table).waits_for
    assert str(entry.told) == (
        "Mara has to make a test of Physical against 8, a gradual crucial test with their life at stake, with "
        "anger in the way"
    )


def test_a_side_that_has_rolled_and_is_not_final_is_not_said_to_be_still_to_roll():
    table = Table()
    mara, jun = table.character(), table.character("jun")
    table.do("gm", c.MakeTest(core="physical", character=jun, opposed=True), [2, 2])
    table.do("gm", c.MakeTest(core="physical", character=mara, opposed=True, finalise=False), [3, 3])
    told = [str(each.told) for each in board(table).waits_for if each.kind == "resolve_opposed"]
    assert told == ["Jun has 4 in an opposed test of Physical: the other side is not final yet"]


def test_whoever_has_several_tests_to_make_is_asked_which_by_its_core():
    table = Table()
    mara = table.character()
    table.do("gm", c.CallTest(core="mental", dn=5, character=mara))
    table.do("gm", c.CallTest(core="social", dn=5, character=mara))
    with pytest.raises(
        Rejection, match=r"^Which test\? Mental of Mara against 5 or Social of Mara against 5\.$"
    ) as refused:
        table.do("mara", c.MakeTest())
    assert [each["name"] for each in refused.value.details["choices"]] == ["Mara", "Mara"]


def test_whoever_is_out_of_the_scene_is_told_when_they_can_act_again():
    table = Table()
    mara = table.character()
    table.do("gm", c.MakeTest(core="physical", dn=30, character=mara, crucial=Crucial("sudden")), [1, 1])
    with pytest.raises(Rejection, match="can act again once it ends or the next one begins"):
        table.do("gm", c.CallTest(core="mental", dn=5, character=mara))
    table.start_scene()
    table.do("gm", c.CallTest(core="mental", dn=5, character=mara))
