"""The dice tray: dice outside the rules, built by shape, with what they come to before they are thrown."""

import re
from typing import Final

from domain.dice.notation import LENGTH_MAX
from domain.dice.odds import distribution, mean_and_variance
from domain.dice.parser import parse
from domain.rejection import Rejection
from domain.sentences import Part, number, say

SHAPES: Final = (4, 6, 8, 10, 12, 20)
"""The sides of the dice that a tray has."""
NOTATION: Final = "c.notation"
SHOWN_MAX: Final = 40
"""So many dice are drawn; of more, the number is told."""


def with_die(notation: str, sides: str) -> str:
    """An expression with one die more; the same if there is no such die."""
    if sides not in map(str, SHAPES):
        return notation
    alike = re.compile(rf"(?<![\w)])(\d{{0,3}})d{sides}(?=\s*(?:[+-]|$))", re.ASCII)
    text = notation.strip()
    match = alike.search(text)
    if match is not None:
        count = int(match[1] or 1) + 1
        return f"{text[: match.start()]}{count}d{sides}{text[match.end() :]}"
    return f"{text}+1d{sides}"[:LENGTH_MAX] if text else f"1d{sides}"


def expected(notation: str) -> Part:
    """The results of an expression; empty where it cannot be read, or is too much to compute."""
    try:
        odds = distribution(parse(notation))
    except Rejection:
        return ""
    if not odds:
        return ""
    mean, _ = mean_and_variance(odds)
    return say(
        "{least} to {most}, on average {mean}",
        least=number(min(odds)),
        most=number(max(odds)),
        mean=_in_words(mean),
    )


def _in_words(mean: float) -> Part:
    """A mean with one decimal, where it has one."""
    tenths = round(mean * 10)
    return (
        number(tenths // 10) if tenths % 10 == 0 else say("{whole}.{tenth}", whole=tenths // 10, tenth=tenths % 10)
    )
