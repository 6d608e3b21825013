"""Dice notation: the parts of an expression such as `4d6kh3+2`, and the one way it is written down.

    expression  product (("+" | "-") product)*
    product     signed (("*" signed) | ("/" whole) | ("%" whole))*      "/" rounds down, except in `rounded`
    signed      "-"* (number | pool | group | rounded | "(" expression ")" | compared)
    rounded     ("floor" | "ceil" | "round" | "trunc") "(" expression ")"
    compared    "(" expression ")" count          1 if the total is so, else 0
    group       "{" expression ("," expression)* "}" keeps [count]
    pool        [count] "d" (sides | "%" | "F") modifier*
    modifier    reroll   "r" faces, until they are gone, or "ro" faces, once
                explode  "!" [faces], by default on the highest face: another such die is added
                         "!!" adds it to the die, "!p" takes 1 off it, "!!p" does both; "xo" faces, once a die;
                         "xm" number "=" faces, so often in the whole pool
                least    "mi" number: lower dice count as that; "ma" number: higher ones do
                keep     ("kh" | "kl" | "dh" | "dl") [count], by default 1; ("kf" | "pf") faces keeps or drops
                         these; in turn, or joined: "|" keeps what one of them keeps, "&" what all of them do
                count    [">=" | "<=" | "="] face: the pool is worth the number of such dice
                failure  "df" faces: each takes one off that number
                order    "sa" | "sd": shown from the lowest or from the highest
    faces       [">=" | "<=" | "="] face

In any order on paper, modifiers apply in the order of this list. A group of one part keeps dice of all its pools,
another one whole parts. `domain.dice.parser` reads this and `dialects`, `rolls` rolls, `odds` says what to expect.
"""

from fractions import Fraction
from math import ceil, log
from typing import Any, Literal, TypeAlias, Union

from msgspec import Struct

from domain.rejection import Rejection
from domain.sentences import Sentence, say

DICE_MAX = 200
"""The most dice in an expression, with all that explosions and rerolls may add."""

EXTRA_DICE_MAX = 20
"""The most dice that one die may add by exploding and being rerolled, where more would hardly ever be wanted."""

CUT_SHORT_MAX = 1e-12
"""How likely a die may be to want more dice than it may add."""

SIDES_MIN, SIDES_MAX = 2, 1000
LENGTH_MAX = 200
"""Characters of an expression, as typed and in its canonical form."""

NESTING_MAX = 16
TOTAL_MAX = 1_000_000_000
"""No part of an expression may exceed this, or fall below its negative."""

KeepWord = Literal["kh", "kl", "dh", "dl", "kf", "pf"]
Join = Literal["", "|", "&"]
"""How several keeps go together: one after the other, what one of them keeps, or what all of them keep."""
Order = Literal["", "sa", "sd"]
RoundWord = Literal["floor", "ceil", "round", "trunc"]
Sign = Literal["+", "-", "*", "/", "%", ":"]
"""`:` divides without rounding; it only stands in something `Rounding`, and is written `/` there."""


class NotationInvalid(Rejection):
    """The text is no dice expression; `column` counts from 1, `expected` says what could be there.

    `write` is how it may be meant, as it is written here.
    """

    def __init__(self, column: int, expected: Sentence, write: str | None = None) -> None:
        message = say("At column {column}, expected {expected}.", column=column, expected=expected)
        hint = {} if write is None else {"write": write}
        if write is not None:
            message = say("{refusal} Perhaps {write} is meant.", refusal=message, write=write)
        super().__init__("notation_invalid", message, column=column, expected=str(expected), **hint)


class NotationMeant(Rejection):
    """The text is written so elsewhere; `meant` says what it is, and `write` how it is written here."""

    def __init__(self, column: int, meant: Sentence, write: str) -> None:
        super().__init__(
            "notation_invalid",
            say("At column {column}: {meant} Here, write {write}.", column=column, meant=meant, write=write),
            column=column,
            expected=str(meant),
            write=write,
        )


class NotationTooLarge(Rejection):
    """The expression is valid, but more than the service rolls."""

    def __init__(self, message: str | Sentence, **details: Any) -> None:
        super().__init__("notation_too_large", message, **details)


