"""Odds of a dice expression: exact if they can be computed at a bounded cost, else estimated.

A distribution here is the number of equally likely cases for each value, so that nothing is rounded.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, prod, sqrt
from typing import TypeAlias

from msgspec import Struct

from domain.dice.bounds import applied, bounds
from domain.dice.die import Die
from domain.dice.notation import (
    Comparison,
    Exact,
    Expression,
    Faces,
    Group,
    Join,
    Keep,
    Minus,
    Operation,
    Pool,
    Rounding,
    Sign,
    Whole,
    extra_dice_max,
    kept_of,
    pools,
)
from domain.dice.rolls import roll
from domain.dice.rounded_fractions import rounded

STEPS_MAX = 500_000
"""The most multiplications that one distribution may cost, a tenth of a second or less."""

SAMPLES_MAX = 4_000
SAMPLED_DICE_MAX = 40_000
"""The rolls, and the dice in them, that an estimate is made of."""

CONFIDENCE = 1.96
"""Standard deviations on either side within which 19 of 20 estimates lie."""

Value: TypeAlias = int | Fraction
Cases = dict[Value, int]


class _TooMuch(Exception):  # noqa: N818 — not an error: the odds are just not worth their price
    """The distribution costs too much to compute."""


class _Budget(Struct):
    """The multiplications that are left."""

    steps: int = STEPS_MAX

    def spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise _TooMuch


class Expectation(Struct, frozen=True):
    """The results of an expression before it is rolled.

    `chances` are those of every total, in order. They are exact where `margin` is None; else estimated, and 19 of
    20 such estimates are at most `margin` away from the truth (0.01 is one in a hundred).
    """

    minimum: int
    maximum: int
    mean: float
    chances: dict[int, float]
    margin: float | None = None


@lru_cache(maxsize=256)
def distribution(expression: Expression) -> dict[int, Fraction] | None:
    """The probability of every total, or None where that costs too much. Treat it as read-only."""
    try:
        cases = _cases(expression, extra_dice_max(expression), _Budget())
    except _TooMuch:
        return None
    every = sum(cases.values())
    return {int(value): Fraction(count, every) for value, count in sorted(cases.items())}


@lru_cache(maxsize=256)
def expect(expression: Expression) -> Expectation:
    """The results of an expression: exact, or estimated where that would cost too much. Treat it as read-only."""
    odds = distribution(expression)
    if odds is not None:
        mean, _ = mean_and_variance(odds)
        chances = {total: float(chance) for total, chance in odds.items()}
        return Expectation(min(odds), max(odds), mean, chances)
    reach = bounds(expression)
    count = sum(pool.count for pool in pools(expression))
    samples = max(1, min(SAMPLES_MAX, SAMPLED_DICE_MAX // max(1, count)))
    dice = _SampledDice()
    counts: dict[int, int] = {}
    for _ in range(samples):
        total = roll(expression, dice).total
        counts[total] = counts.get(total, 0) + 1
    mean = sum(total * count for total, count in counts.items()) / samples
    chances = {total: count / samples for total, count in sorted(counts.items())}
    return Expectation(reach.low, reach.high, mean, chances, CONFIDENCE / (2 * sqrt(samples)))


class _SampledDice:
    """Dice that fall as evenly as fair ones, and always in the same order: a linear congruential generator."""

    def __init__(self) -> None:
        self._state = 1

    def roll(self, sides: int) -> Die:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        return Die(sides=sides, natural=((self._state >> 32) * sides >> 32) + 1, origin="server")

    def finish(self) -> None:
        """Does nothing: there are always more."""


def mean_and_variance(odds: dict[int, Fraction]) -> tuple[float, float]:
    """The mean and the variance of a total."""
    mean = sum((value * chance for value, chance in odds.items()), Fraction())
    square = sum((value * value * chance for value, chance in odds.items()), Fraction())
    return float(mean), float(square - mean * mean)


def _cases(expression: Expression, extra_dice: int, budget: _Budget) -> Cases:  # noqa: PLR0911 — one for each kind
    match expression:
        case Whole() | Exact():
            return {expression.value: 1}
        case Pool():
            return _pool(expression, extra_dice, budget)
        case Group():
            return _group(expression, extra_dice, budget)
        case Comparison():
            inner = _cases(expression.of, extra_dice, budget)
            return _mapped(inner, lambda value: int(value in expression.faces))
        case Rounding():
            inner = _cases(expression.of, extra_dice, budget)
            return _mapped(inner, lambda value: rounded(expression.word, value))
        case Minus():
            return _mapped(_cases(expression.of, extra_dice, budget), lambda value: -value)
        case Operation():
            left_cases = _cases(expression.left, extra_dice, budget)
            return _join_cases(expression.sign, left_cases, _cases(expression.right, extra_dice, budget), budget)


def _mapped(cases: Cases, result: Callable[[Value], Value]) -> Cases:
    """The distribution of something that follows from a value."""
    mapped: Cases = {}
    for value, count in cases.items():
        mapped[result(value)] = mapped.get(result(value), 0) + count
    return mapped


def _join_cases(sign: Sign, left: Cases, right: Cases, budget: _Budget) -> Cases:
    """The distribution of two independent values joined by a sign."""
    budget.spend(len(left) * len(right))
    cases: Cases = {}
    for one, count in left.items():
        for other, times in right.items():
            value = applied(sign, one, other)
            cases[value] = cases.get(value, 0) + count * times
    return cases


def _sum_of(count: int, single: Cases, budget: _Budget) -> Cases:
    """The sum of so many independent values with the same distribution."""
    result: Cases = {0: 1}
    while count:  # as many dice as the number's binary digits say
        if count & 1:
            result = _join_cases("+", result, single, budget)
        count >>= 1
        if count:
            single = _join_cases("+", single, single, budget)
    return result


def _pool(pool: Pool, extra_dice: int, budget: _Budget) -> Cases:
    worth = _worth(pool)
    if pool.explosions_max is not None:
        if pool.keeps:
            raise _TooMuch
        return _pool_with_few_explosions(pool, extra_dice, worth, budget)
    by_rank = any(keep.faces is None for keep in pool.keeps)
    if by_rank:
        if any(keep.faces is not None for keep in pool.keeps):
            raise _TooMuch
        if pool.explode is not None and not pool.compound:
            raise _TooMuch  # the number of dice is itself random
        ranks = _kept_ranks(pool.keeps, pool.join, pool.count)
        return _dice_with_drops([(pool.count, _chain(pool, extra_dice, budget))], ranks, worth, budget)
    if pool.compound:
        return _sum_of(pool.count, _mapped(_chain(pool, extra_dice, budget), worth), budget)
    return _sum_of(pool.count, _chain(pool, extra_dice, budget, worth), budget)


def _worth(pool: Pool) -> Callable[[Value], Value]:
    """The worth of a die's value in its pool; nothing where its faces are dropped."""
    by_faces = pool.keeps if all(keep.faces is not None for keep in pool.keeps) else ()

    def worth(value: Value) -> Value:
        if by_faces and not kept_of(by_faces, pool.join, [int(value)], {0}):
            return 0
        return _counted(value, pool.successes, pool.failures)

    return worth


