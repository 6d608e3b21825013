"""Odds of pools whose ones explode in chains, against counting and against each other."""

from copy import deepcopy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.evolve import evolve_all
from domain.offers.command_trials import Trial
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.odds import at_least, tiers
from tests.domain.overdrive.table import Table
from tests.domain.plays import told
from tests.domain.system_table import person

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
    fewer = counted(pool, skill, 9)
    assert [at_least(pool, skill, least) for least in range(10)] == [1 - sum(fewer[:least]) for least in range(10)]


def test_a_single_die_of_the_lowest_skill_goes_on_with_every_one():
    assert [at_least(1, 1, least) for least in range(5)] == [Fraction(1, 6**least) for least in range(5)]


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


def chance(table, who, command):
    """How likely the dice of a command are to be enough, as its form and its dry run say it."""
    start, actions = told("overdrive", table)
    known = evolve_all(start, [event for action in actions for event in action.events])
    return Trial(known, person(who), "player", at=0).first_dice(command).chance


def test_a_roll_says_how_likely_it_beats_its_difficulty():
    table = Table()
    table.character("mara")
    for difficulty in range(5):
        wanted = c.MakeRoll(use="stat:will", skill="social", difficulty=difficulty)
        assert chance(table, "mara", wanted) == float(1 - sum(counted(4, 3, difficulty + 1)))
    assert chance(table, "mara", c.MakeRoll(use="stat:will", skill="social")) is None


def test_a_defence_says_how_likely_the_attack_misses_and_that_two_miss_more_rarely():
    table = Table()
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    table.do("mara", c.DeclareAttack(weapon="blade", target=jun, distance=0), [2, 2, 6, 6, 6])
    attacked = deepcopy(table.state)
    likely = chance(table, "jun", c.RollDefense())
    [rolled] = [each for each in table.do("jun", c.RollDefense(), [6] * 3) if isinstance(each, e.RollMade)]
    hit = sum(counted(rolled.pool, rolled.skill, 2))
    assert likely == float(1 - hit)
    assert OVERDRIVE.chance(attacked, [rolled, rolled]) == float(1 - hit * hit)


def test_the_second_roll_of_a_duel_says_how_likely_it_takes_the_lead():
    table = Table()
    mara, jun = table.character("mara"), table.character("jun")
    sides = (
        c.DuelistDraft(character=mara, use="stat:will", skill="social"),
        c.DuelistDraft(character=jun, use="stat:will", skill="social"),
    )
    table.do("mara", c.StartDuel(sides), [1, 2, 6, 6, 6])
    second = c.RollDuel(character=jun)
    assert chance(table, "jun", second) == float(1 - sum(counted(4, 3, 3)))
