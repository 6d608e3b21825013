"""Dice expressions as hypothesis draws them: good ones, and text that may be anything."""

from hypothesis import assume
from hypothesis import strategies as st

from domain.dice.notation import Expression, Faces, Keep, Minus, Operation, Pool, Whole, notation_of
from domain.dice.parser import parse
from domain.rejection import Rejection

KEEPS = st.builds(Keep, st.sampled_from(["kh", "kl", "dh", "dl"]), st.integers(1, 6))


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
    return Pool(
        plain.count,
        plain.sides,
        fudge,
        reroll,
        reroll_once=reroll is not None and draw(st.booleans()),
        explode=draw(st.none() | faces),
        keeps=tuple(draw(st.lists(KEEPS, max_size=2))),
        successes=draw(st.none() | faces),
    )


TREES: st.SearchStrategy[Expression] = st.recursive(
    st.builds(Whole, st.integers(0, 99)) | pools(),
    lambda inner: st.one_of(
        st.builds(Minus, inner.filter(lambda each: not isinstance(each, Minus))),
        st.builds(Operation, st.sampled_from(["+", "-", "*"]), inner, inner),
        st.builds(Operation, st.just("/"), inner, st.builds(Whole, st.integers(1, 20))),
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


NEARLY = st.text("0123456789dDkhlrox!efcts<>=+-*/()% .\u2212\u2265F\1\u0130\u212a\u0663", max_size=40)
"""Made of the right letters, and a few wrong ones that look like them."""