class Faces(Struct, frozen=True):
    """A range of faces of a die, both ends included."""

    low: int
    high: int

    def __contains__(self, value: int | Fraction) -> bool:
        return self.low <= value <= self.high


class Keep(Struct, frozen=True):
    """Which dice of a pool are kept: so many of the highest or lowest, or those with some `faces`."""

    word: KeepWord
    count: int = 0
    faces: Faces | None = None

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
            case _:
                faces = self.faces or Faces(0, 0)
                return {place for place in order if (values[place] in faces) is (self.word == "kf")}


def kept_of(keeps: tuple[Keep, ...], join: Join, values: list[int], places: set[int]) -> set[int]:
    """The `places` that several keeps leave, of dice or parts with these values."""
    if join and keeps:
        order = sorted(places)
        here = [values[place] for place in order]
        sets = [{order[stays] for stays in keep.kept_places(here)} for keep in keeps]
        return set.union(*sets) if join == "|" else set.intersection(*sets)
    for keep in keeps:
        order = sorted(places)
        places = {order[stays] for stays in keep.kept_places([values[place] for place in order])}
    return places


class Whole(Struct, frozen=True):
    """A number without a sign."""

    value: int


class Exact(Struct, frozen=True):
    """A number with decimals, without a sign."""

    value: Fraction


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
    explode_once: bool = False
    compound: bool = False
    penetrating: bool = False
    explosions_max: int | None = None
    """How often the whole pool explodes at most."""
    least: int | None = None
    """The value of lower dice."""
    most: int | None = None
    """The value of higher dice."""
    failures: Faces | None = None
    """Faces that take one off the number of successes."""
    join: Join = ""
    order: Order = ""

    @property
    def values(self) -> Faces:
        """The values that one of these dice can have."""
        return Faces(-1, 1) if self.fudge else Faces(1, self.sides)

    @property
    def may_grow(self) -> bool:
        """Whether dice may be added while rolling."""
        return self.reroll is not None or self.explode is not None

    @property
    def lasting_values(self) -> list[int]:
        """The values that a die may end with: those that are rerolled until none is left are not among them."""
        every = [*range(self.values.low, self.values.high + 1)]
        until_none = self.reroll is not None and not self.reroll_once
        return [value for value in every if not (until_none and _in(value, self.reroll))] or every

    def value(self, natural: int) -> int:
        """The value of a face."""
        return natural - 2 if self.fudge else natural

    def counted_value(self, value: int) -> int:
        """The number that a value counts, which may be too low or too high."""
        value = value if self.least is None else max(value, self.least)
        return value if self.most is None else min(value, self.most)


class Group(Struct, frozen=True):
    """Parts of which some are kept, or counted; the dice of all its pools where there is one part."""

    parts: "tuple[Expression, ...]"
    keeps: tuple[Keep, ...] = ()
    successes: Faces | None = None
    join: Join = ""


class Comparison(Struct, frozen=True):
    """A total that is compared: worth 1 where it is one of `faces`, else 0."""

    of: "Expression"
    faces: Faces


class Rounding(Struct, frozen=True):
    """An expression with fractions, rounded to a whole number."""

    word: RoundWord
    of: "Expression"


class Minus(Struct, frozen=True):
    """The negative of an expression."""

    of: "Expression"


class Operation(Struct, frozen=True):
    """Two expressions joined by a sign. A divisor is a number above 0."""

    sign: Sign
    left: "Expression"
    right: "Expression"


Expression: TypeAlias = Union[Whole, Exact, Pool, Group, Comparison, Rounding, Minus, Operation]  # noqa: UP007 — its members name it before it is there

BOUND = 10**12
"""Beyond every total: an open end of what a total is compared with."""


def notation_of(expression: Expression) -> str:  # noqa: PLR0911 — one for each kind
    """The canonical form; parsing it gives the same expression."""
    match expression:
        case Whole():
            return str(expression.value)
        case Exact():
            return _decimals(expression.value)
        case Pool():
            return _written_pool(expression)
        case Group():
            inner = ",".join(map(notation_of, expression.parts))
            counted = "" if expression.successes is None else _written_open(expression.successes)
            return f"{{{inner}}}{_written_keeps(expression.keeps, expression.join)}{counted}"
        case Comparison():
            return f"({notation_of(expression.of)}){_written_open(expression.faces)}"
        case Rounding():
            return f"{expression.word}({notation_of(expression.of)})"
        case Minus():
            return f"-{_in_brackets(expression.of, isinstance(expression.of, Operation | Minus))}"
        case Operation():
            loose = expression.sign in "+-"
            left = isinstance(expression.left, Operation) and expression.left.sign in "+-" and not loose
            right = isinstance(expression.right, Operation) and not (loose and expression.right.sign not in "+-")
            sign = "/" if expression.sign == ":" else expression.sign
            return f"{_in_brackets(expression.left, left)}{sign}{_in_brackets(expression.right, right)}"


