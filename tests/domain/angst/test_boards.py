"""The boards of Angst: what a scene waits for, and the web of relationships."""

import pytest

from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.rolls import Crucial, Tap
from domain.systems.angst.settings import Settings
from projections.systems.angst.boards import Bond, relationships, scene
from tests.domain.angst.table import Table
from tests.domain.system_table import person


@pytest.fixture
def table():
    return Table()


def seen(table):
    return scene(table.state, lambda thing: ANGST.name(table.state, thing) or thing, table.settings)


def test_a_rolled_test_shows_what_may_still_be_spent_on_it(table):
    mara = table.character(life_experience=2)
    table.do("gm", c.MakeTest(core="mental", dn=9, finalise=False), [2, 3])
    [test] = seen(table).open_tests
    assert (test.who.name, test.who.player, test.test.total, test.margin) == ("Mara", person("mara"), 5, -4)
    assert (test.test.may_reroll, test.reroll_dice_max, test.life_experience_max) == (["base", "core"], 2, 2)
    table.do("mara", c.RerollDice(dice=["base"]), [5])
    table.do("mara", c.AddLifeExperience(amount=1))
    [test] = seen(table).open_tests
    assert (test.margin, test.reroll_dice_max, test.life_experience_max) == (0, 0, 0)
    table.do("gm", c.FinaliseTest())
    assert seen(table).open_tests == []
    assert seen(table).people[0].usable.life_experience_max == 1
    assert table.sheet(mara).story_points == 4


def test_called_tests_wait_with_their_stakes(table):
    mara = table.character()
    table.do("gm", c.CallTest(core="physical", dn=10, character=mara, crucial=Crucial("gradual")))
    [called] = seen(table).called_tests
    assert (called.who.name, called.test.band, called.test.crucial) == ("Mara", "hard", Crucial("gradual"))


def test_opposed_tests_wait_to_be_compared(table):
    mara, jun = table.character(), table.character("jun")
    for who in (mara, jun):
        table.do("gm", c.MakeTest(core="physical", character=who, opposed=True), [3, 3])
    view = seen(table)
    assert ([each.who.name for each in view.opposed_tests], view.open_tests) == (["Mara", "Jun"], [])
    assert all(each.margin is None and each.reroll_dice_max == 0 for each in view.opposed_tests)


def test_offers_say_what_could_be_let_go_of_and_end_with_the_scene(table):
    table.character(angst={"anger": 2, "fear": 1})
    table.do("gm", c.MakeTest(core="mental", dn=5, tap=Tap("anger", "positive")))
    table.do("gm", c.RecordPositiveEvent())
    assert [(each.trigger, sorted(each.types)) for each in seen(table).offers] == [
        ("tap", ["anger"]),
        ("positive_event", ["anger", "fear"]),
    ]
    assert seen(table).offers[0].types["anger"].next_dn == 9
    assert not seen(table).people[0].usable.tap
    table.end_scene()
    assert seen(table).offers == []
    assert seen(table).people[0].usable.tap


def test_a_gmc_spends_only_where_the_group_plays_it_so(table):
    table.character("guard", kind="gmc")
    assert seen(table).people[0].usable.reroll_dice_max == 0
    table.settings = Settings(gmc_spendables=True)
    assert seen(table).people[0].usable.reroll_dice_max == 3


def test_the_web_shows_every_feeling_since_when_and_whether_it_is_answered(table):
    mara = table.character(relationships={"Jun": "B+", "the crew": "A"})
    jun = table.character("jun")
    table.start_session()
    table.do("gm", c.SetRelationship(target=mara, grade="Critical F", character=jun))
    web = relationships(table.state, lambda thing: ANGST.name(table.state, thing) or thing)
    assert [(each.id, each.name, each.kind) for each in web.people] == [
        (jun, "Jun", "pc"),
        (mara, "Mara", "pc"),
        ("the crew", "the crew", None),
    ]
    assert web.bonds == [
        Bond(jun, mara, "Critical F", -2, 1, "B+"),
        Bond(mara, jun, "B+", 1, 0, "Critical F"),
        Bond(mara, "the crew", "A", 2, 0, None),
    ]


def test_whoever_is_out_of_the_scene_is_offered_nothing_that_bends_a_test(table):
    table.character()
    before = seen(table).people[0].usable
    table.do("gm", c.MakeTest(core="physical", dn=30, crucial=Crucial("sudden")), [1, 1])
    after = seen(table).people[0].usable
    assert [(each.tap, each.off_core) for each in (before, after)] == [(True, True), (False, False)]
