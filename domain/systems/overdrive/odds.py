"""Odds of rolls, including chains of ones (OD-6 … OD-8, OD-26).

A die brings a success and another die with a one, a success with any other face up to the skill, and nothing
else. So the generating function of its successes, its whole chain counted, is `G(x) = (x·G(x) + (skill - 1)·x +
6 - skill) / 6`, which is `((skill - 1)·x + 6 - skill) / (6 - x)`; that of a pool is its power. Only what lies
below the last tier has to be added up: the rest is the last tier.
"""

from functools import lru_cache

from msgspec import UNSET

from domain.systems.overdrive.events import Event, RollMade, StabilisationRolled
from domain.systems.overdrive.settings import TierReading
from domain.systems.overdrive.tables import TIERS
from domain.systems.system import RolledTest, judged

SIDES = 6


def rolls(event: Event) -> list[RolledTest]:
    """The dice of one event with their odds."""
    match event:
        case RollMade() if event.dice:
            dice = [
                judged(each, each.value, exploded=each.value == 1, success=each.success) for each in event.dice
            ]
            likely = tiers(event.pool, event.skill, event.tier_reading)
            roller = event.character if event.character is not None else event.name
            return [RolledTest(None if roller is UNSET else roller, dice, event.tier, dict(likely))]
        case StabilisationRolled():
            die = judged(event, event.die, success=event.success)
            saving = event.sides - event.against + (event.stabilisation_tie == "holds")
            holds = min(event.sides, max(0, saving)) / event.sides
            outcome = "held" if event.success else "failed"
            return [RolledTest(event.character, [die], outcome, {"failed": 1 - holds, "held": holds})]
        case _:
            return []


@lru_cache(maxsize=1024)
def tiers(pool: int, skill: int, reading: TierReading) -> dict[str, float]:
    """The probability of every tier of a pool."""
    major, cinematic = TIERS[reading]
    below = successes(pool, skill, cinematic)
    none = sum(below[:major])
    some = sum(below[major:])
    likely = {"none": none, "major": some, "cinematic": max(0.0, 1 - none - some)}
    return {tier: chance for tier, chance in likely.items() if chance}


def successes(pool: int, skill: int, below: int) -> list[float]:
    """The probabilities of 0, 1, … successes of a pool, for all numbers below one."""
    one_die = _one_die(skill, below)
    likely = [1.0] + [0.0] * (below - 1)
    for bit in f"{pool:b}":  # square and multiply: a pool of a thousand dice costs twenty products
        likely = _product(likely, likely)
        if bit == "1":
            likely = _product(likely, one_die)
    return likely


def _one_die(skill: int, below: int) -> list[float]:
    """A die and its chain: the first terms of `((skill - 1)·x + 6 - skill) / (6 - x)`."""
    chain = [SIDES ** -(1.0 + nth) for nth in range(below)]
    return [(SIDES - skill) * chain[nth] + ((skill - 1) * chain[nth - 1] if nth else 0.0) for nth in range(below)]


def _product(left: list[float], right: list[float]) -> list[float]:
    """The terms of a product, as many as its factors have."""
    return [sum(left[k] * right[nth - k] for k in range(nth + 1)) for nth in range(len(left))]
