"""Exact odds of a dice expression, if they can be computed at a bounded cost.

A distribution here is the number of equally likely cases for each value, so that nothing is rounded.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import comb

from msgspec import Struct

from domain.dice.bounds import applied
from domain.dice.notation import (
    Expression,
    Minus,
    Operation,
    Pool,
    Sign,
    Whole,
    extra_dice_max,
)

STEPS_MAX = 500_000
"""The most multiplications that one distribution may cost, a tenth of a second or less."""

Cases = dict[int, int]


class _TooMuch(Exception):  # noqa: N818 — not an error: the odds are just not worth their price
    """The distribution costs too much to compute."""


class _Budget(Struct):
    """The multiplications that are left."""

    steps: int = STEPS_MAX

    def spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise _TooMuch


@lru_cache(maxsize=256)
def distribution(expression: Expression) -> dict[int, Fraction] | None:
    """The probability of every total, or None where that costs too much. Treat it as read-only."""
    try:
        cases = _cases(expression, extra_dice_max(expression), _Budget())
    except _TooMuch:
        return None
    every = sum(cases.values())
    return {value: Fraction(count, every) for value, count in sorted(cases.items())}


def mean_and_variance(odds: dict[int, Fraction]) -> tuple[float, float]:
    """The mean and the variance of a total."""
    mean = sum((value * chance for value, chance in odds.items()), Fraction())
    square = sum((value * value * chance for value, chance in odds.items()), Fraction())
    return float(mean), float(square - mean * mean)


def _cases(expression: Expression, extra_dice: int, budget: _Budget) -> Cases:
    match expression:
        case Whole():
            return {expression.value: 1}
        case Pool():
            return _pool(expression, extra_dice, budget)
        case Minus():
            return {-value: count for value, count in _cases(expression.of, extra_dice, budget).items()}
        case Operation():
            left_cases = _cases(expression.left, extra_dice, budget)
            return _join_cases(expression.sign, left_cases, _cases(expression.right, extra_dice, budget), budget)


def _join_cases(sign: Sign, left: Cases, right: Cases, budget: _Budget) -> Cases:
    """The distribution of two independent values joined by a sign."""
    budget.spend(len(left) * len(right))
    cases: Cases = {}
    for one, count in left.items():
        for other, times in right.items():
            value = applied(sign, one, other)
            cases[value] = cases.get(value, 0) + count * times
    return cases


def _pool(pool: Pool, extra_dice: int, budget: _Budget) -> Cases:
    worth = _worth(pool)
    if pool.keeps:
        if pool.explode is not None:
            raise _TooMuch  # the number of dice is itself random
        return _pool_with_drops(pool, _faces(pool, extra_dice, budget), worth, budget)
    single = _chain(pool, extra_dice, worth, budget)
    result: Cases = {0: 1}
    count = pool.count
    while count:  # as many dice as the number's binary digits say
        if count & 1:
            result = _join_cases("+", result, single, budget)
        count >>= 1
        if count:
            single = _join_cases("+", single, single, budget)
    return result


def _worth(pool: Pool) -> Callable[[int], int]:
    """The values that a kept die adds to its pool's."""
    counted = pool.successes
    if counted is None:
        return lambda value: value
    return lambda value: int(value in counted)


def _chain(pool: Pool, extra_dice: int, worth: Callable[[int], int], budget: _Budget) -> Cases:
    """The value of one die with all the dice that it adds, as `rolling` adds them.

    Computed backwards from the last die that may follow: `fresh` for a die that may be rerolled, `again` for one
    that was just rerolled.
    """
    values = range(pool.values.low, pool.values.high + 1)
    fresh = again = _spread([(worth(value), {0: 1}) for value in values])
    for _ in range(extra_dice if pool.may_grow else 0):
        shifted: list[tuple[int, Cases]] = []
        after_reroll: list[tuple[int, Cases]] = []
        for value in values:
            rerolled = pool.reroll is not None and value in pool.reroll
            explodes = pool.explode is not None and value in pool.explode
            stands = (worth(value), fresh if explodes else {0: sum(fresh.values())})
            shifted.append((0, again) if rerolled else stands)
            after_reroll.append((0, again) if rerolled and not pool.reroll_once else stands)
        budget.spend(sum(len(cases) for _, cases in shifted) + sum(len(cases) for _, cases in after_reroll))
        fresh, again = _spread(shifted), _spread(after_reroll)
    return fresh


def _spread(parts: list[tuple[int, Cases]]) -> Cases:
    """The sum of distributions that are each shifted by a number; all have the same number of cases."""
    cases: Cases = {}
    for shift, part in parts:
        for value, count in part.items():
            cases[shift + value] = cases.get(shift + value, 0) + count
    return cases


def _faces(pool: Pool, extra_dice: int, budget: _Budget) -> Cases:
    """The faces of one die after its rerolls."""
    plain = Pool(1, pool.sides, pool.fudge, pool.reroll, pool.reroll_once)
    return _chain(plain, extra_dice, lambda value: value, budget)


def _pool_with_drops(pool: Pool, faces: Cases, worth: Callable[[int], int], budget: _Budget) -> Cases:
    """The distribution of a pool of which dice are dropped, built from the highest value down.

    `ways[placed]` is the distribution of the kept dice among the highest `placed` dice.
    """
    count = pool.count
    kept_ranks = _kept_ranks(pool)
    ways: list[Cases] = [{0: 1}, *({} for _ in range(count))]
    for value in sorted(faces, reverse=True):
        budget.spend(sum(len(cases) * (count - placed + 1) for placed, cases in enumerate(ways)))
        following: list[Cases] = [{} for _ in range(count + 1)]
        for placed, cases in enumerate(ways):
            for more in range(count - placed + 1):
                times = comb(count - placed, more) * faces[value] ** more
                shift = worth(value) * (kept_ranks[placed + more] - kept_ranks[placed])
                target = following[placed + more]
                for total, ways_so_far in cases.items():
                    target[total + shift] = target.get(total + shift, 0) + ways_so_far * times
        ways = following
    return ways[count]


def _kept_ranks(pool: Pool) -> list[int]:
    """How many of the highest 0, 1, 2 … dice are kept, if all differ."""
    ranked = list(range(pool.count, 0, -1))  # the die of rank 0 has the highest value
    places = set(range(pool.count))
    for keep in pool.keeps:
        order = sorted(places)
        places = {order[stays] for stays in keep.kept_places([ranked[place] for place in order])}
    sums = [0]
    for place in range(pool.count):
        sums.append(sums[-1] + (place in places))
    return sums
