"""Dice expressions in plain words, as they were understood before a die falls."""

from collections.abc import Iterator

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
    pools,
)
from domain.dice.roll_input import Reading
from domain.sentences import Part, Sentence, in_a_row, join_parts, say, say_many


def words_of(reading: Reading) -> Sentence:
    """A reading in words: `8 d6; each that shows 6 is a success`."""
    words = _words(reading.expression)
    if reading.times > 1:
        words = say("{n} times: {roll}", n=reading.times, roll=words)
    return words


def _words(expression: Expression) -> Sentence:  # noqa: PLR0911 — one for each kind
    match expression:
        case Whole() | Exact():
            return say("{number}", number=notation_of(expression))
        case Pool():
            return _pool(expression)
        case Group():
            return _group(expression)
        case Comparison():
            faces = _faces(expression.faces, Faces(-BOUND, BOUND))
            return say(
                "1 if the total of ({roll}) is {faces}, otherwise 0", roll=_words(expression.of), faces=faces
            )
        case Rounding():
            return _rounded(expression)
        case Minus():
            return say("minus {roll}", roll=_in_brackets(expression.of))
        case Operation():
            return _operation(expression)


def _in_brackets(expression: Expression) -> Sentence:
    words = _words(expression)
    return say("({roll})", roll=words) if pools(expression) and not _is_plain(expression) else words


def _is_plain(expression: Expression) -> bool:
    """Whether an expression is dice or a number without anything further to say."""
    return isinstance(expression, Pool) and expression == Pool(
        expression.count, expression.sides, expression.fudge
    )


def _operation(expression: Operation) -> Sentence:
    left, right = _in_brackets(expression.left), _in_brackets(expression.right)
    if isinstance(expression.left, Operation) and expression.left.sign in "+-" and expression.sign in "+-":
        left = _words(expression.left)
    match expression.sign:
        case "+":
            return say("{left} plus {right}", left=left, right=right)
        case "-":
            return say("{left} minus {right}", left=left, right=right)
        case "*":
            return say("{left} times {right}", left=left, right=right)
        case "%":
            return say("the rest of {left} divided by {right}", left=left, right=right)
        case "/":
            return say("{left} divided by {right}, rounded down", left=left, right=right)
        case ":":
            return say("{left} divided by {right}", left=left, right=right)


def _rounded(expression: Rounding) -> Sentence:
    roll = _words(expression.of)
    match expression.word:
        case "floor":
            return say("{roll}; the result is rounded down, once", roll=roll)
        case "ceil":
            return say("{roll}; the result is rounded up, once", roll=roll)
        case "round":
            return say("{roll}; the result is rounded to the nearest, halves up", roll=roll)
        case "trunc":
            return say("{roll}; the result is rounded towards 0, once", roll=roll)


def _pool(pool: Pool) -> Sentence:
    if pool.fudge:
        dice = say_many("{n} fudge die", "{n} fudge dice", pool.count)
    else:
        dice = say("{n} d{sides}", n=pool.count, sides=pool.sides)
    return in_a_row([dice, *_modifiers(pool)], "; ")


def _modifiers(pool: Pool) -> Iterator[Part]:
    values = pool.values
    if pool.reroll is not None:
        faces = _faces(pool.reroll, values)
        if pool.reroll_once:
            yield say("each that shows {faces} is rerolled once", faces=faces)
        else:
            yield say("each that shows {faces} is rerolled until none does", faces=faces)
    if pool.explode is not None:
        yield _explosion(pool, _faces(pool.explode, values))
    if pool.least is not None:
        yield say("lower ones count as {n}", n=pool.least)
    if pool.most is not None:
        yield say("higher ones count as {n}", n=pool.most)
    yield from _keeps(pool.keeps, pool.join)
    if pool.successes is not None:
        yield say("each that shows {faces} is a success", faces=_faces(pool.successes, values))
    if pool.failures is not None:
        yield say("each that shows {faces} takes a success away", faces=_faces(pool.failures, values))
    if pool.order:
        yield say("shown from the lowest") if pool.order == "sa" else say("shown from the highest")


def _explosion(pool: Pool, faces: Sentence) -> Sentence:
    if pool.explosions_max is not None:
        return say_many(
            "the first that shows {faces} brings another",
            "each that shows {faces} brings another, {n} in all at most",
            pool.explosions_max,
            faces=faces,
        )
    if pool.explode_once:
        return say("each that shows {faces} brings another, which brings none", faces=faces)
    if pool.compound and pool.penetrating:
        return say("each that shows {faces} is rolled on, and what follows is added to it, less 1", faces=faces)
    if pool.compound:
        return say("each that shows {faces} is rolled on, and what follows is added to it", faces=faces)
    if pool.penetrating:
        return say("each that shows {faces} brings another, which counts 1 less", faces=faces)
    return say("each that shows {faces} brings another", faces=faces)


def _keeps(keeps: tuple[Keep, ...], join: str) -> Iterator[Part]:
    words = [_keep(keep) for keep in keeps]
    if join == "|":
        yield say("what one of these keeps counts: {keeps}", keeps=in_a_row(words))
    elif join == "&":
        yield say("what all of these keep counts: {keeps}", keeps=in_a_row(words))
    else:
        for nth, word in enumerate(words):
            yield say("of these, {keeps}", keeps=word) if nth else word


def _keep(keep: Keep) -> Sentence:
    if keep.faces is not None:
        faces = _faces(keep.faces, Faces(-BOUND, BOUND))
        if keep.word == "kf":
            return say("only those that show {faces} count", faces=faces)
        return say("those that show {faces} are dropped", faces=faces)
    match keep.word:
        case "kh":
            return say_many("the highest counts", "the highest {n} count", keep.count)
        case "kl":
            return say_many("the lowest counts", "the lowest {n} count", keep.count)
        case "dh":
            return say_many("the highest is dropped", "the highest {n} are dropped", keep.count)
        case _:
            return say_many("the lowest is dropped", "the lowest {n} are dropped", keep.count)


def _group(group: Group) -> Sentence:
    if len(group.parts) == 1:
        parts: Sentence = join_parts(_words(pool) for pool in pools(group))
        said = say("the dice of {parts} together", parts=parts)
    else:
        said = say("the totals of {parts}", parts=join_parts(_in_brackets(part) for part in group.parts))
    more = [*_keeps(group.keeps, group.join)]
    if group.successes is not None:
        faces = _faces(group.successes, Faces(-BOUND, BOUND))
        more.append(say("each that is {faces} is a success", faces=faces))
    return in_a_row([said, *more], "; ")


def _faces(faces: Faces, values: Faces) -> Sentence:
    if faces.low == faces.high:
        return say("{number}", number=str(faces.low))
    if faces.high >= values.high:
        return say("{n} or more", n=faces.low)
    return say("{n} or less", n=faces.high)