def inner_parts(expression: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is made of, from left to right."""
    match expression:
        case Whole() | Exact() | Pool():
            return ()
        case Group():
            return expression.parts
        case Operation():
            return (expression.left, expression.right)
        case _:
            return (expression.of,)


def pools(expression: Expression) -> list[Pool]:
    """All pools of an expression, from left to right: the order in which they are rolled."""
    if isinstance(expression, Pool):
        return [expression]
    return [pool for part in inner_parts(expression) for pool in pools(part)]


def extra_dice_max(expression: Expression) -> int:
    """How many dice each die that explodes or is rerolled may add.

    Fixed before anything is rolled, so that no roll is refused halfway and its odds can be known; so many that
    they are practically always enough.
    """
    growing = [pool for pool in pools(expression) if pool.may_grow]
    if not growing:
        return 0
    count, likely = sum(pool.count for pool in growing), max(map(growth, growing))
    return max(EXTRA_DICE_MAX, min(DICE_MAX, ceil(log(CUT_SHORT_MAX / count) / log(likely))))


def growth(pool: Pool) -> float:
    """How likely a die of a pool is to bring another one."""
    values = range(pool.values.low, pool.values.high + 1)
    again = [value for value in values if _in(value, pool.reroll) or _in(value, pool.explode)]
    return min(len(again) / len(values), 1 - 1 / SIDES_MAX)


def _in(value: int, faces: Faces | None) -> bool:
    return faces is not None and value in faces


def _in_brackets(expression: Expression, needs_brackets: bool) -> str:
    return f"({notation_of(expression)})" if needs_brackets else notation_of(expression)


def _written_pool(pool: Pool) -> str:
    text = f"{pool.count}d{'F' if pool.fudge else pool.sides}"
    if pool.reroll is not None:
        text += ("ro" if pool.reroll_once else "r") + _written_faces(pool.reroll, pool.values)
    text += _written_explosion(pool)
    text += "" if pool.least is None else f"mi{pool.least}"
    text += "" if pool.most is None else f"ma{pool.most}"
    text += _written_keeps(pool.keeps, pool.join)
    if pool.successes is not None:
        # Directly after an explosion without faces, a condition would be read as part of it.
        prefix = "cs" if text[-1] in "!p" else ""
        text += prefix + (
            _written_open(pool.successes) if pool.compound else _written_count(pool.successes, pool.values)
        )
    if pool.failures is not None:
        text += "df" + _written_faces(pool.failures, pool.values)
    return text + pool.order


def _written_explosion(pool: Pool) -> str:
    if pool.explode is None:
        return ""
    faces = _written_faces(pool.explode, pool.values)
    if pool.explosions_max is not None:
        return f"xm{pool.explosions_max}{'' if faces[0] in '<>=' else '='}{faces}"
    if pool.explode_once:
        return f"xo{faces}"
    sign = "!" + "!" * pool.compound + "p" * pool.penetrating
    return sign if pool.explode == Faces(pool.values.high, pool.values.high) else sign + faces


def _written_keeps(keeps: tuple[Keep, ...], join: Join) -> str:
    return join.join(
        f"{keep.word}{keep.count}" if keep.faces is None else f"{keep.word}{_written_open(keep.faces)}"
        for keep in keeps
    )


def _written_open(faces: Faces) -> str:
    """`>=5`, `<=3` or `=4`, where there is no highest or lowest number."""
    if faces.low == faces.high:
        return f"={faces.low}"
    return f">={faces.low}" if faces.high >= BOUND else f"<={faces.high}"


def _decimals(value: Fraction) -> str:
    """A number with a finite number of decimals."""
    places = 0
    while (value * 10**places).denominator > 1:
        places += 1
    digits = str(int(value * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


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
