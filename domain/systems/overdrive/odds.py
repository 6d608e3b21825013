"""Odds of rolls, including chains of ones (OD-6 … OD-8, OD-26).

A die brings a success and another die with a one, a success with any other face up to the skill, and nothing
else. So the generating function of its successes, its whole chain counted, is `G(x) = (x·G(x) + (skill - 1)·x +
6 - skill) / 6`, which is `((skill - 1)·x + 6 - skill) / (6 - x)`; that of a pool is its power. Only the results
below the last tier, or below the wanted number, have to be added up: the rest is the last tier, or enough.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import prod
from typing import get_args

from msgspec import UNSET

from domain.rejection import Rejection
from domain.systems.overdrive.events import DuelOpened, DuelSideRolled, Event, RollMade, StabilisationRolled
from domain.systems.overdrive.rolls import worth
from domain.systems.overdrive.settings import TierReading
from domain.systems.overdrive.state import Character, OverdriveState
from domain.systems.overdrive.tables import SKILLS, TIERS, Use
from domain.systems.system import JudgedDie, RolledTest, judge_die

SIDES = 6
TIE = "tie"
BOTH = 2
POOL_MAX = 60
"""Odds between larger pools would take long to add up."""
REST_MAX = Fraction(1, 2**60)


def rolls(event: Event) -> list[RolledTest]:
    """The dice of one event with their odds."""
    match event:
        case RollMade() if event.dice:
            dice = [judge_die(die, die.value, exploded=die.value == 1, success=die.success) for die in event.dice]
            likely = tiers(event.pool, event.skill, event.tier_reading)
            roller = event.character if event.character is not None else event.name
            return [RolledTest(None if roller is UNSET else roller, dice, event.tier, dict(likely))]
        case StabilisationRolled():
            die = judge_die(event, event.die, success=event.success)
            saving = event.sides - event.against + (event.stabilisation_tie == "holds")
            holds = min(event.sides, max(0, saving)) / event.sides
            outcome = "held" if event.success else "failed"
            return [RolledTest(event.character, [die], outcome, {"failed": 1 - holds, "held": holds})]
        case _:
            return []


def low_is_good(event: Event, _die: JudgedDie) -> bool:
    """Low dice of a pool are its successes (OD-6); a stabilisation wants a high one (OD-26)."""
    return isinstance(event, RollMade)


def chance(state: OverdriveState, events: Sequence[Event]) -> float | None:
    """How likely rolls were to be enough, just before they fell; None where nothing known is to be beaten.

    A roll has to exceed its difficulty (OD-11, OD-14), a defence, or one of two, has to keep up with the attack
    (OD-24), and a duel's second roll has to exceed the first one's (OD-18). A duel's first roll has to exceed what
    the other side is going to roll, as it was proposed.
    """
    rolls = [event for event in events if isinstance(event, RollMade)]
    pools = _pools_to_come(state, events)
    if pools:
        [own] = rolls
        return opposed((own.pool, own.skill), pools[0]) if len(pools) == 1 and own.pool <= POOL_MAX else None
    goals = [(roll, least) for roll in rolls if (least := _least_needed(state, roll)) is not None]
    short = [1 - at_least(roll.pool, roll.skill, least) for roll, least in goals]
    return float(1 - prod(short)) if short else None


def odds_of_action(_state: OverdriveState, events: Sequence[Event]) -> dict[str, float] | None:
    """How likely each of two who roll a duel at once is ahead, by character or name, and how likely neither is."""
    sides = [event for event in events if isinstance(event, RollMade) and event.kind == "duel"]
    names = [side.character or side.name or "" for side in sides]
    if len(sides) != BOTH or len({*names, TIE, ""}) != BOTH + 2 or any(side.pool > POOL_MAX for side in sides):
        return None
    ahead, behind = (opposed(*pools) for pools in permutations((side.pool, side.skill) for side in sides))
    return {names[0]: ahead, TIE: max(0.0, 1 - ahead - behind), names[1]: behind}


def against(state: OverdriveState, events: Sequence[Event]) -> dict[str, float]:
    """How likely a duel's first roll is to exceed each pool that the other side may answer with, by its notation.

    Empty where that pool is proposed: `chance` says it.
    """
    pools = _pools_to_come(state, events)
    own = next((event for event in events if isinstance(event, RollMade)), None)
    if own is None or own.pool > POOL_MAX or len(pools) == 1:
        return {}
    return {f"{pool}d6!1<={skill}": opposed((own.pool, own.skill), (pool, skill)) for pool, skill in pools if pool}


def _pools_to_come(state: OverdriveState, events: Sequence[Event]) -> list[tuple[int, int]]:
    """The dice and skills that the one side of a duel may roll after this one: one, where they are proposed.

    Bonus dice, penalty dice and relations are up to its player.
    """
    match [event for event in events if isinstance(event, DuelOpened | DuelSideRolled | RollMade)]:
        case [RollMade(kind="duel"), DuelOpened(sides=sides, to_roll=to_roll)] if len(to_roll) == 1:
            [(side, proposed)] = to_roll.items()
        case [RollMade(kind="duel"), DuelSideRolled(side=rolled)] if state.duel is not None:
            sides = state.duel.sides
            [(side, proposed)] = [(side, own) for side, own in state.duel.to_roll.items() if side != rolled]
        case _:
            return []
    character = state.characters.get(sides[side].character or "")
    if character is None:
        return []
    uses = get_args(Use) if proposed.use is None else (proposed.use,)
    skills = SKILLS if proposed.skill is None else (proposed.skill,)
    values = {
        (dice, character.skills.get(skill, 1))
        for use in uses
        if (dice := _dice_of(state, character, use)) is not None
        for skill in skills
    }
    return sorted(values)


def _dice_of(state: OverdriveState, character: Character, use: str) -> int | None:
    """The dice of a stat or score; None for a score without a pairing, or for more than odds are counted of."""
    try:
        dice = worth(state, character, use)
    except Rejection:
        return None
    return dice if dice <= POOL_MAX else None


@lru_cache(maxsize=1024)
def opposed(pool: tuple[int, int], other: tuple[int, int]) -> float:
    """The probability that one pool, of dice and a skill, brings more successes than another.

    A chain of ones may always be longer, so this is a sum without an end; it is added up until what is left is
    smaller than what a number with a point can hold.
    """
    total, rest, least = Fraction(), Fraction(1), 0
    while rest > REST_MAX:
        following = at_least(*other, least + 1)
        total += (rest - following) * at_least(*pool, least + 1)
        rest, least = following, least + 1
    return float(total)


def _least_needed(state: OverdriveState, roll: RollMade) -> int | None:
    """The least number of successes that is enough for a roll, as far as that is known."""
    if roll.difficulty is not None:
        return roll.difficulty + 1
    attack = state.combat.attack if state.combat is not None else None
    if roll.kind == "defense" and attack is not None:
        return attack.successes
    duel = state.duel
    if roll.kind == "duel" and duel is not None and len(duel.to_roll) == 1:
        [other] = [duelist for side, duelist in duel.sides.items() if side not in duel.to_roll]
        return None if other.hidden else other.successes + 1
    return None


@lru_cache(maxsize=1024)
def at_least(pool: int, skill: int, least: int) -> Fraction:
    """The probability of so many successes or more.

    The terms of the power `((skill - 1)·x + 6 - skill)ⁿ / (6 - x)ⁿ` follow from its derivative, each from the two
    before it; they are kept whole, times `6` to the power of `n` plus their place.
    """
    one, missing = skill - 1, SIDES - skill
    before, term, below = 0, missing**pool, 0
    for nth in range(least):
        below = SIDES * below + term
        following = ((SIDES - 1) * pool * skill - (SIDES * one - missing) * nth) * term
        following += SIDES * one * (nth - 1) * before
        before, term = term, following // (missing * (nth + 1))
    return 1 - Fraction(below, SIDES ** (pool + least - 1)) if least else Fraction(1)


@lru_cache(maxsize=1024)
def tiers(pool: int, skill: int, reading: TierReading) -> dict[str, float]:
    """The probability of every tier of a pool."""
    major, cinematic = (at_least(pool, skill, least) for least in TIERS[reading])
    likely = {"none": 1 - major, "major": major - cinematic, "cinematic": cinematic}
    return {tier: float(chance) for tier, chance in likely.items() if chance}
