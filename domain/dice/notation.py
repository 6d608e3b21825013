"""Dice notation: the parts of an expression such as `4d6kh3+2`, and the one way it is written down.

    expression  product (("+" | "-") product)*
    product     signed (("*" signed) | ("/" whole))*            "/" rounds down
    signed      "-"* (whole | pool | "(" expression ")")
    pool        [count] "d" (sides | "%" | "F") modifier*
    modifier    reroll   "r" faces, until they are gone, or "ro" faces, once
                explode  "!" [faces], by default on the highest face: another such die is added
                keep     ("kh" | "kl" | "dh" | "dl") [count], by default 1
                count    [">=" | "<=" | "="] face: the pool is worth the number of such dice
    faces       [">=" | "<=" | "="] face

In any order on paper, modifiers apply in the order reroll, explode, keep, count. `domain.dice.parser`
reads the dialects, `rolling` rolls, `odds` says what to expect.
"""

from typing import Literal, TypeAlias, Union

from msgspec import Struct

from domain.rejection import Rejection
from domain.sentences import Sentence, say

DICE_MAX = 200
"""The most dice in an expression, with all that explosions and rerolls may add."""

EXTRA_DICE_MAX = 20
"""The most dice that one die may add by exploding and being rerolled; fewer in large pools."""

SIDES_MIN, SIDES_MAX = 2, 1000
LENGTH_MAX = 200
"""Characters of an expression, as typed and in its canonical form."""

NESTING_MAX = 16
TOTAL_MAX = 1_000_000_000
"""No part of an expression may exceed this, or fall below its negative."""

KeepWord = Literal["kh", "kl", "dh", "dl"]
Sign = Literal["+", "-", "*", "/"]


class NotationInvalid(Rejection):
    """The text is no dice expression; `column` counts from 1, `expected` says what could be there."""

    def __init__(self, column: int, expected: Sentence) -> None:
        super().__init__(
            "notation_invalid",
            say("At column {column}, expected {expected}.", column=column, expected=expected),
            column=column,
            expected=str(expected),
        )


class NotationTooLarge(Rejection):
    """The expression is valid, but more than the service rolls."""

    def __init__(self, message: str | Sentence) -> None:
        super().__init__("notation_too_large", message)


class Faces(Struct, frozen=True):
    """A range of faces of a die, both ends included."""

    low: int
    high: int

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high


class Keep(Struct, frozen=True):
    """Which dice of a pool are kept: keep or drop so many of the highest or lowest."""

    word: KeepWord
    count: int

    def kept_places(self, values: list[int]) -> set[int]:
        """The positions of the dice that are kept. Of equal dice the first is the higher."""
        order = sorted(range(len(values)), key=lambda place: (-values[place], place))
        match self.word:
            case "kh":
                return set(order[: self.count])
            case "kl":
                return set(order[max(0, len(order) - self.count) :])
            case "dh":
                return set(order[self.count :])
            case "dl":
                return set(order[: max(0, len(order) - self.count)])


class Whole(Struct, frozen=True):
    """A number without a sign."""

    value: int


class Pool(Struct, frozen=True):
    """Dice of one size. A fudge die is a d3 whose faces are worth -1, 0 and +1."""

    count: int
    sides: int
    fudge: bool = False
    reroll: Faces | None = None
    reroll_once: bool = False
    explode: Faces | None = None
    keeps: tuple[Keep, ...] = ()
    successes: Faces | None = None

    @property
    def values(self) -> Faces:
        """The values that one of these dice can have."""
        return Faces(-1, 1) if self.fudge else Faces(1, self.sides)

    @property
    def may_grow(self) -> bool:
        """Whether dice may be added while rolling."""
        return self.reroll is not None or self.explode is not None

    def value(self, natural: int) -> int:
        """The value of a face."""
        return natural - 2 if self.fudge else natural


class Minus(Struct, frozen=True):
    """The negative of an expression."""

    of: "Expression"


class Operation(Struct, frozen=True):
    """Two expressions joined by a sign. The right side of a `/` is a whole number of at least 1."""

    sign: Sign
    left: "Expression"
    right: "Expression"


Expression: TypeAlias = Union[Whole, Pool, Minus, Operation]  # noqa: UP007 — its members name it before it is there


def notation_of(expression: Expression) -> str:
    """The canonical form; parsing it gives the same expression."""
    match expression:
        case Whole():
            return str(expression.value)
        case Pool():
            return _written_pool(expression)
        case Minus():
            return f"-{_in_brackets(expression.of, isinstance(expression.of, Operation | Minus))}"
        case Operation():
            loose = expression.sign in "+-"
            left = isinstance(expression.left, Operation) and expression.left.sign in "+-" and not loose
            right = isinstance(expression.right, Operation) and not (loose and expression.right.sign in "*/")
            return f"{_in_brackets(expression.left, left)}{expression.sign}{_in_brackets(expression.right, right)}"


def pools(expression: Expression) -> list[Pool]:
    """All pools of an expression, from left to right: the order in which they are rolled."""
    match expression:
        case Whole():
            return []
        case Pool():
            return [expression]
        case Minus():
            return pools(expression.of)
        case Operation():
            return [*pools(expression.left), *pools(expression.right)]


def extra_dice_max(expression: Expression) -> int:
    """How many dice each die that explodes or is rerolled may add.

    Fixed before anything is rolled, so that no roll is refused halfway and its odds can be known. A die that has
    used it up is not replaced any more.
    """
    dice_pools = pools(expression)
    growing = sum(pool.count for pool in dice_pools if pool.may_grow)
    if not growing:
        return 0
    return min(EXTRA_DICE_MAX, (DICE_MAX - sum(pool.count for pool in dice_pools)) // growing)


def _in_brackets(expression: Expression, needs_brackets: bool) -> str:
    return f"({notation_of(expression)})" if needs_brackets else notation_of(expression)


def _written_pool(pool: Pool) -> str:
    text = f"{pool.count}d{'F' if pool.fudge else pool.sides}"
    if pool.reroll is not None:
        text += ("ro" if pool.reroll_once else "r") + _written_faces(pool.reroll, pool.values)
    bare_explosion = pool.explode is not None and pool.explode == Faces(pool.values.high, pool.values.high)
    if pool.explode is not None:
        text += "!" + ("" if bare_explosion else _written_faces(pool.explode, pool.values))
    text += "".join(f"{keep.word}{keep.count}" for keep in pool.keeps)
    if pool.successes is not None:
        # Directly after a bare "!", a condition would be read as part of the explosion.
        prefix = "cs" if bare_explosion and not pool.keeps else ""
        text += prefix + _written_count(pool.successes, pool.values)
    return text


def _written_faces(faces: Faces, values: Faces) -> str:
    """`1` for one face, else `<=2` or `>=5`."""
    if faces.low == faces.high:
        return f"={faces.low}" if faces.low < 0 else str(faces.low)
    return _written_count(faces, values)


def _written_count(faces: Faces, values: Faces) -> str:
    """`>=5` where the highest face counts, else `<=2` where the lowest does, else `=3`."""
    if faces.high == values.high:
        return f">={faces.low}"
    return f"<={faces.high}" if faces.low == values.low else f"={faces.low}"
