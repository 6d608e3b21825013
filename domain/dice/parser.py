"""Parses dice expressions in the dialects that groups write.

Accepted beside the canonical form: capital letters, spaces, `d20` for `1d20`, `4d6k3` for `kh3`, `4d6d1` for
`dl1`, `d%`, `>4` and `<3`, `x6`, `e6` and `!6`, `cs>=5` and `t5`, and the typographic signs for minus, times,
divided by, at least and at most.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from domain.dice.bounds import check_size
from domain.dice.notation import (
    DICE_MAX,
    LENGTH_MAX,
    NESTING_MAX,
    SIDES_MAX,
    SIDES_MIN,
    TOTAL_MAX,
    Expression,
    Faces,
    Keep,
    KeepWord,
    Minus,
    NotationInvalid,
    NotationTooLarge,
    Operation,
    Pool,
    Whole,
    notation_of,
)
from domain.sentences import Sentence, say

TOKEN = re.compile(
    r"(?P<space>[ \t\u00a0\u202f]+)|(?P<whole>[0-9]+)"
    r"|(?P<word>kh|kl|dh|dl|ro|cs|[dkrxetf])|(?P<sign>[<>]=|[-+*/()<>=!%])",
    re.IGNORECASE | re.ASCII,
)
SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00d7": "*", "\u00f7": "/", "\u2265": "\1", "\u2264": "\2"})
KEEPS_MAX = 4
"""The most keep modifiers of one pool."""

COMPARISONS = (">=", "<=", ">", "<", "=")
KEEPS: dict[str, KeepWord] = {"kh": "kh", "k": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "d": "dl"}
MODIFIERS = (
    dict.fromkeys(("r", "ro"), "reroll")
    | dict.fromkeys(("!", "x", "e"), "explode")
    | dict.fromkeys(KEEPS, "keep")
    | dict.fromkeys((*COMPARISONS, "cs", "t"), "count")
)
NEXT = say("+, -, *, /, a modifier such as kh3, or the end")
COUNT = say("how many dice")
NO_MORE = {
    "reroll": say("no further modifier that rerolls"),
    "explode": say("no further modifier that explodes"),
    "keep": say("no further modifier that keeps or drops dice"),
    "count": say("no further modifier that counts successes"),
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


def parse(text: str) -> Expression:
    """The expression that a text means. Raises `NotationInvalid` and `NotationTooLarge`."""
    if len(text) > LENGTH_MAX:
        raise NotationTooLarge(
            say(
                "Dice notation has up to {most} characters, and this has {length}.",
                most=LENGTH_MAX,
                length=len(text),
            )
        )
    return _parsed(text)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Expression:
    """Cached, because the same few expressions are parsed again and again."""
    parser = _Parser(_tokens(text))
    expression = parser.sum(0)
    parser.end()
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

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._next = 0

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

    def end(self) -> None:
        """Raise unless all tokens are consumed."""
        if self._token.text:
            raise NotationInvalid(self._token.column, NEXT)

    def sum(self, depth: int) -> Expression:
        expression = self._product(depth)
        while sign := self._take("+", "-"):
            expression = Operation("+" if sign == "+" else "-", expression, self._product(depth))
        return expression

    def _product(self, depth: int) -> Expression:
        expression = self._signed(depth)
        while sign := self._take("*", "/"):
            if sign == "*":
                expression = Operation("*", expression, self._signed(depth))
            else:
                expression = Operation(
                    "/", expression, Whole(self._whole(1, TOTAL_MAX, say("a whole number to divide by")))
                )
        return expression

    def _signed(self, depth: int) -> Expression:
        negative = False
        while sign := self._take("-", "+"):
            negative ^= sign == "-"
        atom = self._atom(depth)
        return Minus(atom) if negative else atom

    def _atom(self, depth: int) -> Expression:
        token = self._token
        if token.text == "(":
            if depth == NESTING_MAX:
                raise NotationTooLarge(say("Brackets can be nested {most} deep at most.", most=NESTING_MAX))
            self._next += 1
            inner = self.sum(depth + 1)
            if not self._take(")"):
                raise NotationInvalid(self._token.column, say("a closing bracket"))
            return inner
        if token.is_whole and self._tokens[self._next + 1].text != "d":
            return Whole(self._whole(0, TOTAL_MAX, say("a number")))
        if token.is_whole or token.text == "d":
            return self._pool()
        raise NotationInvalid(token.column, say("a number, a die such as d6, or a bracket"))

    def _pool(self) -> Pool:
        count = self._whole(1, DICE_MAX, COUNT) if self._token.is_whole else 1
        self._next += 1  # the "d"
        if self._take("f"):
            return self._modified(count, 3, fudge=True)
        if self._take("%"):
            return self._modified(count, 100, fudge=False)
        sides = self._whole(SIDES_MIN, SIDES_MAX, say("a number of sides up to {most}, % or F", most=SIDES_MAX))
        return self._modified(count, sides, fudge=False)

    def _modified(self, count: int, sides: int, *, fudge: bool) -> Pool:
        values = Pool(count, sides, fudge=fudge).values
        reroll = explode = successes = None
        once = False
        keeps: list[Keep] = []
        while kind := self._modifier():
            token = self._token
            if kind == "reroll" and reroll is None:
                once = self._take("r", "ro") == "ro"
                reroll = self._some_faces(values, "=", all_allowed=once)
            elif kind == "explode" and explode is None:
                explode = self._explosion(values)
            elif kind == "count" and successes is None:
                sign = ">=" if self._take("cs", "t") == "t" else "="
                successes = self._some_faces(values, sign, all_allowed=True)
            elif kind == "keep" and len(keeps) < KEEPS_MAX:
                keeps.append(self._keep())
            else:
                raise NotationInvalid(token.column, NO_MORE[kind])
        return Pool(count, sides, fudge, reroll, once, explode, tuple(keeps), successes)

    def _modifier(self) -> str | None:
        """The kind of modifier that comes next; a `d` after a space starts another die."""
        token = self._token
        if token.text == "d" and token.spaced:
            return None
        return MODIFIERS.get(token.text)

    def _explosion(self, values: Faces) -> Faces:
        """`!`, `!6`, `!>=5`; a minus after it belongs to the sum."""
        self._next += 1
        if self._token.is_whole or self._token.text in COMPARISONS:
            return self._some_faces(values, "=", all_allowed=False)
        return Faces(values.high, values.high)

    def _keep(self) -> Keep:
        """`kh3`, or `k3` and `d1` for short."""
        word = KEEPS[self._token.text]
        self._next += 1
        count = self._whole(1, DICE_MAX, COUNT) if self._token.is_whole else 1
        return Keep(word, count)

    def _some_faces(self, values: Faces, sign: str, *, all_allowed: bool) -> Faces:
        """`>=5`, `<3`, `=1`, or a bare face that means `sign` face."""
        sign = self._take(*COMPARISONS) or sign
        column = self._token.column
        negative = self._take("-") is not None
        expected_face = say("a face from {low} to {high}", low=values.low, high=values.high)
        face = self._whole(0, SIDES_MAX, expected_face)
        face = -face if negative else face
        low, high = {
            ">=": (face, values.high),
            ">": (face + 1, values.high),
            "<=": (values.low, face),
            "<": (values.low, face - 1),
            "=": (face, face),
        }[sign]
        if not values.low <= low <= high <= values.high:
            raise NotationInvalid(column, expected_face)
        if Faces(low, high) == values and not all_allowed:
            raise NotationInvalid(column, say("faces that leave one out, or it would never end"))
        return Faces(low, high)

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
