"""Where an expression with fractions is rounded: brings every way of writing it to one form."""

from fractions import Fraction
from math import ceil, floor, trunc

from domain.dice.notation import (
    Comparison,
    Exact,
    Expression,
    Group,
    Minus,
    Operation,
    Pool,
    Rounding,
    RoundWord,
    Whole,
)


def rounded(word: RoundWord, value: int | Fraction) -> int:
    """A value as a whole number; `round` rounds halves up."""
    match word:
        case "floor":
            return floor(value)
        case "ceil":
            return ceil(value)
        case "trunc":
            return trunc(value)
        case "round":
            return floor(value + Fraction(1, 2))


def settled(expression: Expression, word: RoundWord) -> Expression:
    """The expression in one form. Fractions that nothing rounds are rounded by `word`."""
    if not is_whole(expression) and not isinstance(expression, Rounding):
        expression = Rounding(word, expression)
    return _settled(expression)


def is_whole(expression: Expression) -> bool:
    """Whether an expression cannot have fractions."""
    match expression:
        case Exact():
            return False
        case Operation():
            return expression.sign != ":" and is_whole(expression.left) and is_whole(expression.right)
        case Minus():
            return is_whole(expression.of)
        case _:
            return True


def _settled(expression: Expression) -> Expression:
    """One form of an expression that stands outside of `Rounding`."""
    match expression:
        case Rounding():
            inner = expression.of
            is_floor = expression.word == "floor" or (expression.word == "trunc" and is_positive(inner))
            is_quotient = isinstance(inner, Operation) and inner.sign == ":" and isinstance(inner.right, Whole)
            if isinstance(inner, Operation) and is_floor and is_quotient and is_whole(inner.left):
                return Operation("/", _settled(inner.left), inner.right)
            exact = _exactly(inner)
            word = "floor" if expression.word == "trunc" and is_positive(exact) else expression.word
            return _settled(inner) if is_whole(exact) else Rounding(word, exact)
        case Minus():
            return Minus(_settled(expression.of))
        case Operation():
            return Operation(expression.sign, _settled(expression.left), _settled(expression.right))
        case _:
            return expression


def _exactly(expression: Expression) -> Expression:
    """One form of an expression that stands in `Rounding`, where `/` has fractions."""
    match expression:
        case Operation(sign="/"):
            return Rounding("floor", Operation(":", _exactly(expression.left), expression.right))
        case Operation():
            return Operation(expression.sign, _exactly(expression.left), _exactly(expression.right))
        case Minus():
            return Minus(_exactly(expression.of))
        case Rounding():
            inner = _exactly(expression.of)
            word = "floor" if expression.word == "trunc" and is_positive(inner) else expression.word
            return inner if is_whole(inner) else Rounding(word, inner)
        case _:
            return expression


def is_positive(expression: Expression) -> bool:
    """Whether an expression is plainly never below zero."""
    match expression:
        case Whole() | Exact() | Comparison():
            return True
        case Pool():
            return not expression.fudge and expression.failures is None
        case Group():
            return all(map(is_positive, expression.parts))
        case Operation():
            return expression.sign != "-" and is_positive(expression.left) and is_positive(expression.right)
        case Rounding():
            return is_positive(expression.of)
        case Minus():
            return False
