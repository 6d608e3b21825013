"""Exact odds are those of trying everything."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings

from domain.dice import Die
from domain.dice.bounds import bounds
from domain.dice.odds import distribution, expect, mean_and_variance
from domain.dice.parser import parse
from domain.dice.rolls import roll
from tests.domain.dice.expressions import expressions


class Path:
    """Dice that follow one path of faces and remember how likely it is."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = faces
        self.sides: list[int] = []

    def roll(self, sides: int) -> Die:
        face = self.faces[len(self.sides)] if len(self.sides) < len(self.faces) else 1
        self.sides.append(sides)
        return Die(sides=sides, natural=face, origin="server")

    def finish(self) -> None:
        """Paths end where the roll does."""


def enumerated(text: str) -> dict[int, Fraction]:
    """Try every way in which the dice can fall."""
    found: Counter[int] = Counter()
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        faces = waiting.pop()
        path = Path(faces)
        fallen = roll(parse(text), path)
        if len(path.sides) <= len(faces):
            chance = Fraction(1)
            for sides in path.sides:
                chance /= sides
            found[fallen.total] += chance  # type: ignore[assignment]
        else:
            waiting += [(*faces, face) for face in range(1, path.sides[len(faces)] + 1)]
    return {total: Fraction(chance) for total, chance in sorted(found.items())}


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "2d6",
        "4d6kh3",
        "4d6kh3+2",
        "3d6dh1",
        "5d4dh1dl1",
        "2d20kl1",
        "3d6kh9",
        "4dF",
        "5d6>=5",
        "4d6kh2>=4",
        "2d4*1d6",
        "2d6/3-1d4",
        "-(1d6-3)*2",
        "2d6ro1",
        "2d6ro<=2kh1",
        "3d6ro1>=4",
        "4d6mi2ma5",
        "4d6kh1|kl1",
        "4d6kh3&dh1",
        "4d6kf>=3",
        "4d6>=5df1",
        "3d6xo6",
        "3d6xm1=6",
        "3d4xm2>=3",
        "{2d6,1d8}kh1",
        "{1d6,1d8,1d4}dl1",
        "{1d6,1d8,2d4}>=5",
        "{2d6+2d4}kh2",
        "(2d6)>=8",
        "floor(1d6/2+1d6/2)",
        "round(1d6*1.5)",
        "(1d6-4)%3",
    ],
)
def test_odds_are_those_of_trying_everything(text):
    assert distribution(parse(text)) == enumerated(text)


@pytest.mark.parametrize(
    "text",
    [
        "1d3!",
        "1d3!2",
        "1d3ro1!",
        "1d3!cs>=2",
        "1dF!",
        "1d4!>=3",
        "1d3!p",
        "2d3!!kh1",
        "1d3!!cs>=4",
        "1d3!!p",
    ],
)
def test_long_chains_are_enumerated_too(text, monkeypatch):
    for place in ("notation", "odds", "rolls", "bounds"):
        monkeypatch.setattr(f"domain.dice.{place}.extra_dice_max", lambda _: 4)
    assert distribution.__wrapped__(parse(text)) == enumerated(text)


@pytest.mark.parametrize(
    ("text", "smaller"),
    [("1d6r1", "1d5+1"), ("4d6r1kh3", "4d5kh3+3"), ("3d8r<=2>=5", "3d6>=3"), ("2d6r6", "2d5")],
)
def test_dice_that_are_rerolled_until_none_is_left_are_smaller_dice(text, smaller):
    assert distribution(parse(text)) == distribution(parse(smaller))


def test_least_that_is_told_is_what_dice_may_come_to():
    assert [expect(parse(text)).minimum for text in ("1d6r1", "1d6ro1", "1d6r1!")] == [2, 1, 2]


def test_chance_of_the_cap_does_not_get_lost():
    odds = distribution(parse("1d6!"))
    assert odds is not None
    assert sum(odds.values()) == 1
    assert max(odds) == 6 * 21
    mean, _ = mean_and_variance(odds)
    assert mean == pytest.approx(4.2)


def test_two_dice_stray_as_the_textbook_says():
    odds = distribution(parse("2d6"))
    assert odds is not None
    mean, variance = mean_and_variance(odds)
    assert mean == 7
    assert variance == pytest.approx(35 / 6)


@pytest.mark.parametrize("text", ["100d1000", "3d6!kh2", "60d20kh30"])
def test_what_would_cost_too_much_is_not_computed(text):
    assert distribution(parse(text)) is None


@settings(max_examples=60)
@given(expressions())
def test_odds_add_up_to_one_and_stay_within_bounds(expression):
    odds = distribution(expression)
    if odds is not None:
        assert sum(odds.values()) == 1
        reach = bounds(expression)
        assert reach.low <= min(odds)
        assert max(odds) <= reach.high


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("3d6!kh1", 1, 6),
        ("4d6!kl2+1", 3, 13),
        ("3d6xo6kh2", 2, 12),
        ("4d6kh3", 3, 18),
        ("2d6kh3", 2, 12),
        ("5d6!dl4", 1, None),
    ],
)
def test_no_total_is_told_that_cannot_be_where_dice_that_explode_are_kept(text, least, most):
    expected = expect(parse(text))
    assert expected.minimum == least
    assert most is None or expected.maximum == most
