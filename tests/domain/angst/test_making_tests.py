"""A test in its two phases: called, rolled, spent on, final (AN-7 … AN-15)."""

import pytest

from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.rolls import Crucial, Tap
from domain.systems.angst.settings import Settings
from domain.systems.angst.tables import band, grade_modifier, overwhelming, parsed_grade
from projections.systems.angst.narration_tests import rerolled
from tests.domain.angst.table import Table
from tests.domain.system_table import kinds


@pytest.fixture
def table():
    return Table()


def test_the_player_makes_the_test_that_the_gm_called(table):
    mara = table.character()
    [called] = table.do("gm", c.CallTest(core="physical", dn=9, character=mara))
    assert [(each.kind, each.subject) for each in ANGST.pending(table.state)] == [("make_test", called.test_id)]
    rolled, resolved = table.do("mara", c.MakeTest(rock="track"), [4, 5])
    assert (rolled.test_id, rolled.core_die, rolled.total) == (called.test_id, "d10", 9)
    assert (resolved.success, resolved.margin) == (True, 0)
    assert table.refusal("mara", c.MakeTest(test_id=called.test_id)) == "test_finalised"


def test_nobody_makes_anothers_test(table):
    mara = table.character()
    table.character("jun")
    [called] = table.do("gm", c.CallTest(core="physical", dn=9, character=mara))
    assert table.refusal("jun", c.MakeTest(test_id=called.test_id)) == "not_your_character"
    assert table.refusal("jun", c.MakeTest(core="physical", dn=3)) == "nobody_called_a_test"


def test_a_called_tests_stakes_cannot_be_changed_by_the_player(table):
    table.character()
    table.do("gm", c.CallTest(core="physical", dn=9, crucial=Crucial("gradual")))
    assert table.refusal("mara", c.MakeTest(dn=4)) == "dn_is_the_gms"
    assert table.refusal("mara", c.MakeTest(crucial=Crucial("sudden"))) == "stakes_are_the_gms"
    assert table.refusal("mara", c.MakeTest(core="mental")) == "nobody_called_a_test"


def test_players_who_set_their_dn_still_set_no_stakes():
    table = Table(Settings(players_set_dn=True))
    table.character()
    assert table.refusal("mara", c.MakeTest(core="physical", dn=4, crucial=Crucial("sudden"))) == (
        "stakes_are_the_gms"
    )


def test_a_negative_tap_of_the_gms_lapses_when_something_else_was_tapped_first(table):
    mara = table.character()
    table.do("gm", c.CallTest(core="mental", dn=9, negative_tap="anger"))
    table.do("gm", c.MakeTest(core="social", dn=9, character=mara, tap=Tap("anger", "positive")))
    events = table.do("mara", c.MakeTest(), [3, 3])
    assert kinds(events) == ["TestRolled", "TestResolved"]


def test_spends_come_between_the_roll_and_the_end_in_any_order(table):
    table.character()
    table.do("gm", c.CallTest(core="mental", dn=12))
    assert kinds(table.do("mara", c.MakeTest(finalise=False), [2, 2])) == ["TestRolled"]
    [added] = table.do("mara", c.AddLifeExperience(amount=2))
    assert (added.total, added.left) == (6, 1)
    spent, again = table.do("mara", c.RerollDice(dice=["base"]), [6, 5])
    assert (spent.left, again.total) == (4, 15)
    assert again.core_die == table.state.tests[0].core_die
    assert f"+ {again.core_die} " in str(rerolled(again, "Mara")), "the die, not only its Core"
    assert table.refusal("mara", c.RerollDice(dice=["core"])) == "already_rerolled"
    assert table.refusal("mara", c.AddLifeExperience(amount=1)) == "already_used_life_experience"
    [resolved] = table.do("gm", c.FinaliseTest())
    assert (resolved.total, resolved.success) == (15, True)
    assert table.refusal("mara", c.AddLifeExperience(amount=1)) == "test_finalised"


def test_a_positive_tap_offers_a_purge_only_after_the_test(table):
    mara = table.character()
    events = table.do("gm", c.MakeTest(core="mental", dn=5, tap=Tap("anger", "positive"), finalise=False))
    assert kinds(events) == ["AngstTapped", "TestRolled"]
    assert table.refusal("mara", c.PurgeAngst(angst="anger", trigger="tap")) == "trigger_not_open"
    assert kinds(table.do("gm", c.FinaliseTest())) == ["TestResolved", "PurgeOffered"]
    events = table.do("mara", c.PurgeAngst(angst="anger", trigger="tap"), [6, 3])
    assert kinds(events) == ["TestRolled", "TestResolved", "AngstPurged"]
    assert table.sheet(mara).angst == {}
    table.do("gm", c.AvoidAngst(candidates=["fear"]))
    assert table.refusal("mara", c.PurgeAngst(angst="fear", trigger="tap")) == "trigger_not_open"