def _counted(value: Value, successes: Faces | None, failures: Faces | None) -> Value:
    if successes is None:
        return value
    return int(value in successes) - int(failures is not None and value in failures)


def _itself(value: Value) -> Value:
    return value


def _chain(pool: Pool, extra_dice: int, budget: _Budget, worth: Callable[[Value], Value] = _itself) -> Cases:
    """The worth of one die together with all dice that it adds, as `rolls` adds them.

    Computed backwards from the last die that may follow, for a die that an explosion brought or not, and that was
    just rerolled or not; all distributions of one step have the same number of cases. A die that is rerolled until
    none of some faces is left shows each other face alike.
    """
    values = pool.lasting_values
    states = [(extra, again) for extra in (False, True) for again in (False, True)]

    def own(value: int, *, extra: bool) -> Value:
        return worth(pool.counted_value(value - (pool.penetrating and extra)))

    def spread(parts: Iterable[tuple[Value, Cases, int]]) -> Cases:
        cases: Cases = {}
        for shift, part, times in parts:
            budget.spend(len(part))
            for value, count in part.items():
                cases[shift + value] = cases.get(shift + value, 0) + count * times
        return cases

    last: Cases = {0: 1}
    table = {
        (extra, again): spread((own(value, extra=extra), last, 1) for value in values) for extra, again in states
    }
    weight = 1
    for _ in range(extra_dice if pool.may_grow else 0):
        weight *= len(values)
        following = {}
        for extra, again in states:
            parts: list[tuple[Value, Cases, int]] = []
            for value in values:
                is_rerolled = pool.reroll is not None and value in pool.reroll
                if is_rerolled and not (pool.reroll_once and again):
                    parts.append((0, table[extra, True], 1))
                elif pool.explode is not None and value in pool.explode and not (pool.explode_once and extra):
                    parts.append((own(value, extra=extra), table[True, False], 1))
                else:
                    parts.append((own(value, extra=extra), last, weight))
            following[extra, again] = spread(parts)
        table = following
    return table[False, False]


