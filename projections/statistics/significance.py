"""Whether dice deviate from their odds: with the number of rolls, and only if there are enough."""

from collections.abc import Callable
from math import erfc, sqrt

from msgspec import Struct

from domain.sentences import Sentence, number, say

InWords = Callable[[Sentence], str]
"""Renders a sentence in a language."""

HIGHER, LOWER = say("higher"), say("lower")
BETTER, WORSE = say("better"), say("worse")
MORE_OFTEN, MORE_RARELY = say("more often"), say("more rarely")
LESS_EVEN, MORE_EVEN = say("less even"), say("more even")

ROLLS_MIN = 30
"""With fewer rolls luck and chance cannot be told apart, and no verdict is given."""

ROLLS_PER_FACE_MIN = 5
"""How often every face must be expected before its share is judged: the usual rule for chi-square."""

USUAL = 1.0
"""Two of three fair series stay within one standard deviation; that is not worth mentioning."""


class Verdict(Struct, frozen=True):
    """How far something deviates: `z` in standard deviations, null while there are too few rolls."""

    rolls: int
    z: float | None
    words: str


def verdict(
    rolls: int, deviation: float, variance: float, more: Sentence, less: Sentence, in_words: InWords
) -> Verdict:
    """The verdict on a sum that deviates by `deviation` where fair dice have this `variance`.

    `more` and `less` are its sentences: `HIGHER`, `LOWER`.
    """
    if rolls < ROLLS_MIN:
        return Verdict(rolls, None, in_words(_too_few(rolls, ROLLS_MIN)))
    if variance <= 0:
        return Verdict(rolls, None, in_words(say("nothing was left to chance")))
    z = deviation / sqrt(variance)
    return Verdict(rolls, round(z, 3), in_words(_words(z, rolls, more if z > 0 else less)))


def evenness(faces: dict[int, int], sides: int, in_words: InWords) -> Verdict:
    """Whether all faces come up about equally often: chi-square, as a z-score by Wilson and Hilferty.

    Above 0 the faces are less even than those of fair dice, below 0 more even.
    """
    rolls = sum(faces.values())
    least_rolls = max(ROLLS_MIN, ROLLS_PER_FACE_MIN * sides)
    if rolls < least_rolls:
        return Verdict(rolls, None, in_words(_too_few(rolls, least_rolls)))
    expected = rolls / sides
    seen_squares = sum((count - expected) ** 2 for count in faces.values())
    unseen = (sides - len(faces)) * expected**2
    freedom = sides - 1
    per_freedom = (seen_squares + unseen) / expected / freedom
    spread = 2 / (9 * freedom)
    z = (per_freedom ** (1 / 3) - (1 - spread)) / sqrt(spread)
    return Verdict(rolls, round(z, 3), in_words(_words(z, rolls, LESS_EVEN if z > 0 else MORE_EVEN)))


def _too_few(rolls: int, least_rolls: int) -> Sentence:
    return say("too few rolls to say ({rolls} of at least {wanted})", rolls=rolls, wanted=least_rolls)


def _words(z: float, rolls: int, direction: Sentence) -> Sentence:
    if abs(z) < USUAL:
        return say("as fair dice fall ({rolls} rolls)", rolls=rolls)
    odds = erfc(abs(z) / sqrt(2))
    one_in = number(round(1 / odds)) if odds > 1e-6 else say("a million or more")  # noqa: PLR2004 — its own name
    return say(
        "{direction} than most: of fair dice, 1 in {one_in} strays as far in {rolls} rolls",
        direction=direction,
        one_in=one_in,
        rolls=rolls,
    )
