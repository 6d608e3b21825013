"""Odds of every system are those that icepool has, to the last digit."""

from fractions import Fraction

import pytest

from domain.systems.overdrive.odds import at_least, opposed
from tests.odds import SYSTEMS, Case, compared
from tests.sampling import slow_but

CASES_MIN = 10_000


@pytest.mark.parametrize("system", slow_but(SYSTEMS, in_release=["overdrive_duels"]))
def test_odds_are_those_of_icepool(system):
    count, differing = compared(SYSTEMS[system]())
    assert count >= CASES_MIN
    assert differing == []


def test_a_wrong_chance_would_be_noticed():
    cases: list[Case] = [("right", Fraction(1, 3), Fraction(1, 3)), ("wrong", 0.3333, Fraction(1, 3))]
    assert compared(iter(cases)) == (2, [cases[1]])


def test_what_players_ask_of_a_pool_against_a_difficulty():
    assert [round(float(at_least(pool, 3, 3)), 3) for pool in (4, 7)] == [0.434, 0.825]


@pytest.mark.parametrize("pool", [(0, 3), (4, 3), (60, 4)])
@pytest.mark.parametrize("other", [(4, 3), (2, 1), (60, 4)])
def test_two_pools_are_ahead_behind_or_alike(pool, other):
    def exactly(count):
        return [float(at_least(*side, count) - at_least(*side, count + 1)) for side in (pool, other)]

    alike = sum(one * two for one, two in map(exactly, range(120)))
    assert 1 - opposed(pool, other) - opposed(other, pool) == pytest.approx(alike, abs=1e-12)
