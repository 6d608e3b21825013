"""The meaning of a dice expression, before a die falls."""

from msgspec import Struct

from domain.dice.dialects import DIALECTS
from domain.dice.odds import expect
from domain.dice.roll_input import ToolReading, readings
from projections.campaign_words.notation_words import words_of
from projections.languages import render

TOTALS_MAX = 1000
"""The odds of more totals are not listed."""


class ReadingOfTools(Struct, frozen=True):
    """One way to read an expression: its canonical form, in words, and the tools that read so."""

    notation: str
    words: str
    tools: list[str]


class DiceReading(Struct, frozen=True):
    """The meaning of a dice expression.

    Numbers are those of one roll. The odds are null where there are over 1,000 totals. They are exact where
    `margin` is null; else they are estimated, and 19 of 20 such estimates are at most so far from the truth. The
    readings are the ways in which tools read it, this one first; any is rolled by its `notation` with the dialect
    `fieldlog`.
    """

    notation: str
    """The canonical form."""
    words: str
    minimum: int
    maximum: int
    mean: float
    odds: dict[str, float] | None
    """The probability of every total."""
    margin: float | None
    readings: list[ReadingOfTools]
    label: str | None
    """The words beside the dice."""
    times: int
    """How often it is rolled."""


def read_dice(text: str, dialect: str, language: str) -> DiceReading:
    """The meaning of an expression in a dialect. Raises `notation_invalid` and `notation_too_large`."""
    ways = readings(text, dialect)
    reading = ways[0].reading
    expected = expect(reading.expression)
    chances = expected.chances
    offers = [_reading(way, language) for way in ways]
    return DiceReading(
        notation=reading.notation,
        words=offers[0].words,
        minimum=expected.minimum,
        maximum=expected.maximum,
        mean=expected.mean,
        odds={str(total): chance for total, chance in chances.items()} if len(chances) <= TOTALS_MAX else None,
        margin=expected.margin,
        readings=offers,
        label=reading.label,
        times=reading.times,
    )


def _reading(way: ToolReading, language: str) -> ReadingOfTools:
    tools = [DIALECTS[tool].title for tool in way.tools]
    return ReadingOfTools(way.reading.notation, render(words_of(way.reading), language), tools)
