"""The roll (FS-6): from dice to outcome."""

import pytest

from domain.systems.frame_state import commands as c
from domain.systems.frame_state.state import AttributeModifier, TestDie
from domain.systems.frame_state.tables import outcome
from tests.domain.frame_state.table import Table

D4, D8, D12 = TestDie(die="d4"), TestDie(die="d8"), TestDie(die="d12")
AIM = TestDie(attribute="aim_assist")


@pytest.fixture
def table():
    table = Table()
    table.pilot()
    return table


def roll(table, faces, *, mark=5, test_type="proactive", dice=(D8,), modifiers=(), method="roll"):
    call = c.CallTest(mark=mark, test_type=test_type, dice=list(dice), modifiers=list(modifiers), method=method)
    table.do("handler", call)
    [resolved] = table.do("mara", c.RollTest(), faces)
    return resolved


@pytest.mark.parametrize(
    ("difference", "proactive", "reactive"),
    [
        (-100, "miss", "fumble"),
        (-2, "miss", "fumble"),
        (-1, "miss", "miss"),
        (0, "hit", "miss"),
        (1, "hit", "hit"),
        (2, "critical", "hit"),
        (100, "critical", "hit"),
    ],
)
def test_the_resolution_table_is_the_rulebooks(difference, proactive, reactive):
    assert outcome("proactive", difference) == proactive
    assert outcome("reactive", difference) == reactive


def test_the_highest_result_is_kept_and_the_rest_dropped(table):
    assert roll(table, [3, 7], dice=[D4, D8]).kept == 7


def test_an_ace_on_a_discarded_die_still_adds_two(table):
    resolved = roll(table, [4, 5], dice=[D4, D12], mark=7)
    assert (resolved.kept, resolved.ace, resolved.score, resolved.outcome) == (5, True, 7, "hit")


def test_two_aces_count_once(table):
    assert roll(table, [8, 8], dice=[D8, D8]).modifier_total == 2


def test_an_ace_does_not_change_which_die_is_kept(table):
    table.do("handler", c.InstallExperimental(attribute="aim_assist", value=3))
    table.do("mara", c.AllocatePoint(category="tuning", attribute="aim_assist"))
    resolved = roll(table, [3, 4], dice=[AIM, D4])
    assert (resolved.kept, resolved.ace, resolved.score) == (6, True, 8)


def test_an_experimental_bonus_makes_no_ace(table):
    table.do("handler", c.InstallExperimental(attribute="aim_assist", value=1))
    table.do("mara", c.AllocatePoint(category="tuning", attribute="aim_assist"))
    assert not roll(table, [3], dice=[AIM]).ace


def test_a_blank_attribute_rolls_nothing_even_with_an_experimental_part(table):
    table.do("handler", c.InstallExperimental(attribute="aim_assist", value=3))
    resolved = roll(table, [4], dice=[AIM])
    assert (resolved.dice, resolved.kept, resolved.ace, resolved.score) == ([], 0, False, 0)


def test_a_value_counts_with_its_experimental_part(table):
    table.do("mara", c.AllocatePoint(category="tuning", attribute="armour"))
    table.do("handler", c.InstallExperimental(attribute="armour", value=2))
    resolved = roll(table, [5], modifiers=[AttributeModifier("armour"), -1])
    assert [(each.source, each.value) for each in resolved.modifiers] == [("armour", 3), ("situation", -1)]
    assert resolved.score == 7


def test_the_ace_is_listed_among_the_modifiers(table):
    assert roll(table, [8]).modifiers[-1].source == "ace"


def test_an_average_rolls_nothing_and_never_aces(table):
    resolved = roll(table, [4], dice=[D4, D8], method="avg")
    assert (resolved.dice, resolved.kept, resolved.ace) == ([], 5, False)
    assert [each.average for each in resolved.averages] == [3, 5]


def test_dice_fall_from_left_to_right(table):
    assert [die.natural for die in roll(table, [2, 6, 11], dice=[D4, D8, D12]).dice] == [2, 6, 11]


def test_every_die_says_where_it_came_from(table):
    [die] = roll(table, [2]).dice
    assert (die.source, die.sides, die.origin, die.proof) == ("d8", 8, "server", "none")


def test_a_roll_without_right_draws_no_die(table):
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[D8]))
    assert table.refusal("jun", c.RollTest()) == "not_your_test"
    assert table.refusal("handler", c.RollTest()) == "not_your_test"


def test_a_lost_frame_offers_nothing_to_a_test_that_was_called_before(table):
    table.do("handler", c.CallTest(mark=5, test_type="reactive", dice=[AIM]))
    table.do("handler", c.LoseFrame())
    assert table.refusal("mara", c.RollTest()) == "no_active_frame"
