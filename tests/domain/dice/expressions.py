"""Dice expressions as hypothesis draws them: good ones, and text that may be anything."""

from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st

from domain.dice.notation import (
    BOUND,
    Comparison,
    Exact,
    Expression,
    Faces,
    Group,
    Keep,
    Minus,
    Operation,
    Pool,
    Rounding,
    Whole,
    notation_of,
)
from domain.dice.parser import parse
from domain.dice.rounded_fractions import settled
from domain.rejection import Rejection

OPEN = st.integers(0, 9).map(lambda face: Faces(face, face)) | st.builds(Faces, st.integers(2, 9), st.just(BOUND))
KEEPS = st.builds(Keep, st.sampled_from(["kh", "kl", "dh", "dl"]), st.integers(1, 6)) | st.builds(
    Keep, st.sampled_from(["kf", "pf"]), st.just(0), OPEN
)
WAYS: list[dict[str, bool | int]] = [
    {},
    {"compound": True},
    {"penetrating": True},
    {"compound": True, "penetrating": True},
    {"explode_once": True},
    {"explosions_max": 1},
    {"explosions_max": 3},
]
"""The ways in which dice explode."""


@st.composite
def some_faces(draw: st.DrawFn, values: Faces) -> Faces:
    """Faces from the lowest up, from the highest down, or one alone; never all of them."""
    face = draw(st.integers(values.low, values.high))
    shape = draw(st.sampled_from(["one", "low", "high"]))
    if shape == "low" and face < values.high:
        return Faces(values.low, face)
    if shape == "high" and face > values.low:
        return Faces(face, values.high)
    return Faces(face, face)


@st.composite
def pools(draw: st.DrawFn, count_max: int = 12, sides_max: int = 1000) -> Pool:
    fudge = draw(st.booleans())
    plain = Pool(draw(st.integers(1, count_max)), 3 if fudge else draw(st.integers(2, sides_max)), fudge)
    faces = some_faces(plain.values)
    reroll = draw(st.none() | faces)
    least, most = (draw(st.none() | st.integers(values.low, values.high)) for values in (plain.values,) * 2)
    explode, way = draw(st.none() | faces), draw(st.sampled_from(WAYS))
    keeps = tuple(draw(st.lists(KEEPS, max_size=2)))
    successes = draw(st.none() | faces)
    if successes is not None and explode is not None and way.get("compound"):
        successes = draw(st.builds(Faces, st.integers(1, 30), st.just(BOUND)))
    return Pool(
        plain.count,
        plain.sides,
        fudge,
        reroll,
        reroll_once=reroll is not None and draw(st.booleans()),
        explode=explode,
        keeps=keeps,
        successes=successes,
        least=least,
        most=most,
        failures=None if successes is None else draw(st.none() | faces),
        join=draw(st.sampled_from(["", "|", "&"])) if len(keeps) > 1 else "",
        order=draw(st.sampled_from(["", "sa", "sd"])),
        **(way if explode is not None else {}),  # type: ignore[arg-type]
    )


FRACTIONS = st.builds(
    Operation,
    st.sampled_from(["+", "-", "*"]),
    st.builds(Exact, st.sampled_from([Fraction(1, 2), Fraction(5, 4)])) | pools(6, 20),
    st.builds(Exact, st.sampled_from([Fraction(3, 2), Fraction(1, 10)])),
)

TREES: st.SearchStrategy[Expression] = st.recursive(
    st.builds(Whole, st.integers(0, 99)) | pools(),
    lambda inner: st.one_of(
        st.builds(Minus, inner.filter(lambda each: not isinstance(each, Minus))),
        st.builds(Operation, st.sampled_from(["+", "-", "*"]), inner, inner),
        st.builds(Operation, st.sampled_from(["/", "%"]), inner, st.builds(Whole, st.integers(1, 20))),
        st.builds(Comparison, inner, OPEN),
        st.builds(Group, st.lists(inner, min_size=2, max_size=3).map(tuple), KEEPS.map(lambda keep: (keep,))),
        st.builds(Rounding, st.sampled_from(["floor", "ceil", "round", "trunc"]), FRACTIONS).map(
            lambda rounded: settled(rounded, "floor")
        ),
    ),
    max_leaves=6,
)


@st.composite
def expressions(draw: st.DrawFn) -> Expression:
    """A tree that is within every limit."""
    tree = draw(TREES)
    try:
        return parse(notation_of(tree))
    except Rejection as refusal:
        assume(refusal.code != "notation_too_large")
        raise


NEARLY = st.text("0123456789dDkhlrox!efctspmia<>=+-*/(){},|&#[]% .\u2212\u2265F\1\u0130\u212a\u0663", max_size=40)
"""Made of the right letters, and a few wrong ones that look like them."""
