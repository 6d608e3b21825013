"""Every way in which Angst says no, and that each has its place in a test or a vector."""

import ast
from pathlib import Path

import pytest

from domain.systems import angst
from domain.systems.angst import commands as c
from domain.systems.angst.rolls import Tap
from domain.systems.angst.settings import Settings
from domain.systems.angst.story_effects import RELATIONSHIPS_MAX
from domain.systems.angst.test_calls import OPEN_TESTS_MAX
from tests.domain.angst.table import CORES, Table

TESTS = Path(__file__).parent
VECTORS = TESTS.parent / "vectors"


@pytest.fixture
def table():
    return Table()


def codes() -> set[str]:
    """The first argument of every refusal in the rules of Angst."""
    found = set()
    for path in Path(angst.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("Rejection", "Forbidden", "Missing", "_refuse")
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(str(node.args[0].value))
    return found


def test_every_code_is_refused_somewhere():
    told = "".join(
        path.read_text(encoding="utf-8") for path in [*TESTS.glob("*.py"), *VECTORS.glob("angst*.jsonl")]
    )
    assert len(codes()) > 60
    assert {code for code in codes() if f'"{code}"' not in told} == set()


def test_nobody_is_there_or_several_are(table):
    assert table.refusal("gm", c.MakeTest(core="physical", dn=3)) == "no_character"
    table.character()
    table.character("jun")
    assert table.refusal("gm", c.MakeTest(core="physical", dn=3)) == "which_character"
    assert table.refusal("gm", c.MakeTest(core="physical", dn=3, character="ghost")) == "unknown_character"


def test_the_dead_are_not_meant_while_somebody_of_the_same_player_lives(table):
    mara = table.character()
    table.sheet(mara).status = "dead"
    assert table.refusal("mara", c.BuyAngstPurge(angst="anger")) == "character_unavailable"
    after = table.character("mara", name="Her sister")
    assert table.do("mara", c.BuyAngstPurge(angst="anger"))[0].character == after


def test_a_test_says_its_core_and_its_dn(table):
    table.character()
    assert table.refusal("gm", c.MakeTest(dn=3)) == "core_not_named"
    assert table.refusal("gm", c.MakeTest(core="physical")) == "dn_missing"
    assert table.refusal("gm", c.CallTest(core="physical", dn=3, opposed=True)) == "dn_of_opposed_test"


def test_what_the_gm_called_is_what_is_made(table):
    mara = table.character()
    [called] = table.do("gm", c.CallTest(core="physical", dn=9))
    other = c.MakeTest(test_id=called.test_id, core="mental")
    assert table.refusal("mara", other) == "called_for_another_core"
    table.do("gm", c.CallTest(core="physical", dn=5, character=mara))
    assert table.refusal("mara", c.MakeTest()) == "which_test"
    assert table.refusal("gm", c.CancelTest()) == "which_test"
    table.do("gm", c.CancelTest(test_id=called.test_id))
    assert table.refusal("mara", c.MakeTest(test_id=called.test_id)) == "test_cancelled"
    assert table.refusal("mara", c.MakeTest(test_id="test-0")) == "unknown_test"


def test_a_called_opposed_test_waits_for_the_opposing_side_too(table):
    mara, jun = table.character(), table.character("jun")
    [theirs] = table.do("gm", c.CallTest(core="physical", character=jun, opposed=True))
    table.do("gm", c.CallTest(core="physical", character=mara, opposed=True))
    assert table.refusal("mara", c.MakeTest(against=theirs.test_id)) == "opposing_not_final"
    assert table.refusal("gm", c.ResolveOpposed(c.OpposedSide(), c.OpposedSide())) == "opposing_not_final"
    table.do("jun", c.MakeTest())
    command = c.ResolveOpposed(acting=c.OpposedSide(), opposing=c.OpposedSide(theirs.test_id))
    assert table.refusal("gm", command) == "acting_not_final"


def test_the_gm_too_answers_the_opposed_test_that_was_called_for_somebody_of_theirs(table):
    mara, jun = table.character(), table.character("jun")
    [called] = table.do("gm", c.CallTest(core="physical", character=jun, opposed=True))
    table.do("gm", c.CallTest(core="mental", character=mara, dn=9))
    table.do("gm", c.CallTest(core="mental", character=jun, dn=9))
    rolled = table.do("gm", c.MakeTest(character=jun, opposed=True), [3, 3])[0]
    assert rolled.test_id == called.test_id
    assert table.refusal("gm", c.MakeTest(character=jun, opposed=True)) == "core_not_named"


def test_nobody_opens_tests_without_end(table):
    table.character()
    for _ in range(OPEN_TESTS_MAX):
        table.do("gm", c.CallTest(core="physical", dn=3))
    assert table.refusal("gm", c.CallTest(core="physical", dn=3)) == "too_many_open_tests"
    assert table.refusal("gm", c.AvoidAngst(candidates=["fear"])) == "too_many_open_tests"


def test_rocks_and_sucks_are_those_of_the_sheet_one_of_each(table):
    table.character()
    two = ["track", "math"]
    assert table.refusal("gm", c.MakeTest(core="physical", dn=3, rock=two)) == "only_one_rock"
    assert table.refusal("gm", c.MakeTest(core="physical", dn=3, suck=two)) == "only_one_suck"
    assert table.refusal("gm", c.MakeTest(core="physical", dn=3, rock="chess")) == "unknown_rock"
    assert table.refusal("gm", c.MakeTest(core="physical", dn=3, suck="chess")) == "unknown_suck"


def test_one_story_point_pays_for_one_trait_of_another_core(table):
    table.character(story_points=9)
    both = c.MakeTest(core="social", dn=3, rock="track", suck="clumsy", off_core_story_point=True)
    assert table.refusal("gm", both) == "wrong_core"


def test_a_factoid_needs_a_gmc_who_has_one(table):
    table.character("guard", kind="gmc", factoids=[])
    assert table.refusal("gm", c.MakeTest(core="mental", dn=3, factoid="helpful")) == "no_factoid"


def test_the_same_two_people_count_once(table):
    mara, jun = table.character(relationships={"Jun": "A"}), table.character("jun", relationships={"Mara": "B-"})
    support = c.MoralSupport(grades=[jun])
    for written in (jun, "Jun"):
        twice = c.MakeTest(core="mental", dn=3, character=mara, relationship=written, moral_support=support)
        assert table.refusal("gm", twice) == "same_relationship_twice"
    rolled = table.do("gm", c.MakeTest(core="mental", dn=3, character=mara, relationship=jun))[0]
    assert [(each.source, each.value) for each in rolled.modifiers] == [("relationship", 2)]


def test_who_is_out_of_the_scene_or_acts_themselves_encourages_nobody(table):
    mara, jun = table.character(), table.character("jun", relationships={"Mara": "A"})
    support = c.MakeTest(core="mental", dn=3, character=mara, moral_support=c.MoralSupport(grades=[jun]))
    assert table.do("gm", support)[0].modifiers
    table.sheet(jun).status = "out_of_scene"
    assert table.refusal("gm", support) == "supporter_not_present"
    oneself = c.MakeTest(core="mental", dn=3, character=mara, moral_support=c.MoralSupport(grades=[mara]))
    assert table.refusal("gm", oneself) == "supporter_not_present"


def test_angst_tests_know_what_they_are_about(table):
    table.character()
    assert table.refusal("gm", c.AvoidAngst(candidates=[])) == "no_candidates"
    assert table.refusal("gm", c.AvoidAngst(candidates=["fear"], chosen="guilt")) == "not_a_candidate"
    assert table.refusal("gm", c.AvoidAngst(candidates=["envy"])) == "unknown_angst"
    assert table.refusal("mara", c.PurgeAngst(angst="anger", trigger="comfort")) == "comfort_not_named"
    tapped = c.PurgeAngst(angst="anger", trigger="comfort", comfort="guitar", tap=Tap("anger", "positive"))
    assert table.refusal("mara", tapped) == "no_tapping_in_angst_test"


def test_only_the_gm_says_what_is_hard_and_what_it_costs(table):
    table.character()
    for command in (
        c.DefineAngstTypes(types=["fear"]),
        c.CallTest(core="physical", dn=3),
        c.CancelTest(),
        c.FinaliseTest(),
        c.AvoidAngst(candidates=["fear"]),
        c.ReachMilestone(),
        c.RecordPositiveEvent(),
        c.SetRelationship(target="Jun", grade="B"),
        c.AwardStoryPoints(amount=1),
        c.SetCore(core="physical", effective="d4"),
        c.CreateCharacter(name="Guard", cores=CORES, kind="gmc"),
    ):
        assert table.refusal("mara", command) == "not_the_gm"


def test_relationships_are_not_without_end(table):
    table.character(relationships={f"cousin {nth}": "C" for nth in range(RELATIONSHIPS_MAX)})
    assert table.refusal("gm", c.SetRelationship(target="one more", grade="A")) == "too_many_relationships"
    assert table.do("gm", c.SetRelationship(target="cousin 7", grade="A"))


def test_the_catalogue_of_angst_types_is_the_campaigns_own(table):
    table.character(angst={"anger": 1})
    assert table.refusal("gm", c.DefineAngstTypes(types=["envy"])) == "angst_type_in_use"
    assert table.refusal("gm", c.DefineAngstTypes(types=["anger", "anger"])) == "duplicate_angst_type"
    [defined] = table.do("gm", c.DefineAngstTypes(types=["anger", "envy"]))
    assert defined.types == ["anger", "envy"]
    assert table.refusal("gm", c.AvoidAngst(candidates=["fear"])) == "unknown_angst"
    assert table.do("gm", c.AvoidAngst(candidates=["envy"]))


def test_a_setting_stands_behind_each_ruling_that_groups_see_otherwise(table):
    table.character()
    assert table.refusal("mara", c.MakeTest(core="mental", dn=3)) == "nobody_called_a_test"
    table.settings = Settings(players_set_dn=True, suck_floor="d4")
    [rolled, _] = table.do("mara", c.MakeTest(core="mental", dn=3))
    assert rolled.players_set_dn
    guard = table.character("guard", kind="gmc", cores=CORES | {"physical": "d4"})
    rolled = table.do("gm", c.MakeTest(core="physical", dn=3, character=guard, suck="clumsy"))[0]
    assert (rolled.core_die, rolled.suck_floor) == ("d4", "d4")
    assert table.refusal("gm", c.AwardStoryPoints(amount=1, character=guard)) == "gmc_has_no_spendables"
    table.settings = Settings(gmc_spendables=True)
    assert table.do("gm", c.AwardStoryPoints(amount=1, character=guard))[0].gmc_spendables