def _pool_with_few_explosions(
    pool: Pool, extra_dice: int, worth: Callable[[Value], Value], budget: _Budget
) -> Cases:
    """The distribution of a pool that explodes so often at most, in all: die by die, with the explosions left."""
    plain = Pool(1, pool.sides, pool.fudge, pool.reroll, pool.reroll_once)
    faces = _chain(plain, extra_dice, budget)
    every = sum(faces.values())
    left_max = pool.explosions_max or 0
    # by_left[left] is the distribution of the dice that are still to be rolled.
    by_left: list[Cases] = [{0: every**left} for left in range(left_max + 1)]
    for _ in range(pool.count):
        following: list[Cases] = []
        for left in range(left_max + 1):
            cases: Cases = {}
            for face, times in faces.items():
                explodes = left > 0 and pool.explode is not None and face in pool.explode
                rest = following[left - 1] if explodes else by_left[left]
                budget.spend(len(rest))
                shift = worth(pool.counted_value(int(face)))
                for value, count in rest.items():
                    cases[shift + value] = cases.get(shift + value, 0) + count * times
            following.append(cases)
        by_left = following
    return by_left[left_max]


def _dice_with_drops(
    kinds: list[tuple[int, Cases]], kept_ranks: list[int], worth: Callable[[Value], Value], budget: _Budget
) -> Cases:
    """The distribution of dice of which some are dropped, built from the highest value down.

    `kinds` are how many dice there are of each kind, with the values of one. `kept_ranks` is how many of the
    highest 0, 1, 2 … dice are kept. `ways` has the distribution of the kept dice among those placed so far.
    """
    ways: dict[tuple[int, ...], Cases] = {(0,) * len(kinds): {0: 1}}
    for value in sorted({value for _, faces in kinds for value in faces}, reverse=True):
        own_worth = worth(value)
        following: dict[tuple[int, ...], Cases] = {}
        for placed, cases in ways.items():
            choices = (
                range(count - there + 1) if value in faces else range(1)
                for (count, faces), there in zip(kinds, placed, strict=True)
            )
            for more in product(*choices):
                budget.spend(len(cases))
                times = prod(
                    comb(count - there, more_here) * faces.get(value, 0) ** more_here
                    for (count, faces), there, more_here in zip(kinds, placed, more, strict=True)
                )
                now = tuple(there + more_here for there, more_here in zip(placed, more, strict=True))
                shift = own_worth * (kept_ranks[sum(now)] - kept_ranks[sum(placed)])
                target = following.setdefault(now, {})
                for total, ways_so_far in cases.items():
                    target[total + shift] = target.get(total + shift, 0) + ways_so_far * times
        ways = following
    return ways[tuple(count for count, _ in kinds)]


def _kept_ranks(keeps: tuple[Keep, ...], join: Join, count: int) -> list[int]:
    """How many of the highest 0, 1, 2 … dice are kept, if all differ."""
    ranked = list(range(count, 0, -1))  # the die of rank 0 has the highest value
    places = kept_of(keeps, join, ranked, set(range(count)))
    sums = [0]
    for place in range(count):
        sums.append(sums[-1] + (place in places))
    return sums


def _group(group: Group, extra_dice: int, budget: _Budget) -> Cases:
    if len(group.parts) == 1:
        return _dice_of_group(group, extra_dice, budget)
    parts = [_cases(part, extra_dice, budget) for part in group.parts]
    reduce = _still_needed(group)
    states: dict[tuple[Value, ...], int] = {(): 1}
    for part in parts:
        budget.spend(len(states) * len(part))
        following: dict[tuple[Value, ...], int] = {}
        for values, ways in states.items():
            for value, count in part.items():
                state = reduce(tuple(sorted((*values, value), reverse=True)))
                following[state] = following.get(state, 0) + ways * count
        states = following
    cases: Cases = {}
    for values, ways in states.items():
        kept_places = kept_of(group.keeps, group.join, [int(value) for value in values], {*range(len(values))})
        kept_values = [values[place] for place in kept_places]
        total = (
            sum(kept_values) if group.successes is None else sum(value in group.successes for value in kept_values)
        )
        cases[total] = cases.get(total, 0) + ways
    return cases


def _still_needed(group: Group) -> Callable[[tuple[Value, ...]], tuple[Value, ...]]:
    """The values of parts that are still needed to know which are kept; they are sorted from the highest."""
    if len(group.keeps) == 1:
        [keep] = group.keeps
        if keep.word == "kh":
            return lambda values: values[: keep.count]
        if keep.word == "kl":
            return lambda values: values[-keep.count :]
    return lambda values: values


def _dice_of_group(group: Group, extra_dice: int, budget: _Budget) -> Cases:
    own_pools = pools(group)
    if any(pool.explode is not None for pool in own_pools) or any(keep.faces for keep in group.keeps):
        raise _TooMuch
    count = sum(pool.count for pool in own_pools)
    ranks = _kept_ranks(group.keeps, group.join, count)
    kinds = [(pool.count, _chain(pool, extra_dice, budget)) for pool in own_pools]
    return _dice_with_drops(kinds, ranks, lambda value: _counted(value, group.successes, None), budget)
