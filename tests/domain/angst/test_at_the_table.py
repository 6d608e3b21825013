"""What went wrong at the table (review, Angst): opposed tests in their order, Relationships that nobody has."""

from functools import partial

import pytest
from msgspec import UNSET, structs

from domain.campaign.history.comparison import _as_of_old
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.settings import Settings
from projections.languages import render
from projections.narration import tell
from projections.systems.angst.boards import scene
from tests.domain.angst.table import Table
from tests.scripted_dice import ScriptedDice


@pytest.fixture
def table():
    return Table(Settings(players_set_dn=True))


def opposed(character, **more):
    return c.MakeTest(core="physical", character=character, opposed=True, **more)


def named(table):
    return partial(lambda thing: ANGST.name(table.state, thing) or thing)


def test_the_acting_side_waits_until_the_opposing_test_is_final_though_it_names_none(table):
    """Review, Angst 1 (AN-A20)."""
    mara, jun = table.character(), table.character("jun")
    [opposing] = table.do("gm", opposed(jun, finalise=False), [2, 2])
    assert table.refusal("mara", opposed(mara)) == "opposing_not_final"
    table.do("gm", c.FinaliseTest())
    acting = table.do("mara", opposed(mara), [6, 8])[0]
    assert (opposing.against, acting.against) == ([], [opposing.test_id])
    table.do("gm", c.ResolveOpposed(c.OpposedSide(acting.test_id), c.OpposedSide(opposing.test_id)))


def test_who_rolled_first_is_the_opposing_side(table):
    """Review, Angst 1 (AN-C11): the other way round, the opposing test was not final by then."""
    mara, jun = table.character(), table.character("jun")
    first, second = (table.do("gm", opposed(who), [2, 2])[0].test_id for who in (mara, jun))
    wrong = c.ResolveOpposed(c.OpposedSide(first), c.OpposedSide(second))
    assert table.refusal("gm", wrong) == "opposing_not_final"
    table.do("gm", c.ResolveOpposed(c.OpposedSide(second), c.OpposedSide(first)))


def test_of_tests_that_were_rolled_before_nobody_asks_in_which_order(table):
    """Old events say nothing of it, and are compared as before."""
    mara, jun = table.character(), table.character("jun")
    first, second = (table.do("gm", opposed(who), [2, 2])[0] for who in (mara, jun))
    table.state.tests = [structs.replace(each, against=None) for each in table.state.tests]
    table.do("gm", c.ResolveOpposed(c.OpposedSide(first.test_id), c.OpposedSide(second.test_id)))


def test_a_player_names_a_relationship_of_the_sheet_and_no_grade(table):
    """Review, Angst 2."""
    mara, jun = table.character(relationships={"Jun": "A", "the crew": "B"}), table.character("jun")
    test = c.MakeTest(core="mental", dn=5, character=mara, relationship="Critical A")
    assert table.refusal("mara", test) == "grades_are_the_gms"
    assert table.refusal("mara", structs.replace(test, relationship="Oren")) == "unknown_relationship"
    assert table.do("gm", test)[0].relationship is UNSET
    rolled = table.do("mara", structs.replace(test, relationship=jun))[0]
    assert (rolled.relationship, [each.value for each in rolled.modifiers]) == ("Jun", [2])
    assert table.do("mara", structs.replace(test, relationship="the crew"))[0].relationship == "the crew"


def test_a_player_names_who_is_present_and_no_grade_for_moral_support(table):
    """Review, Angst 2."""
    mara, jun = table.character(), table.character("jun", relationships={"Mara": "B-"})
    test = c.MakeTest(core="mental", dn=5, character=mara, moral_support=c.MoralSupport(grades=["A"]))
    assert table.refusal("mara", test) == "grades_are_the_gms"
    assert table.do("gm", test)[0].supporter is UNSET
    for written in (jun, "Jun"):
        support = structs.replace(test, moral_support=c.MoralSupport(grades=[written]))
        rolled = table.do("mara", support)[0]
        assert (rolled.supporter, [each.value for each in rolled.modifiers]) == (jun, [1])


def test_angst_tests_hold_to_the_same(table):
    mara = table.character(relationships={"Jun": "A"})
    purge = c.PurgeAngst(angst="anger", trigger="comfort", comfort="guitar", character=mara, relationship="A")
    assert table.refusal("mara", purge) == "grades_are_the_gms"
    rolled = table.do("mara", structs.replace(purge, relationship="Jun"))[1]
    assert rolled.relationship == "Jun"


def test_sentence_and_board_say_with_whom(table):
    """Review, Angst 2: event, chronicle in both languages, and board."""
    mara = table.character(relationships={"the crew": "B"})
    jun = table.character("jun", relationships={"Mara": "A"})
    support = c.MoralSupport(grades=[jun])
    test = c.MakeTest(
        core="mental", dn=5, character=mara, relationship="the crew", moral_support=support, finalise=False
    )
    said = tell(table.do("mara", test, [3, 2])[0], named(table))
    assert render(said, "en") == (
        "Mara tests Mental: d6 3 + d6 2 +1 (relationship with the crew) +2 (moral support of Jun) for 8 against 5"
    )
    assert render(said, "fr") == (
        "Mara, test de Mental\u00a0: d6 3 + d6 2 +1 (Relation avec the crew) +2 (soutien moral de Jun),"
        " soit 8 contre 5"
    )
    [open_] = scene(table.state, named(table), table.settings).open_tests
    assert (open_.test.relationship, open_.test.supporter) == ("the crew", "Jun")


def test_a_test_of_old_is_decided_again_as_before(table):
    """What was recorded before is undone and redone as before: no ruling of later refuses it, or tells it anew."""
    mara = table.character()
    test = c.MakeTest(core="mental", dn=5, character=mara, relationship="A")
    context = structs.replace(table.context("mara", test), meant=lambda: [mara])
    rolled = ANGST.decide(table.state, context, ScriptedDice([3, 2]))[0]
    assert [each.value for each in rolled.modifiers] == [2]
    told = structs.replace(rolled, against=["t1"], relationship="Jun", supporter=mara)
    assert _as_of_old(told) == _as_of_old(rolled)


def test_the_last_points_of_a_type_are_told_as_the_last():
    table = Table()
    mara = table.character(angst={"anger": 2})
    events = table.do(
        "gm", c.PurgeAngst(character=mara, angst="anger", trigger="comfort", comfort="guitar"), [6, 6, 4]
    )
    assert render(tell(events[-1], lambda _: "Mara"), "en") == "Mara let go of the last 2 points of anger"
