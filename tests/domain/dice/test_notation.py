"""One grammar for dice, many dialects, one canonical form, and a bound on everything."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.dice.bounds import bounds
from domain.dice.notation import DICE_MAX, LENGTH_MAX, NESTING_MAX, Expression, notation_of
from domain.dice.parser import parse
from domain.dice.rolls import roll
from domain.rejection import Rejection
from tests.domain.dice.expressions import NEARLY, TREES, expressions
from tests.scripted_dice import ScriptedDice

FACES = st.lists(st.integers(1, 1000), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("4d6kh3+2", "4d6kh3+2"),
        ("d20", "1d20"),
        ("2D6", "2d6"),
        (" 4 d6 k3 - 1 ", "4d6kh3-1"),
        ("4d6k", "4d6kh1"),
        ("4d6d1", "4d6dl1"),
        ("2d20kl", "2d20kl1"),
        ("d%", "1d100"),
        ("4df", "4dF"),
        ("3d6!6", "3d6!"),
        ("3d6e6", "3d6!"),
        ("3d6x5", "3d6!5"),
        ("3d6!>4", "3d6!>=5"),
        ("5d10t8", "5d10>=8"),
        ("5d10cs>=8", "5d10>=8"),
        ("5d10>7", "5d10>=8"),
        ("5d10!cs>=8", "5d10!cs>=8"),
        ("5d6<=2", "5d6<=2"),
        ("5d6=3", "5d6=3"),
        ("5d6=6", "5d6>=6"),
        ("2d6r<2", "2d6r1"),
        ("2d6ro<3!", "2d6ro<=2!"),
        ("4d6kh3!r1", "4d6r1!kh3"),
        ("4dF!-1", "4dF!-1"),
        ("4dF!=-1", "4dF!=-1"),
        ("4d6 \u2212 1", "4d6-1"),
        ("2d6\u00d73", "2d6*3"),
        ("5d6\u22655", "5d6>=5"),
        ("((2d6))+(3)", "2d6+3"),
        ("1-(2-3)", "1-(2-3)"),
        ("(1+2)*3", "(1+2)*3"),
        ("2*3+4", "2*3+4"),
        ("7/2", "7/2"),
        ("+-+-5", "5"),
        ("-(1+2)", "-(1+2)"),
        ("007", "7"),
    ],
)
def test_a_dialect_is_read_and_written_canonically(typed, canonical):
    assert notation_of(parse(typed)) == canonical
    assert parse(canonical) == parse(typed)


@pytest.mark.parametrize(
    ("typed", "column", "expected"),
    [
        ("", 1, "a number, a die"),
        ("4d6+", 5, "a number, a die"),
        ("d", 2, "a number of sides"),
        ("d1", 2, "at least 2"),
        ("0d6", 1, "at least 1"),
        ("2d6 d6", 5, "or the end"),
        ("(1+2", 5, "closing bracket"),
        ("1)", 2, "or the end"),
        ("4d6>=7", 6, "a face from 1 to 6"),
        ("4dF=2", 5, "a face from -1 to 1"),
        ("d6!>=1", 6, "would never end"),
        ("d6r<=6", 6, "would never end"),
        ("d6!!!", 5, "no further"),
        ("1/0", 3, "divide by"),
        ("1/(1d6)", 3, "divide by"),
        ("__import__('os')", 1, "a number, a die"),
        ("4d6\n", 4, "a sign"),
        ("\u0663d6", 1, "a number"),
        ("4d6\u212a3", 4, "a sign"),
    ],
)
def test_a_mistake_is_named_by_its_column(typed, column, expected):
    with pytest.raises(Rejection) as refused:
        parse(typed)
    assert refused.value.code == "notation_invalid"
    assert refused.value.details["column"] == column
    assert expected in str(refused.value)


@pytest.mark.parametrize(
    "typed",
    [
        "201d6",
        "150d6+51d8",
        "101d6!",
        "101d6r1",
        "1d1001",
        "1000000001",
        "99999*99999",
        "9" * (LENGTH_MAX + 1),
        "9" * LENGTH_MAX,
        "(" * (NESTING_MAX + 1) + "1" + ")" * (NESTING_MAX + 1),
        "d6+" * 60 + "d6",
    ],
)
def test_what_costs_too_much_is_refused_before_a_die_falls(typed):
    with pytest.raises(Rejection) as refused:
        parse(typed)
    assert refused.value.code == "notation_too_large"


def test_brackets_may_be_as_deep_as_they_may():
    assert notation_of(parse("(" * NESTING_MAX + "d6" + ")" * NESTING_MAX)) == "1d6"


def test_a_hostile_text_is_answered_at_once():
    began = time.perf_counter()
    for text in ("(" * 200, "-" * 199 + "1", "d" * 200, "1+" * 99 + "1", "4d6" + "kh" * 98, "\1" * 200):
        try:
            parse(text)
        except Rejection:
            continue
    assert time.perf_counter() - began < 1


@given(st.text(max_size=80) | NEARLY)
def test_any_text_gives_a_tree_or_a_rejection(text):
    tree, refusal = parsed(text)
    assert refusal in {None, "notation_invalid", "notation_too_large"}
    if tree is not None:
        assert parse(notation_of(tree)) == tree


@given(TREES)
def test_what_is_written_is_read_as_it_was(tree):
    again, refusal = parsed(notation_of(tree))
    assert refusal in {None, "notation_too_large"}
    if again is not None:
        assert again == tree
        assert notation_of(again) == notation_of(tree)


def parsed(text: str) -> tuple[Expression | None, str | None]:
    """What a text means, or the code it is refused with."""
    try:
        return parse(text), None
    except Rejection as refused:
        return None, refused.code


@settings(max_examples=200)
@given(expressions(), FACES)
def test_a_roll_stays_within_its_bounds_and_its_price(expression: Expression, faces: list[int]):
    dice = ScriptedDice(faces)
    rolled = roll(expression, dice)
    reach = bounds(expression)
    assert reach.low <= rolled.total <= reach.high
    assert len(rolled.dice) == dice.rolled <= DICE_MAX
    for die in rolled.dice:
        assert 1 <= die.natural <= die.sides
        assert not (die.kept and die.rerolled)
        assert die.success is None or die.kept or not die.success
    followers = sum(die.exploded or die.rerolled for die in rolled.dice)
    assert followers == sum(die.role != "roll" for die in rolled.dice)
