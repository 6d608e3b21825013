"""Random play on a simulated service: whatever goes wrong on the way, what was promised holds."""

from collections import Counter
from collections.abc import Callable

import pytest

from tests.simulation.run import Broken, simulate

TOLD_MAX = 3
"""Broken seeds that are told at length; of others only the number."""


def play(seeds: range, record_property: Callable[[str, object], None]) -> None:
    """Play all of them, and tell of those in which something was wrong."""
    counts: Counter[str] = Counter()
    broken: dict[int, str] = {}
    for seed in seeds:
        counts["seeds"] += 1
        try:
            counts.update(simulate(seed).counts)
        except Broken as wrong:
            broken[seed] = str(wrong)
            counts.update(wrong.counts)
            counts["seeds in which something was wrong"] += 1
    record_property("simulation", dict(counts))
    if broken:
        told = "\n\n".join([*broken.values()][:TOLD_MAX])
        pytest.fail(f"broken seeds: {[*broken]}\n{told}", pytrace=False)


def test_whatever_goes_wrong_every_command_is_answered_and_nothing_is_lost(quick_seeds, record_property):
    play(quick_seeds, record_property)


@pytest.mark.slow
def test_the_same_for_hundreds_of_seeds(slow_seeds, record_property):
    play(slow_seeds, record_property)


def test_the_same_seed_tells_the_same_story():
    told = set()
    for _ in range(2):
        try:
            told.add(simulate(3).digest)
        except Broken as wrong:
            told.add(str(wrong))
    assert len(told) == 1
