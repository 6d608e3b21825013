"""Parses dice expressions in the dialects that groups write.

Accepted beside the canonical form: capital letters, spaces, `d20` for `1d20`, `4d6k3` for `kh3`, `4d6d1` for
`dl1`, `d%`, `>4` and `<3`, `x6`, `e6` and `!6`, `cs>=5` and `t5`, `f1`, `rr`, `ra6`, `min2` and `max5`, `adv` and
`dis`, round brackets for a group, and the typographic signs for minus, times, divided by, at least and at most.
`domain.dice.roll_input` takes off what stands around an expression.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from domain.dice.bounds import check_size
from domain.dice.dialects import DIALECTS, Dialect, Limited
from domain.dice.notation import (
    BOUND,
    DICE_MAX,
    LENGTH_MAX,
    NESTING_MAX,
    SIDES_MAX,
    SIDES_MIN,
    TOTAL_MAX,
    Comparison,
    Exact,
    Expression,
    Faces,
    Group,
    Keep,
    KeepWord,
    Minus,
    NotationInvalid,
    NotationMeant,
    NotationTooLarge,
    Operation,
    Order,
    Pool,
    Rounding,
    RoundWord,
    Sign,
    Whole,
    notation_of,
)
from domain.dice.rounded_fractions import settled
from domain.rejection import Rejection
from domain.sentences import Sentence, say

LONG_WORDS = (
    "floor|ceil|round|trunc|advantage|disadvantage|adv|dis|min|max|kh|kl|kf|dh|dl|df|pf|ph|pl|ro|rr|ra|xo|xm"
    "|cs|cf|mi|ma|sa|sd"
)
"""Words of more than one letter, of two that begin alike the longer one first."""

TOKEN = re.compile(
    r"(?P<space>[ \t\u00a0\u202f]+)|(?P<decimal>[0-9]*\.[0-9]+)|(?P<whole>[0-9]+)"
    rf"|(?P<word>{LONG_WORDS}|[dkrxetfp])"
    r"|(?P<sign>[<>]=|==|\*\*|[-+*/()<>=!%{},|&^@#$?\[\]])",
    re.IGNORECASE | re.ASCII,
)
SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00d7": "*", "\u00f7": "/", "\u2265": "\1", "\u2264": "\2"})
KEEPS_MAX = 4
"""The most keep modifiers of one pool."""
PARTS_MAX = 20
"""The most parts of a group."""
DECIMALS_MAX = 6
D20 = 20
COMMON_SIDES = ("4", "6", "8")

COMPARISONS = (">=", "<=", ">", "<", "=", "==")
KEEPS: dict[str, KeepWord] = {
    "kh": "kh",
    "k": "kh",
    "kl": "kl",
    "dh": "dh",
    "dl": "dl",
    "d": "dl",
    "ph": "dh",
    "pl": "dl",
    "p": "pf",
    "kf": "kf",
    "pf": "pf",
}
ADVANTAGE: dict[str, KeepWord] = {"adv": "kh", "advantage": "kh", "dis": "kl", "disadvantage": "kl"}
ROUNDING: dict[str, RoundWord] = {"floor": "floor", "ceil": "ceil", "round": "round", "trunc": "trunc"}
ORDERS: dict[str, Order] = {"sa": "sa", "sd": "sd"}
MODIFIERS = (
    dict.fromkeys(("r", "ro", "rr"), "reroll")
    | dict.fromkeys(("!", "x", "e", "xo", "xm", "ra"), "explode")
    | dict.fromkeys(("mi", "min"), "least")
    | dict.fromkeys(("ma", "max"), "most")
    | dict.fromkeys(KEEPS, "keep")
    | dict.fromkeys((*COMPARISONS, "cs", "t"), "count")
    | dict.fromkeys(("f", "df"), "failure")
    | dict.fromkeys(("cf",), "marked failure")
    | dict.fromkeys(ORDERS, "order")
    | dict.fromkeys(ADVANTAGE, "advantage")
)
NEXT = say("+, -, *, /, a modifier such as kh3, or the end")
COUNT = say("how many dice")
TIMES = say("how often dice explode at most")
SIDES = say("a number of sides up to {most}, % or F", most=SIDES_MAX)
ATOM = say("a number, a die such as d6, or a bracket")
NO_MORE = {
    "reroll": say("no further modifier that rerolls"),
    "explode": say("no further modifier that explodes"),
    "keep": say("no further modifier that keeps or drops dice"),
    "count": say("no further modifier that counts successes"),
    "failure": say("no further modifier that counts failures"),
    "least": say("no further modifier with the least that a die counts"),
    "most": say("no further modifier with the most that a die counts"),
    "order": say("no further modifier that orders dice"),
}


class Token(NamedTuple):
    """A piece of text: its lower case, its column from 1, whether a space precedes it."""

    text: str
    column: int
    spaced: bool

    @property
    def is_whole(self) -> bool:
        """Whether the token is a number."""
        return self.text.isdigit()

    @property
    def is_decimal(self) -> bool:
        """Whether the token is a number with decimals."""
        return "." in self.text


def parse(text: str, dialect: str = "fieldlog") -> Expression:
    """The expression that a text means in a dialect.

    Raises `NotationInvalid`, `NotationMeant` and `NotationTooLarge`.
    """
    if len(text) > LENGTH_MAX:
        raise NotationTooLarge(
            say(
                "Dice notation has up to {most} characters, and this has {length}.",
                most=LENGTH_MAX,
                length=len(text),
            )
        )
    return _parsed(text, dialect)


@lru_cache(maxsize=1024)
def _parsed(text: str, dialect: str) -> Expression:
    """Cached, because the same few expressions are parsed again and again."""
    parser = _Parser(_tokens(text), text, DIALECTS[dialect])
    expression = parser.whole()
    check_size(expression)
    if len(notation_of(expression)) > LENGTH_MAX:
        raise NotationTooLarge(say("Written out, this is longer than {most} characters.", most=LENGTH_MAX))
    return expression


def _tokens(text: str) -> list[Token]:
    """The tokens of a text, in one pass. The last token is empty and stands for the end."""
    plain = text.translate(SIGNS)
    tokens: list[Token] = []
    place, spaced = 0, False
    while place < len(plain):
        match = TOKEN.match(plain, place)
        if match is not None:
            piece, end = match[0].lower(), match.end()
        elif plain[place] in "\1\2" and text[place] not in "\1\2":
            piece, end = {"\1": ">=", "\2": "<="}[plain[place]], place + 1
        else:
            raise NotationInvalid(place + 1, say("a number, a die such as d6, a sign or a bracket"))
        if match is not None and match.lastgroup == "space":
            spaced = True
        else:
            tokens.append(Token(piece, place + 1, spaced))
            spaced = False
        place = end
    return [*tokens, Token("", len(plain) + 1, spaced)]


class _Parser:
    """A recursive descent parser: recursion depth is the nesting of brackets, time linear in the tokens."""

    def __init__(self, tokens: list[Token], text: str, dialect: Dialect) -> None:
        self._tokens = tokens
        self._text = text
        self._dialect = dialect
        self._next = 0
        self._exact = dialect.division is not None
        """Whether `/` keeps fractions here."""
        self._advantage: tuple[Token, KeepWord] | None = None

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _take(self, *texts: str) -> str | None:
        """Consume the next token if it is one of these."""
        text = self._token.text
        if text and text in texts:
            self._next += 1
            return text
        return None

    def whole(self) -> Expression:
        """The expression of all tokens."""
        sign = self._tokens[0].text
        expression = self._compared(0)
        if self._token.text in ADVANTAGE:
            self._advantage = (self._token, ADVANTAGE[self._token.text])
            self._next += 1
        if self._token.text:
            raise self._unexpected(expression)
        if self._dialect.signs_advantage and sign in ("+", "-") and self._tokens[1].text == "d":
            self._advantage = self._advantage or (self._tokens[0], "kh" if sign == "+" else "kl")
            if sign == "-":
                expression = _without_first_minus(expression)
        if self._advantage is not None:
            expression = self._with_advantage(expression, *self._advantage)
        return settled(expression, self._dialect.division or "floor")

    def _compared(self, depth: int) -> Expression:
        """A sum, and in some dialects what its total is compared with."""
        expression = self._sum(depth)
        if self._dialect.compares_totals and self._token.text in COMPARISONS:
            faces = self._open_faces("=")
            return Comparison(settled(expression, self._dialect.division or "floor"), faces)
        return expression

    def _unexpected(self, expression: Expression) -> Rejection:  # noqa: PLR0911 — one for each mistake
        """The refusal of a token after a whole expression."""
        token, before = self._token, self._text[: self._token.column - 1].strip()
        rest = self._text[token.column - 1 :].strip()
        if token.text in COMPARISONS and not isinstance(expression, Pool | Group | Comparison):
            return NotationMeant(token.column, say("A whole total is compared."), f"({before}){rest}")
        if token.text in "({" and isinstance(expression, Whole | Pool | Group):
            return NotationMeant(token.column, say("A sign is missing before the bracket."), f"{before}*{rest}")
        if token.text in ("^", "**"):
            return NotationMeant(token.column, say("This is a power."), "2*2*2")
        if token.text == ",":
            return NotationMeant(
                token.column, say("These are several rolls, or parts to choose from."), "{2d6,1d12}kh1"
            )
        if token.text == "d" or (token.is_whole and token.spaced):
            return NotationInvalid(token.column, NEXT, f"{before}+{rest}")
        if token.text in ("cf", "f", "df"):
            return NotationMeant(token.column, say("Failures take away successes."), "5d10>=8df1")
        return NotationInvalid(token.column, NEXT)

    def _with_advantage(self, expression: Expression, token: Token, word: KeepWord) -> Expression:
        """The expression with two of its first d20, of which one is kept."""
        single = Pool(1, D20)
        with_two = _replaced_first(expression, single, Pool(2, D20, keeps=(Keep(word, 1),)))
        if with_two is None:
            raise NotationMeant(token.column, say("Advantage and disadvantage need a single d20."), f"2d20{word}1")
        return with_two

    def _sum(self, depth: int) -> Expression:
        expression = self._product(depth)
        while sign := self._take("+", "-"):
            expression = Operation("+" if sign == "+" else "-", expression, self._product(depth))
        return expression

    def _product(self, depth: int) -> Expression:
        expression = self._signed(depth)
        while sign := self._take("*", "/", "%"):
            if sign == "*":
                expression = Operation("*", expression, self._signed(depth))
                continue
            kind: Sign = "%" if sign == "%" else ":" if self._exact else "/"
            expression = Operation(kind, expression, self._divisor())
        return expression

    def _divisor(self) -> Expression:
        token = self._token
        if token.is_decimal and self._exact:
            if number := self._decimal():
                return number
            raise NotationInvalid(token.column, say("a number above 0 to divide by"))
        return Whole(self._whole(1, TOTAL_MAX, say("a whole number to divide by")))

    def _signed(self, depth: int) -> Expression:
        negative = False
        while sign := self._take("-", "+"):
            negative ^= sign == "-"
        atom = self._atom(depth)
        return Minus(atom) if negative else atom

    def _atom(self, depth: int) -> Expression:
        token = self._token
        if token.text in ROUNDING:
            return self._rounded(ROUNDING[token.text], depth)
        if token.text == "(":
            return self._round_bracket(depth)
        if token.text == "{":
            self._next += 1
            return self._group(self._parts(depth, "}"), token)
        if token.is_decimal:
            return self._decimal() or Whole(0)
        following = self._tokens[self._next + 1] if token.is_whole else token
        if token.is_whole and following.text not in ("d", "df"):
            return Whole(self._whole(0, TOTAL_MAX, say("a number")))
        if token.is_whole or token.text in ("d", "df"):
            return self._pool()
        raise self._no_atom(token)

    def _no_atom(self, token: Token) -> Rejection:
        if token.text in ("@", "$", "?", "&"):
            return NotationMeant(token.column, say("A value of a sheet is written as its number."), "1d20+3")
        if token.text == "[":
            return NotationMeant(
                token.column, say("Square brackets hold a label, after the dice."), "1d20+5 [fire]"
            )
        return NotationInvalid(token.column, ATOM)

    def _deeper(self, depth: int) -> int:
        if depth == NESTING_MAX:
            raise NotationTooLarge(say("Brackets can be nested {most} deep at most.", most=NESTING_MAX))
        return depth + 1

    def _closing(self, bracket: str) -> None:
        if not self._take(bracket):
            raise NotationInvalid(self._token.column, say("a closing bracket"))

    def _rounded(self, word: RoundWord, depth: int) -> Expression:
        self._next += 1
        if not self._take("("):
            raise NotationInvalid(self._token.column, say("an opening bracket"))
        outside, self._exact = self._exact, True
        inner = self._sum(self._deeper(depth))
        self._exact = outside
        self._closing(")")
        return Rounding(word, inner)

    def _round_bracket(self, depth: int) -> Expression:
        """Plain brackets; a group where parts of it are kept, a comparison where it is compared."""
        token = self._token
        self._next += 1
        parts = self._parts(depth, ")")
        kind = MODIFIERS.get(self._token.text)
        if self._token.text == "d" and self._starts_a_die(self._token):
            kind = None
        if len(parts) > 1 or kind == "keep":
            return self._group(parts, token)
        if kind == "count" and self._token.text in COMPARISONS and not self._dialect.compares_totals:
            faces = self._open_faces("=")
            return Comparison(settled(parts[0], self._dialect.division or "floor"), faces)
        return parts[0]

    def _parts(self, depth: int, bracket: str) -> list[Expression]:
        inner = self._deeper(depth)
        parts = [self._compared(inner)]
        while self._take(","):
            if self._token.text == bracket:
                break
            parts.append(self._compared(inner))
            if len(parts) > PARTS_MAX:
                raise NotationTooLarge(say("A group has up to {most} parts.", most=PARTS_MAX))
        self._closing(bracket)
        return parts

    def _group(self, parts: list[Expression], opening: Token) -> Expression:
        """Parts in brackets with what is kept of them, and counted."""
        keeps, joins = self._keeps()
        successes = None
        if self._token.text in COMPARISONS and not self._dialect.compares_totals:
            successes = self._open_faces("=")
        if not keeps and successes is None:
            if len(parts) == 1:
                return parts[0]
            raise NotationMeant(
                opening.column, say("Of several parts, some are kept or counted."), "{2d6,1d12}kh1"
            )
        if len(parts) == 1 and not _is_sum_of_pools(parts[0]):
            raise NotationMeant(
                opening.column, say("Dice are kept of pools that are joined by +."), "{4d6+2d8}kh3"
            )
        inner = tuple(
            part if len(parts) == 1 else settled(part, self._dialect.division or "floor") for part in parts
        )
        return Group(inner, tuple(keeps), successes, joins)  # type: ignore[arg-type]

    def _keeps(self) -> tuple[list[Keep], str]:
        keeps: list[Keep] = []
        join = ""
        while MODIFIERS.get(self._token.text) == "keep":
            if self._token.text == "d" and self._starts_a_die(self._token):
                break
            if len(keeps) == KEEPS_MAX:
                raise NotationInvalid(self._token.column, NO_MORE["keep"])
            keeps.append(self._keep())
            join = self._join(join)
        return keeps, (join or self._dialect.join) if len(keeps) > 1 else ""

    def _join(self, join: str) -> str:
        """The sign between two keeps, which is the same between all of them."""
        token = self._token
        if token.text in ("|", "&") and MODIFIERS.get(self._tokens[self._next + 1].text) == "keep":
            if join and join != token.text:
                raise NotationInvalid(token.column, say("the same sign between all keeps"))
            self._next += 1
            return token.text
        return join

    def _pool(self) -> Expression:
        count = self._whole(1, DICE_MAX, COUNT) if self._token.is_whole else 1
        if self._take("df"):
            return self._modified(count, 3, fudge=True)
        if self._token.text in ("dis", "dl", "dh"):
            raise NotationInvalid(
                self._token.column + 1, say("a number of sides up to {most}, % or F", most=SIDES_MAX)
            )
        self._next += 1  # the "d"
        if self._take("f"):
            return self._modified(count, 3, fudge=True)
        if self._take("%"):
            if self._dialect.tens and not self._modifier():
                tens = Operation("-", Pool(count, 10), Whole(count))
                return Operation("*", tens, Whole(10))
            return self._modified(count, 100, fudge=False)
        if self._token.text in ("(", "["):
            raise NotationMeant(self._token.column, say("The number of sides is a number."), f"{count}d6")
        sides = self._whole(SIDES_MIN, SIDES_MAX, SIDES)
        return self._modified(count, sides, fudge=False)

    def _modified(self, count: int, sides: int, *, fudge: bool) -> Pool:
        builder = _PoolBuilder(Pool(count, sides, fudge))
        while kind := self._modifier():
            token = self._token
            if kind == "advantage":
                self._next += 1
                self._advantage = (token, ADVANTAGE[token.text])
                continue
            if kind == "marked failure":
                self._marked_failure(builder)
                continue
            if not builder.may_have(kind):
                raise NotationInvalid(token.column, NO_MORE[kind])
            self._modify(builder, kind)
        if builder.fields.get("failures") is not None and builder.fields.get("successes") is None:
            raise NotationMeant(builder.failure_column, say("Failures take away successes."), "5d10>=8df1")
        return builder.pool(self._dialect)

    def _modifier(self) -> str | None:
        """The kind of modifier that comes next; a `d` after a space starts another die."""
        token = self._token
        if token.text == "d" and self._starts_a_die(token):
            return None
        if token.text in COMPARISONS and self._dialect.compares_totals:
            return None
        return MODIFIERS.get(token.text)

    def _starts_a_die(self, token: Token) -> bool:
        """Whether a `d` after a pool is that of a die, as after a space: unless no such die is likely."""
        following = self._tokens[self._next + 1]
        if not token.spaced or following.spaced:
            return False
        return not following.is_whole or following.text in COMMON_SIDES or len(following.text) > 1

    def _modify(self, builder: "_PoolBuilder", kind: str) -> None:
        values, token = builder.values, self._token
        match kind:
            case "reroll":
                self._reroll(builder)
            case "explode":
                self._explosion(builder)
            case "count":
                self._count(builder)
            case "failure":
                self._next += 1
                builder.failure_column = token.column
                builder.fields["failures"] = self._some_faces(values, "=", "count", all_allowed=True)
            case "least" | "most":
                self._next += 1
                negative = self._take("-") is not None
                face = self._whole(0, SIDES_MAX, _face_of(values))
                builder.fields[kind] = self._checked_face(-face if negative else face, values, token.column)
            case "keep":
                builder.keeps.append(self._keep())
                builder.join = self._join(builder.join)
            case _:
                self._next += 1
                builder.fields["order"] = ORDERS[token.text]

    def _reroll(self, builder: "_PoolBuilder") -> None:
        word = self._take("r", "ro", "rr")
        dialect = self._dialect
        once = word == "ro" or (word == "r" and (dialect.rerolls_once or dialect.bare_faces_are_limits))
        bare = "<=" if dialect.bare_faces_are_limits else "="
        if not self._states_faces():
            faces = Faces(builder.values.low, builder.values.low)
        else:
            faces = self._some_faces(builder.values, bare, "reroll", all_allowed=once)
        builder.fields |= {"reroll": faces, "reroll_once": once}

    def _states_faces(self) -> bool:
        return self._token.is_whole or self._token.text in COMPARISONS

    def _explosion(self, builder: "_PoolBuilder") -> None:
        """`!`, `!6`, `!>=5`; a minus after it belongs to the sum."""
        word = self._token.text
        self._next += 1
        values, fields = builder.values, builder.fields
        bare = "="
        if word == "!":
            fields["compound"] = self._take("!") is not None
            fields["penetrating"] = self._take("p") is not None
        elif word == "xo":
            fields["explode_once"] = True
        elif word == "ra":
            fields["explosions_max"] = 1
        elif word == "xm":
            fields["explosions_max"] = self._whole(1, DICE_MAX, TIMES)
        elif word == "e" and self._dialect.bare_faces_are_limits:
            bare, fields["explode_once"] = ">=", True
        elif (
            self._dialect.numbers_explosions
            and self._token.is_whole
            and self._tokens[self._next + 1].text in COMPARISONS
        ):
            fields["explosions_max"] = self._whole(1, DICE_MAX, TIMES)
        all_allowed = bool(fields.get("explode_once") or fields.get("explosions_max"))
        if self._states_faces():
            fields["explode"] = self._some_faces(values, bare, "explode", all_allowed=all_allowed)
        else:
            fields["explode"] = Faces(values.high, values.high)

    def _count(self, builder: "_PoolBuilder") -> None:
        word = self._take("cs", "t")
        sign = ">=" if word == "t" else "="
        values = builder.values
        if word == "cs" and not self._states_faces():
            faces = Faces(values.high, values.high)
        elif builder.fields.get("compound"):
            faces = self._open_faces(sign)
        else:
            faces = self._some_faces(values, sign, "count", all_allowed=True)
        if not (word == "cs" and self._dialect.words_only_mark):
            builder.fields["successes"] = faces

    def _marked_failure(self, builder: "_PoolBuilder") -> None:
        """`cf`: marks dice, counts them, or may be either."""
        token = self._token
        if not (self._dialect.words_only_mark or self._dialect.words_count_failures):
            raise NotationMeant(token.column, say("Elsewhere this marks failures, or counts them."), "5d10>=8df1")
        self._next += 1
        values = builder.values
        faces = Faces(values.low, values.low)
        if self._states_faces():
            faces = self._some_faces(values, "=", "count", all_allowed=True)
        if self._dialect.words_count_failures:
            if not builder.may_have("count"):
                raise NotationInvalid(token.column, NO_MORE["count"])
            builder.fields["successes"] = faces

    def _keep(self) -> Keep:
        """`kh3`, or `k3` and `d1` for short; `kf=3` for dice with these faces."""
        token = self._token
        word = KEEPS[token.text]
        self._next += 1
        if token.text == "k" and self._dialect.keeps_faces and self._states_faces():
            word = "kf"
        if word in ("kf", "pf"):
            return Keep(word, 0, self._open_faces("="))
        count = self._whole(1, DICE_MAX, COUNT) if self._token.is_whole else 1
        return Keep(word, count)

    def _some_faces(self, values: Faces, sign: str, kind: Limited, *, all_allowed: bool) -> Faces:
        """`>=5`, `<3`, `=1`, or a bare face that means `sign` face."""
        sign = self._comparison(kind) or sign
        column = self._token.column
        negative = self._take("-") is not None
        face = self._whole(0, SIDES_MAX, _face_of(values))
        face = -face if negative else face
        low, high = {
            ">=": (face, values.high),
            ">": (face + 1, values.high),
            "<=": (values.low, face),
            "<": (values.low, face - 1),
            "=": (face, face),
        }[sign]
        if not values.low <= low <= high <= values.high:
            raise NotationInvalid(column, _face_of(values))
        if Faces(low, high) == values and not all_allowed:
            raise NotationInvalid(column, say("faces that leave one out, or it would never end"))
        return Faces(low, high)

    def _comparison(self, kind: Limited) -> str | None:
        sign = self._take(*COMPARISONS)
        if kind in self._dialect.includes and sign in ("<", ">"):
            return f"{sign}="
        return "=" if sign == "==" else sign

    def _open_faces(self, sign: str) -> Faces:
        """The same of a total, or of anything that may be higher than a face."""
        sign = self._comparison("count") or sign
        negative = self._take("-") is not None
        number = self._whole(0, TOTAL_MAX, say("a number"))
        number = -number if negative else number
        return {
            ">=": Faces(number, BOUND),
            ">": Faces(number + 1, BOUND),
            "<=": Faces(-BOUND, number),
            "<": Faces(-BOUND, number - 1),
        }.get(sign, Faces(number, number))

    @staticmethod
    def _checked_face(face: int, values: Faces, column: int) -> int:
        if face not in values:
            raise NotationInvalid(column, _face_of(values))
        return face

    def _decimal(self) -> Expression | None:
        """A number with decimals; None for zero."""
        token = self._token
        number = Fraction(f"0{token.text}")
        if len(token.text.partition(".")[2]) > DECIMALS_MAX or number > TOTAL_MAX:
            raise NotationTooLarge(
                say(
                    "At column {column}, a number has more than {most} decimals, or is too large.",
                    column=token.column,
                    most=DECIMALS_MAX,
                )
            )
        self._next += 1
        if number.denominator == 1:
            return Whole(int(number)) if number else None
        return Exact(number)

    def _whole(self, least: int, most: int, expected: Sentence) -> int:
        token = self._token
        if not token.is_whole:
            raise NotationInvalid(token.column, expected)
        number = int(token.text)
        if number < least:
            raise NotationInvalid(
                token.column, say("{expected}, at least {least}", expected=expected, least=least)
            )
        if number > most:
            raise NotationTooLarge(
                say(
                    "At column {column}, {number} is more than {most}.",
                    column=token.column,
                    number=number,
                    most=most,
                )
            )
        self._next += 1
        return number


class _PoolBuilder:
    """The modifiers of a pool, as far as they are read."""

    def __init__(self, plain: Pool) -> None:
        self._plain = plain
        self.values = plain.values
        self.fields: dict[str, object] = {}
        self.keeps: list[Keep] = []
        self.join = ""
        self.failure_column = 1

    def may_have(self, kind: str) -> bool:
        """Whether a modifier of this kind may follow."""
        field = {"count": "successes", "failure": "failures"}.get(kind, kind)
        return len(self.keeps) < KEEPS_MAX if kind == "keep" else field not in self.fields

    def pool(self, dialect: Dialect) -> Pool:
        """The pool with all of them."""
        plain = self._plain
        join = (self.join or dialect.join) if len(self.keeps) > 1 else ""
        return Pool(plain.count, plain.sides, plain.fudge, keeps=tuple(self.keeps), join=join, **self.fields)  # type: ignore[arg-type]


def _face_of(values: Faces) -> Sentence:
    return say("a face from {low} to {high}", low=values.low, high=values.high)


def _is_sum_of_pools(expression: Expression) -> bool:
    match expression:
        case Pool():
            return not expression.keeps and expression.successes is None and not expression.compound
        case Operation(sign="+"):
            return _is_sum_of_pools(expression.left) and _is_sum_of_pools(expression.right)
        case _:
            return False


def _without_first_minus(expression: Expression) -> Expression:
    """The expression with its first sign taken off."""
    match expression:
        case Minus():
            return expression.of
        case Operation():
            return Operation(expression.sign, _without_first_minus(expression.left), expression.right)
        case _:
            return expression


def _replaced_first(expression: Expression, old: Pool, new: Pool) -> Expression | None:
    """The expression with another pool in place of the first one like `old`; None if there is none."""
    match expression:
        case Pool():
            return new if expression == old else None
        case Operation():
            left = _replaced_first(expression.left, old, new)
            if left is not None:
                return Operation(expression.sign, left, expression.right)
            right = _replaced_first(expression.right, old, new)
            return None if right is None else Operation(expression.sign, expression.left, right)
        case Minus() | Rounding():
            inner = _replaced_first(expression.of, old, new)
            if inner is None:
                return None
            return Minus(inner) if isinstance(expression, Minus) else Rounding(expression.word, inner)
        case _:
            return None
