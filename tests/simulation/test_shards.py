"""The model of load over shards is right where it can be reckoned, and shows what a failure costs."""

from random import Random

import pytest

from tests.simulation.shards import Failure, Machines, at_a_failure, at_random, fullest, placed, simulated

seeded = Random
"""Chance from a seed is what is wanted."""


@pytest.mark.parametrize("busy", [0.3, 0.6, 0.8])
def test_one_process_waits_as_long_as_theory_says(busy):
    """M/D/1, moments at random and a fixed time for each, waits busy / 2 (1 - busy) of these times on average."""
    machines = Machines(1, 1, load=0.0, commit=0.0)
    asked = at_random(seeded(5), 100, busy / machines.decide, 1_000.0)
    outcome = simulated(machines, asked, [])
    mean = sum(each.waited for each in outcome.answered) / len(outcome.answered)
    theory = machines.decide * (1 + busy / (2 * (1 - busy)))
    assert mean == pytest.approx(theory, rel=0.1)


@pytest.mark.parametrize("seed", range(5))
def test_everything_asked_is_answered_once_however_many_processes_end(seed):
    chance = seeded(seed)
    machines = Machines(6, 2)
    asked = at_random(chance, 100, 300.0, 20.0)
    failures = [Failure(chance.uniform(0.0, 20.0), chance.randrange(6)) for _ in range(8)]
    outcome = simulated(machines, asked, failures)
    assert sorted(each.asked for each in outcome.answered) == [at for at, _ in asked]
    assert min(each.waited for each in outcome.answered) >= machines.decide
    assert outcome.loads > simulated(machines, asked, []).loads == 100


def test_a_failure_is_hardly_noticed_where_the_others_have_room_and_is_where_they_have_none():
    before, after, _ = at_a_failure(0.5, 8)
    assert after < 2 * before
    before, after, _ = at_a_failure(0.85, 4)
    assert after > 2 * before


def test_a_slow_shard_is_waited_for():
    asked = at_random(seeded(7), 400, 200.0, 20.0)
    waits = [simulated(Machines(8, shards, commit=0.004), asked, []).p99(5.0, 20.0) for shards in (1, 8)]
    assert waits[1] < waits[0]


def test_campaigns_are_shared_out_evenly():
    assert fullest(100_000, 10) < 1.02
    assert {placed(campaign, 3, "process") for campaign in range(100)} == {0, 1, 2}
