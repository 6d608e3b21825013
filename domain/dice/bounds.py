"""The cost and the range of an expression, computed before anything is rolled."""

from domain.dice.notation import (
    DICE_MAX,
    TOTAL_MAX,
    Expression,
    Faces,
    Minus,
    NotationTooLarge,
    Operation,
    Pool,
    Whole,
    extra_dice_max,
    pools,
)
from domain.sentences import say


def check_size(expression: Expression) -> None:
    """Raise `NotationTooLarge` for more than 200 dice, or for totals beyond a thousand million."""
    dice_pools = pools(expression)
    dice = sum(pool.count for pool in dice_pools)
    if dice > DICE_MAX:
        raise NotationTooLarge(
            say("That is {dice} dice; up to {most} are rolled at once.", dice=dice, most=DICE_MAX)
        )
    if extra_dice_max(expression) < 1 and any(pool.may_grow for pool in dice_pools):
        raise NotationTooLarge(
            say("Dice that explode or are rerolled need room for as many again within {most}.", most=DICE_MAX)
        )
    bounds(expression)


def bounds(expression: Expression) -> Faces:
    """A lower and an upper bound of the total, not always tight. Raises `NotationTooLarge`."""
    return _bounds(expression, 1 + extra_dice_max(expression))


def _bounds(expression: Expression, chain: int) -> Faces:
    """`chain` is how many dice one die may become."""
    match expression:
        case Whole():
            reach = [expression.value]
        case Pool():
            reach = _reach(expression, chain)
        case Minus():
            inner = _bounds(expression.of, chain)
            reach = [-inner.low, -inner.high]
        case Operation():
            left, right = _bounds(expression.left, chain), _bounds(expression.right, chain)
            reach = [
                applied(expression.sign, a, b) for a in (left.low, left.high) for b in (right.low, right.high)
            ]
    if max(map(abs, reach)) > TOTAL_MAX:
        raise NotationTooLarge("The total could go beyond a thousand million.")
    return Faces(min(reach), max(reach))


def _reach(pool: Pool, chain: int) -> list[int]:
    """The range of a pool between all of its dice and none of them, because every die may be dropped."""
    dice = pool.count * (chain if pool.explode is not None else 1)
    values = Faces(0, 1) if pool.successes is not None else pool.values
    if pool.keeps or values.low < 0 or pool.successes is not None:
        return [min(0, values.low * dice), dice * values.high]
    return [pool.count * values.low, dice * values.high]


def applied(sign: str, left: int, right: int) -> int:
    """The result of an operation on whole numbers; `/` rounds down. The right side is never zero."""
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left // right