def test_a_new_scene_allows_another_tap_and_its_end_closes_offers(table):
    mara = table.character()
    table.do("gm", c.MakeTest(core="mental", dn=5, tap=Tap("anger", "positive")))
    tap_again = c.MakeTest(core="mental", dn=5, tap=Tap("anger", "negative"))
    assert table.refusal("gm", tap_again) == "already_tapped_this_scene"
    table.end_scene()
    assert table.sheet(mara).purge_offers == []
    table.start_scene()
    assert kinds(table.do("gm", tap_again))[1] == "StoryPointEarned"


def test_two_opposed_tests_are_judged_only_when_compared(table):
    mara, jun = table.character(), table.character("jun")
    stakes = Crucial("gradual")
    first = c.MakeTest(core="physical", character=jun, opposed=True, crucial=stakes, finalise=False)
    opposing = table.do("gm", first, [2, 2])[0].test_id
    against = c.MakeTest(core="physical", character=mara, opposed=True, against=opposing)
    assert table.refusal("gm", against) == "opposing_not_final"
    table.do("gm", c.FinaliseTest(test_id=opposing))
    rolled, resolved = table.do("gm", against, [6, 8])
    assert (resolved.success, resolved.dn) == (None, None)
    command = c.ResolveOpposed(c.OpposedSide(rolled.test_id), c.OpposedSide(opposing))
    judged, reduced = table.do("mara", command)
    assert (judged.winner, judged.margin, judged.dn) == ("acting", 10, 4)
    assert (reduced.character, reduced.who, reduced.steps) == (jun, "opposing", 2)
    assert table.refusal("mara", command) == "test_finalised"


def test_a_test_is_not_opposed_to_itself(table):
    table.character()
    test = table.do("gm", c.MakeTest(core="physical", opposed=True))[0].test_id
    both = c.ResolveOpposed(c.OpposedSide(test), c.OpposedSide(test))
    assert table.refusal("gm", both) == "same_test_twice"


def test_an_opposed_test_that_nobody_judges_is_called_off(table):
    table.character()
    table.do("gm", c.MakeTest(core="physical", opposed=True))
    assert kinds(table.do("gm", c.CancelTest())) == ["TestCancelled"]
    assert table.state.tests == []


def test_an_opposed_test_that_may_still_be_spent_on_is_not_called_off(table):
    """AN-C4."""
    table.character()
    table.do("gm", c.MakeTest(core="physical", opposed=True, finalise=False))
    assert table.refusal("gm", c.CancelTest()) == "no_called_test"
    assert len(table.state.tests) == 1


def test_a_session_refreshes_life_experience_and_allows_another_purchase(table):
    mara = table.character()
    table.do("gm", c.MakeTest(core="mental", dn=5, finalise=False))
    table.do("mara", c.AddLifeExperience(amount=3))
    table.do("mara", c.BuyAngstPurge(angst="anger"))
    assert table.refusal("mara", c.BuyAngstPurge(angst="anger")) == "once_per_session"
    started, refreshed = table.start_session()
    assert (started.number, refreshed.character, refreshed.current, refreshed.change) == (1, mara, 3, 3)
    table.do("mara", c.BuyAngstPurge(angst="anger"))
    assert table.sheet(mara).story_points == 1


def test_moral_support_of_a_character_is_their_grade_toward_whoever_acts(table):
    mara, jun = table.character(), table.character("jun")
    support = c.MakeTest(core="mental", dn=5, character=mara, moral_support=c.MoralSupport(grades=[jun]))
    assert table.refusal("gm", support) == "no_supportive_relationship"
    table.do("gm", c.SetRelationship(target=mara, grade="A-", character=jun))
    assert [(each.source, each.value) for each in table.do("gm", support)[0].modifiers] == [("moral_support", 2)]


def test_odds_are_exact(table):
    table.character()
    rolled = table.do("gm", c.MakeTest(core="mental", dn=12, perk="ace pilot"), [1, 1])[0]
    [luck] = ANGST.rolls(rolled)
    # d6 that explodes once + d6: 6 and x and y, with 6 + x + y >= 12, are 26 of 216; without a 6, none.
    assert luck.odds == {"failure": 190 / 216, "success": 26 / 216}
    assert luck.outcome == "failure"


def test_the_rulebooks_small_tables():
    assert [band(dn) for dn in (2, 3, 6, 9, 12, 15, 18)] == [
        None, "easy", "average", "hard", "very hard", "extreme", None,
    ]  # fmt: skip
    assert [overwhelming(total) for total in (3, 4, 5, 20)] == [0, -1, -2, -17]
    written = ["CritA", "critical f-", "b \u2212".strip(), "E", "", "Critical", "crit b", "a+"]
    assert [parsed_grade(each) for each in written] == [
        "Critical A", "Critical F-", "B-", None, None, None, None, "A+",
    ]  # fmt: skip
    assert [grade_modifier(each) for each in ("Critical A+", "C-", "F")] == [2, 0, -2]
