"""Odds of pools whose ones explode in chains, against counting and against each other."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.odds import successes, tiers
from tests.domain.overdrive.table import Table

POOLS = st.integers(0, 60)
SKILLS = st.integers(1, 5)


def counted(pool: int, skill: int, below: int) -> list[Fraction]:
    """The same by going through every die face by face; a one leaves one die more to roll."""
    likely = [Fraction(0)] * below
    waiting = {(pool, 0): Fraction(1)}
    while waiting:
        (dice, had), chance = waiting.popitem()
        if had >= below:
            continue
        if dice == 0:
            likely[had] += chance
            continue
        for left, more, faces in ((dice, 1, 1), (dice - 1, 1, skill - 1), (dice - 1, 0, 6 - skill)):
            case = (left, had + more)
            waiting[case] = waiting.get(case, Fraction(0)) + chance * faces / 6
    return likely


@pytest.mark.parametrize("skill", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("pool", [0, 1, 2, 5])
def test_odds_of_a_chain_are_what_counting_every_die_gives(pool, skill):
    assert successes(pool, skill, 9) == pytest.approx([float(each) for each in counted(pool, skill, 9)], abs=1e-12)


def test_a_single_die_of_the_lowest_skill_goes_on_with_every_one():
    assert successes(1, 1, 4) == pytest.approx([5 / 6, 5 / 36, 5 / 216, 5 / 1296])


@given(POOLS, SKILLS)
def test_the_odds_of_all_tiers_add_up_to_one_and_more_dice_never_hurt(pool, skill):
    for reading in ("strict", "inclusive"):
        likely, more = tiers(pool, skill, reading), tiers(pool + 1, skill, reading)
        assert sum(likely.values()) == pytest.approx(1)
        assert more["none"] <= likely["none"] + 1e-12
    assert tiers(pool, skill, "inclusive")["none"] <= tiers(pool, skill, "strict")["none"] + 1e-12


def test_a_roll_brings_its_odds_with_it_however_long_its_chain_was():
    table = Table()
    mara = table.character("mara")
    events = table.do(
        "mara", c.MakeRoll(use="stat:will", skill="social", character=mara), [1, 1, 6, 6, 1, 2, 1, 4]
    )
    [rolled] = [test for event in events for test in OVERDRIVE.rolls(event)]
    assert (len(rolled.dice), rolled.outcome) == (8, "none")
    assert rolled.odds == tiers(4, 3, "strict")
    assert rolled.odds["cinematic"] == pytest.approx(1 - float(sum(counted(4, 3, 9))))
