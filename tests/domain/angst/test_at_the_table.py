"""What went wrong at the table (review, Angst): opposed tests in their order, Relationships that nobody has."""

from functools import partial

import pytest
from msgspec import UNSET, structs

from domain.campaign.history.redecided_outcome import _as_of_old
from domain.rejection import Rejection
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.events import SceneStarted
from domain.systems.angst.rolls import Crucial
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


def told(table, events):
    return [str(line) for event in events if (line := tell(event, named(table)))]


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
    context = structs.replace(table.context("mara", test), meant_ids=lambda: [mara])
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


def out_of_scene(table):
    mara = table.character()
    table.do("gm", c.MakeTest(core="physical", dn=30, character=mara, crucial=Crucial("sudden")), [1, 1])
    assert table.sheet(mara).status == "out_of_scene"
    return mara


def test_who_is_removed_between_scenes_is_back_when_the_next_one_begins():
    """They stayed out through that whole scene, a month and a session later (AN-21)."""
    table = Table()
    mara = out_of_scene(table)
    table.start_session()
    [started] = table.start_scene()
    assert started.returned == [mara]
    assert told(table, [started]) == ["Mara can act again"]
    assert table.sheet(mara).status == "active"


def test_who_is_removed_in_a_scene_is_back_when_it_ends():
    table = Table()
    table.start_scene()
    mara = out_of_scene(table)
    table.end_scene()
    assert table.sheet(mara).status == "active"
    assert table.start_scene()[0].returned == []


def test_a_hidden_character_who_was_removed_between_scenes_is_back_unnamed():
    table = Table()
    mara = out_of_scene(table)
    table.sheet(mara).hidden = True
    as_players_know = Table().start_scene()
    assert table.start_scene() == as_players_know, "as if nobody were out"
    assert table.sheet(mara).status == "active"


def test_in_an_old_log_who_was_removed_between_scenes_stays_out_until_the_scene_ended():
    table = Table()
    mara = out_of_scene(table)
    table.happened([SceneStarted("scene")])
    assert table.sheet(mara).status == "out_of_scene"


def test_a_relationship_of_grade_c_is_told_beside_the_dice():
    table = Table()
    mara = table.character(relationships={"the crew": "C"})
    [rolled, _] = table.do("gm", c.MakeTest(core="mental", dn=5, character=mara, relationship="the crew"), [3, 4])
    assert told(table, [rolled]) == [
        "Mara tests Mental: d6 3 + d6 4 +0 (relationship with the crew) for 7 against 5"
    ]


def test_tests_of_the_same_core_are_told_apart_by_what_they_are_against():
    table = Table()
    mara = table.character()
    for dn in (5, 9, 9):
        table.do("gm", c.CallTest(core="resolve", dn=dn, character=mara))
    asked = r"^Which test\? Resolve of Mara against 5, Resolve of Mara against 9 \(1\) or .* against 9 \(2\)\.$"
    with pytest.raises(Rejection, match=asked):
        table.do("mara", c.MakeTest())
