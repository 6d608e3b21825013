"""The cost and the range of an expression, computed before anything is rolled."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, floor

from domain.dice.notation import (
    DICE_MAX,
    TOTAL_MAX,
    Comparison,
    Exact,
    Expression,
    Faces,
    Group,
    Minus,
    NotationTooLarge,
    Operation,
    Pool,
    Rounding,
    Whole,
    extra_dice_max,
    growth,
    pools,
)
from domain.dice.rounded_fractions import rounded
from domain.sentences import say

STOPPED_MAX = 1e-9
"""How likely a roll may be to want more dice than are rolled at once."""


def check_size(expression: Expression) -> None:
    """Raise `NotationTooLarge` for more than 200 dice, or for totals beyond a thousand million.

    Dice that explode or are rerolled count with all that they are likely to bring: it is as good as certain that
    none is cut short.
    """
    dice_pools = pools(expression)
    dice = sum(pool.count for pool in dice_pools)
    if dice > DICE_MAX:
        raise NotationTooLarge(
            say("That is {dice} dice; up to {most} are rolled at once.", dice=dice, most=DICE_MAX)
        )
    growing = [pool for pool in dice_pools if pool.may_grow]
    if growing and not _have_room(growing, dice):
        others = dice - sum(pool.count for pool in growing)
        most = _possible_dice(growing, others)
        raise NotationTooLarge(
            say(
                "Dice that explode or are rerolled bring others, up to {most} in all: {possible} are possible.",
                most=DICE_MAX,
                possible=most,
            ),
            possible=most,
        )
    bounds(expression)


def _possible_dice(growing: list[Pool], others: int) -> int:
    """How many dice like the likeliest of these to bring others have room beside the others."""
    likeliest = max(growing, key=_growth_of_chain)
    counts = (
        count
        for count in range(min(DICE_MAX // 2, DICE_MAX - others), 0, -1)
        if _have_room([_with_count(likeliest, count)], count + others)
    )
    return next(counts, 0)


def _with_count(pool: Pool, count: int) -> Pool:
    return Pool(
        count,
        pool.sides,
        pool.fudge,
        pool.reroll,
        reroll_once=pool.reroll_once,
        explode=pool.explode,
        explode_once=pool.explode_once,
        explosions_max=pool.explosions_max,
    )


def _growth_of_chain(pool: Pool) -> float:
    return 0.0 if _extra_at_most(pool) is not None else growth(pool)


def _extra_at_most(pool: Pool) -> int | None:
    """The most dice that a pool adds, where that follows from its modifiers."""
    if pool.reroll is not None and not pool.reroll_once:
        return None
    if pool.explode is None:
        return pool.count
    if pool.explosions_max is not None:
        return pool.explosions_max + (pool.count + pool.explosions_max if pool.reroll is not None else 0)
    if pool.explode_once:
        return pool.count * (3 if pool.reroll is not None else 1)
    return None


def _have_room(growing: list[Pool], dice: int) -> bool:
    """Whether these pools hardly ever bring more dice than may be rolled at once."""
    if sum(pool.count for pool in growing) > DICE_MAX // 2:
        return False
    room = DICE_MAX - dice
    chances: dict[float, int] = {}
    for pool in growing:
        certain = _extra_at_most(pool)
        if certain is not None:
            room -= certain
        else:
            chances[growth(pool)] = chances.get(growth(pool), 0) + pool.count
    return room >= 0 and _likely_within(tuple(sorted(chances.items())), room)


@lru_cache(maxsize=256)
def _likely_within(chances: tuple[tuple[float, int], ...], room: int) -> bool:
    """Whether dice, so many with a chance to bring another, hardly ever bring more than there is room for."""
    extra = [1.0, *[0.0] * room]
    for chance, count in chances:
        own = [comb(count + more - 1, more) * chance**more * (1 - chance) ** count for more in range(room + 1)]
        extra = [sum(extra[first] * own[more - first] for first in range(more + 1)) for more in range(room + 1)]
    return 1 - sum(extra) < STOPPED_MAX


def bounds(expression: Expression) -> Faces:
    """A lower and an upper bound of the total, not always tight. Raises `NotationTooLarge`."""
    low, high = bounds_of(expression, 1 + extra_dice_max(expression))
    return Faces(floor(low), floor(high))


def bounds_of(expression: Expression, chain: int) -> tuple[int | Fraction, int | Fraction]:
    """The bounds of any part of an expression. `chain` is how many dice one die may become."""
    reach: Sequence[int | Fraction]
    match expression:
        case Whole() | Exact():
            reach = [expression.value]
        case Pool():
            reach = _reach(expression, chain)
        case Group():
            reach = _reach_of_group(expression, chain)
        case Comparison():
            bounds_of(expression.of, chain)
            reach = [0, 1]
        case Rounding():
            reach = [rounded(expression.word, end) for end in bounds_of(expression.of, chain)]
        case Minus():
            low, high = bounds_of(expression.of, chain)
            reach = [-low, -high]
        case Operation(sign="%"):
            bounds_of(expression.left, chain)
            reach = (0, bounds_of(expression.right, chain)[1])
        case Operation():
            left, right = bounds_of(expression.left, chain), bounds_of(expression.right, chain)
            reach = [applied(expression.sign, a, b) for a in left for b in right]
    if any(not -TOTAL_MAX <= end <= TOTAL_MAX for end in reach):
        raise NotationTooLarge("The total could go beyond a thousand million.")
    return min(reach), max(reach)


def _reach(pool: Pool, chain: int) -> list[int]:
    """The range of a pool between all of its dice and none of them, because every die may be dropped."""
    dice = pool.count * (chain if pool.explode is not None else 1)
    if pool.explosions_max is not None:
        dice = pool.count + pool.explosions_max
    values = pool.values
    if pool.successes is not None:
        values = Faces(-1 if pool.failures is not None else 0, 1)
    elif pool.least is not None or pool.most is not None or pool.penetrating:
        lows = (pool.counted_value(values.low), pool.counted_value(values.low - pool.penetrating))
        values = Faces(min(lows), pool.counted_value(values.high))
    kept = _kept(pool, dice)
    if kept is not None and values.low >= 0 and pool.successes is None:
        return [kept[0] * values.low, kept[1] * values.high]
    if pool.keeps or values.low < 0 or pool.successes is not None:
        return [min(0, values.low * dice), max(0, dice * values.high)]
    low = min(pool.count * values.low, dice * values.low)
    return [low, dice * values.high]


def _kept(pool: Pool, dice: int) -> tuple[int, int] | None:
    """The fewest and the most dice that count of up to so many; None where that follows from their faces.

    A die that others are added to may count for more than its faces.
    """
    if len(pool.keeps) != 1 or pool.compound:
        return None
    keep = pool.keeps[0]
    match keep.word:
        case "kh" | "kl":
            return min(keep.count, pool.count), min(keep.count, dice)
        case "dh" | "dl":
            return max(0, pool.count - keep.count), max(0, dice - keep.count)
        case _:
            return None


def _reach_of_group(group: Group, chain: int) -> list[int | Fraction]:
    parts = [bounds_of(part, chain) for part in group.parts]
    if group.successes is not None:
        dice = sum(pool.count for pool in pools(group)) * chain
        return [0, len(parts) if len(parts) > 1 else dice]
    lows, highs = [low for low, _ in parts], [high for _, high in parts]
    return [sum(min(0, low) for low in lows), sum(max(0, high) for high in highs)]


def applied(sign: str, left: int | Fraction, right: int | Fraction) -> int | Fraction:
    """The result of an operation; `/` rounds down, `:` does not. A divisor is never zero."""
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left // right
        case "%":
            return left % right
        case _:
            return Fraction(left) / right
