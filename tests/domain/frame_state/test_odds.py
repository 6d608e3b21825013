"""The odds of a test are those of rolling it in every way there is."""

from collections import Counter
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.dice import TableDice
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import TestDie
from tests.domain.frame_state.table import Table

SIDES = {"d4": 4, "d6": 6, "d8": 8}
PLAIN = st.lists(st.sampled_from(sorted(SIDES)), min_size=1, max_size=3)


def check(table: Table, who: str, sides: list[int]) -> None:
    """Roll the open test in every way; each time the odds are the same, and they are right."""
    outcomes: Counter[str] = Counter()
    said = []
    for faces in product(*(range(1, each + 1) for each in sides)):
        dice = TableDice(list(zip(sides, faces, strict=True)))
        [event] = FRAME_STATE.decide(table.state, table.context(who, c.RollTest()), dice)
        dice.finish()
        [test] = FRAME_STATE.rolls(event)
        assert [(die.sides, die.face) for die in test.dice] == list(zip(sides, faces, strict=True))
        assert test.outcome == event.outcome
        outcomes[event.outcome] += 1
        said.append(test.odds)
    every = prod(sides)
    right = {outcome: count / every for outcome, count in outcomes.items()}
    assert all(odds == pytest.approx(right) for odds in (said[0], said[-1]))
    assert sum(right.values()) == pytest.approx(1)


@settings(max_examples=40)
@given(PLAIN, st.integers(1, 12), st.integers(-2, 3), st.sampled_from(["proactive", "reactive"]), st.booleans())
def test_odds_are_those_of_trying_everything(dice, mark, modifier, test_type, by_an_npc):
    table = Table(Settings(handler_rolls=True))
    pilot = table.pilot("mara")
    if by_an_npc:
        [unit] = table.do("handler", c.CreateUnit(kind="npc", name="Warden"))
        pilot = unit.unit_id
    listed = [TestDie(die=each) for each in dice]
    table.do("handler", c.CallTest(mark=mark, test_type=test_type, dice=listed, modifiers=[modifier], pilot=pilot))
    check(table, "handler" if by_an_npc else "mara", [SIDES[each] for each in dice])


@pytest.mark.parametrize("parts", [[], [1], [3, 2]])
def test_an_experimental_part_belongs_to_its_die(parts):
    table = Table()
    pilot = table.pilot("mara")
    for part in parts:
        table.do("handler", c.InstallExperimental(attribute="sharpness", value=part))
    dice = [TestDie(attribute="sharpness"), TestDie(die="d8")]
    table.do("handler", c.CallTest(mark=6, test_type="reactive", dice=dice, pilot=pilot))
    check(table, "mara", [4, 8])


def test_a_test_that_took_the_average_had_no_luck():
    table = Table()
    pilot = table.pilot("mara")
    table.do(
        "handler", c.CallTest(mark=3, test_type="proactive", dice=[TestDie(die="d8")], method="avg", pilot=pilot)
    )
    [event] = table.do("mara", c.RollTest())
    assert FRAME_STATE.rolls(event) == []
