"""Reads what people type or paste: an expression with its label and the number of its rolls.

Taken off are `/r` and `/roll` (`!r`, `!roll`) in front, and `[[…]]` around it. A label stands in square brackets
after dice, after `#`, or in words at the end. `6#4d6dl1` and `6 4d6dl1` are six rolls.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from domain.dice.dialects import DIALECTS
from domain.dice.notation import (
    DICE_MAX,
    LENGTH_MAX,
    Expression,
    NotationInvalid,
    NotationMeant,
    NotationTooLarge,
    notation_of,
    pools,
)
from domain.dice.odds import distribution
from domain.dice.parser import LONG_WORDS, parse
from domain.rejection import Rejection
from domain.sentences import say

TIMES_MAX = 20
"""The most rolls of one expression in one action."""
LABEL_MAX = 200

COMMAND = re.compile(r"\s*[/!](?:roll|r)(?=[\s\d({\[d])", re.IGNORECASE)
OTHER_COMMAND = re.compile(r"\s*[/!](\w+)")
INLINE = re.compile(r"\s*\[\[(?!\[)([^\[\]]*(?:\[[^\[\]]+\][^\[\]]*)*)\]\]\s*\Z")
REPEATED = re.compile(r"\s*([0-9]{1,9})\s*(?:#|[ \t]+(?=[0-9]+[ \t]*d[0-9%f]))\s*(?=\S)", re.IGNORECASE)
BRACKETED = re.compile(r"\[([^\[\]\x00-\x1f]*)\]")
WORDS = re.compile(r"[ \t]([^\W\d_]{2,})")
MODIFIER_WORDS = frozenset(word for word in LONG_WORDS.split("|") if len(word) > 1)
SIGN_WORDS = {"plus": "+", "minus": "-", "moins": "-", "times": "*", "fois": "*"}
SHEET_VALUE = re.compile(r"[@$?]")
NOT_IN_WORDS = re.compile(r"[\d+*/=<>%(){}@]")


class Reading(Struct, frozen=True):
    """A text as it was understood: the expression, how often it is rolled, and a label."""

    expression: Expression
    times: int = 1
    label: str | None = None

    @property
    def notation(self) -> str:
        """The canonical form."""
        return f"{self.times}#{self.canonical}" if self.times > 1 else self.canonical

    @property
    def canonical(self) -> str:
        """The canonical form of one of the rolls."""
        return notation_of(self.expression)


class ToolReading(Struct, frozen=True):
    """A reading, with the tools that read so by their keys in `DIALECTS`."""

    reading: Reading
    tools: list[str]


def read(text: str, dialect: str = "fieldlog") -> Reading:
    """The meaning of a text in a dialect. Raises `notation_invalid` and `notation_too_large`."""
    if len(text) > LENGTH_MAX:
        parse(text)  # refuses it
    plain, times = _without_repetition(_without_command(text))
    plain, label = _without_label(plain)
    expression = parse(plain, dialect)
    dice = times * sum(pool.count for pool in pools(expression))
    if dice > DICE_MAX:
        raise NotationTooLarge(
            say("That is {dice} dice; up to {most} are rolled at once.", dice=dice, most=DICE_MAX)
        )
    return Reading(expression, times, label)


def without_label(text: str) -> tuple[str, str | None]:
    """A text that can be read, without its label, and this; other texts as they are, and None."""
    try:
        plain, times = _without_repetition(_without_command(text))
        plain, label = _without_label(plain)
    except Rejection:
        return text, None
    if label is None:
        return text, None
    return f"{times}#{plain.strip()}" if times > 1 else plain.strip(), label


def readings(text: str, dialect: str = "fieldlog") -> list[ToolReading]:
    """The different readings of a text: that of a dialect first, then those of other tools that read otherwise.

    Raises `notation_invalid` and `notation_too_large` where the dialect does not read it.
    """
    ways = [ToolReading(read(text, dialect), [dialect])]
    for tool, other in _others(text, dialect):
        same = next((way for way in ways if _means_the_same(way.reading, other)), None)
        if same is None:
            ways.append(ToolReading(other, [tool]))
        else:
            same.tools.append(tool)
    return ways


def _others(text: str, dialect: str) -> Iterator[tuple[str, Reading]]:
    for tool in DIALECTS:
        if tool != dialect:
            try:
                yield tool, read(text, tool)
            except Rejection:
                continue


def _means_the_same(one: Reading, other: Reading) -> bool:
    """Whether two readings are the same roll; where both odds are known, their odds say so."""
    if one.expression == other.expression:
        return True
    odds = distribution(one.expression)
    return odds is not None and odds == distribution(other.expression)


def _without_command(text: str) -> str:
    """The text with blanks in place of what orders a roll elsewhere, so that columns stay."""
    command = COMMAND.match(text)
    if command is not None:
        text = " " * command.end() + text[command.end() :]
    elif (other := OTHER_COMMAND.match(text)) is not None:
        rest = text[other.end() :].strip() or "2d6"
        raise NotationMeant(other.start(1), say("Who reads a roll is chosen beside it."), rest)
    inline = INLINE.match(text)
    if inline is not None:
        text = " " * inline.start(1) + inline[1]
    return text


def _without_repetition(text: str) -> tuple[str, int]:
    repeated = REPEATED.match(text)
    if repeated is None:
        return text, 1
    times = int(repeated[1])
    if times < 1:
        raise NotationInvalid(
            repeated.start(1) + 1,
            say("{expected}, at least {least}", expected=say("how often it is rolled"), least=1),
        )
    if times > TIMES_MAX:
        raise NotationTooLarge(say("One action has up to {most} rolls of the same dice.", most=TIMES_MAX))
    return " " * repeated.end() + text[repeated.end() :], times


def _without_label(text: str) -> tuple[str, str | None]:
    """The text with blanks in place of its labels, and these."""
    text, sharp, comment = text.partition("#")
    if value := SHEET_VALUE.search(BRACKETED.sub(lambda match: " " * len(match[0]), text)):
        raise NotationMeant(value.start() + 1, say("A value of a sheet is written as its number."), "1d20+3")
    labels = [match[1].strip() for match in BRACKETED.finditer(text)]
    text = BRACKETED.sub(lambda match: " " * len(match[0]), text)
    words = _label_in_words(text)
    if words is not None:
        labels.append(text[words:].strip())
        text = text[:words]
    if sharp:
        _require_one_line(comment, len(text) + 1)
        labels.append(comment.strip())
    label = ", ".join(label for label in labels if label)
    return text.rstrip(" \t") if label else text, label[:LABEL_MAX] or None


def _label_in_words(text: str) -> int | None:
    """The place from which a text is words, none of which is part of the notation."""
    for match in WORDS.finditer(text):
        if not text[: match.start()].strip():
            return None
        word = match[1].lower()
        if word in MODIFIER_WORDS:
            continue
        start = match.start(1)
        odd = NOT_IN_WORDS.search(text, start)
        first = text[: match.start()].strip()
        if word in SIGN_WORDS:
            rest = text[match.end() :].strip()
            raise NotationMeant(start + 1, say("A sign is meant."), f"{first}{SIGN_WORDS[word]}{rest}")
        if odd is not None:
            raise NotationMeant(
                start + 1, say("A label with numbers or signs stands in square brackets."), f"{first} [{word}]"
            )
        _require_one_line(text[start:], start)
        return start
    return None


def _require_one_line(text: str, before: int) -> None:
    for place, sign in enumerate(text):
        if not sign.isprintable() and sign not in "\t\u00a0\u202f":
            raise NotationInvalid(before + place + 1, say("a number, a die such as d6, a sign or a bracket"))
