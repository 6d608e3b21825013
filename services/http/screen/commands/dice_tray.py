"""The dice tray: dice outside the rules, built by shape, with what they come to before they are thrown."""

import re
from math import ceil
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec import Struct

from domain.campaign.play.saved_rolls import SavedRoll
from domain.dice.dialects import DIALECTS
from domain.dice.notation import LENGTH_MAX
from domain.dice.odds import expect
from domain.dice.roll_input import readings
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, number, say
from projections.campaign_words.notation_words import words_of
from projections.drawings.total_odds import totals as drawn
from projections.languages import render
from services.reading.recent_own_rolls import OwnRoll

SHAPES: Final = (4, 6, 8, 10, 12, 20)
"""The sides of the dice that a tray has."""
NOTATION: Final = "c.notation"
LABEL: Final = "c.label"
DIALECT: Final = "c.dialect"
CANONICAL: Final = "fieldlog"
"""The dialect of canonical forms."""
SHOWN_MAX: Final = 40
"""So many dice are drawn; of more, the number is told."""
CHANCES: Final = say("The chance of every total")
LEAST_TOLD: Final = 0.005
"""Rarer outcomes are not told exactly."""
TOTALS_MAX: Final = 60
"""The chances of more totals are not listed."""


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


def _range(least: int, most: int, mean: float) -> Sentence:
    return say(
        "{least} to {most}, on average {mean}", least=number(least), most=number(most), mean=_in_words(mean)
    )


class Chance(Struct, frozen=True):
    """An outcome and its exact probability, which lies between 0 and 1."""

    outcome: Part
    likely: float

    @property
    def told(self) -> Part:
        """The probability in per cent."""
        if self.likely < LEAST_TOLD:
            return say("under 1%")
        if 1 - LEAST_TOLD < self.likely < 1:
            return say("over 99%")
        return say("{n}%", n=number(round(100 * self.likely)))


class OfferedReading(Struct, frozen=True):
    """A way to read an expression."""

    notation: str
    words: Part
    tools: str
    """The tools that read so."""
    own: bool
    """Whether it is the one that would be rolled."""


class Understood(Struct, frozen=True):
    """The meaning of an expression, before it is rolled."""

    words: Part = ""
    notation: str = ""
    label: str = ""
    comes_to: Part = ""
    estimated: Part = ""
    """How exact the results are, where they are not quite."""
    offers: list[OfferedReading] = []
    """The ways to read it where tools disagree, else none."""
    totals: list[Chance] = []
    """The chance of every total, where they are not too many to list."""
    drawing: Markup = Markup()
    """The same as a drawing."""
    mark: str = ""
    """Where it cannot be read: the text, with a mark under the column of the mistake."""


def understood(notation: str, dialect: str, language: str) -> Understood:
    """The meaning of an expression in a dialect, drawn in a language."""
    try:
        ways = readings(notation, dialect)
    except Rejection as refusal:
        column = refusal.details.get("column")
        return Understood(mark="" if column is None else f"{notation}\n{' ' * (column - 1)}^")
    reading = ways[0].reading
    results = expect(reading.expression)
    offers = [
        OfferedReading(
            way.reading.notation,
            words_of(way.reading),
            ", ".join(DIALECTS[tool].title for tool in way.tools),
            own=way is ways[0],
        )
        for way in ways
    ]
    totals = [Chance(number(total), likely) for total, likely in results.chances.items()]
    comes_to = _range(results.minimum, results.maximum, results.mean)
    drawing = drawn(render(CHANCES, language), render(comes_to, language), results.chances, results.mean)
    return Understood(
        words=words_of(reading),
        notation=reading.notation,
        label=reading.label or "",
        comes_to=comes_to,
        estimated=""
        if results.margin is None
        else say("estimated, to within {n} in 100", n=ceil(100 * results.margin)),
        offers=offers if len(offers) > 1 else [],
        totals=totals if 1 < len(totals) <= TOTALS_MAX else [],
        drawing=Markup(drawing),  # noqa: S704 — escaped where it is drawn
    )


class DiceAtHand(Struct, frozen=True):
    """Dice that are a tap away: the entries that put them into the form."""

    notation: str
    name: str
    """Empty where the notation says all."""

    @property
    def entries(self) -> str:
        """The entries of the form that are replaced."""
        return urlencode([(NOTATION, self.notation), (LABEL, self.name), (DIALECT, CANONICAL)])


class OwnDice(Struct, frozen=True):
    """The reader's own dice: those that are kept by name, and the last ones that were thrown this evening."""

    saved: list[DiceAtHand]
    lately: list[DiceAtHand]


def own_dice(saved: list[SavedRoll], lately: list[OwnRoll]) -> OwnDice:
    """The reader's own dice, as the tray offers them."""
    return OwnDice(
        [DiceAtHand(roll.notation, "" if roll.name == roll.notation else roll.name) for roll in saved],
        [DiceAtHand(roll.notation, roll.label or "") for roll in lately],
    )


def _in_words(mean: float) -> Part:
    """A mean with one decimal, where it has one."""
    tenths = round(mean * 10)
    return (
        number(tenths // 10) if tenths % 10 == 0 else say("{whole}.{tenth}", whole=tenths // 10, tenth=tenths % 10)
    )
