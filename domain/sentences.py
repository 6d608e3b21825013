"""Sentences for players that keep their parts apart, so that they can be said in any language.

The rules say things in English, once: `say("{who} has {total}", who=…, total=…)`. The parts are put in only when
a reader's language is known: `str` gives the English, `projections.languages` any other language, by the English
sentence as key. A part is a name or a number, which stays as it is, or a sentence of its own.
"""

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct, structs

GROUPED_FROM = 1000
"""Numbers from here on are shown with thousands separators."""

Language = Literal["en", "fr"]
"""A language that everything can be told in; `projections/languages` has its catalogues and its grammar."""

ENGLISH: Language = "en"
"""The language of the messages in the code."""


class Sentence(Struct, frozen=True, gc=False):
    """A sentence with named parts; `parts` fill the `{names}` in `message`."""

    message: str
    parts: "dict[str, Part]" = {}

    def __str__(self) -> str:
        """The sentence in English."""
        return self.message.format_map(self.parts) if self.parts else self.message


class Plural(Sentence, frozen=True, gc=False):
    """A sentence about a number of things: `message` for one, `many` for any other number."""

    many: str = ""
    n: int = 1

    def __str__(self) -> str:
        """The sentence in English."""
        return (self.message if self.n == 1 else self.many).format_map(self.parts)


TERM = "term"
"""The context under which catalogues keep words of a rulebook."""


class Term(Sentence, frozen=True, gc=False):
    """A word by itself: of a rulebook, or of a `context` in which it is said otherwise than elsewhere."""

    context: str = TERM


class Number(Sentence, frozen=True, gc=False):
    """A number that is shown with thousands separators."""

    n: int = 0

    def __str__(self) -> str:
        """The number in English."""
        return f"{self.n:,}"


class Series(Sentence, frozen=True, gc=False):
    """Several parts in one; `message` separates them, except before the `last` where another word is given."""

    pieces: "tuple[Part, ...]" = ()
    last: Literal["", "and", "or"] = ""

    def __str__(self) -> str:
        """The parts in English."""
        texts = [str(part) for part in self.pieces]
        if not self.last or len(texts) < 2:  # noqa: PLR2004 — one part needs no "and"
            return self.message.join(texts)
        last = texts.pop()
        return f"{self.message.join(texts)} {self.last} {last}"


class DiceFaces(Series, frozen=True, gc=False):
    """The faces of dice. Where they are drawn beside the sentence, `beside` stands for it, without their faces."""

    beside: str | Sentence = ""


Part: TypeAlias = str | int | Sentence


def say(message: str, /, **parts: Part) -> Sentence:
    """A sentence: `say("{name} has no mech.", name=character.name)`."""
    return Sentence(message, parts)


def say_many(one: str, many: str, n: int, /, **parts: Part) -> Sentence:
    """A sentence about `n` things, which it may name: `say_many("{n} die", "{n} dice", 3)`."""
    count = n if -GROUPED_FROM < n < GROUPED_FROM else number(n)
    return Plural(one, {"n": count, **parts}, many, n)


def term(word: str) -> Term:
    """A rulebook term by its key: `term("mech_combat")` is "mech combat"."""
    return Term(word.replace("_", " "))


def join_parts(parts: Iterable[Part]) -> Sentence:
    """A list as in "a, b and c"; empty for an empty list."""
    return Series(", ", pieces=tuple(parts), last="and")


def either(parts: Iterable[Part]) -> Sentence:
    """Alternatives as in "a, b or c"; those that are alike have a number, in their order."""
    choices = [*parts]
    apart = [
        say("{name} ({nth})", name=part, nth=choices[: at + 1].count(part)) if choices.count(part) > 1 else part
        for at, part in enumerate(choices)
    ]
    return Series(", ", pieces=tuple(apart), last="or")


def number(n: int) -> Sentence:
    """A number with thousands separators: "6,768"."""
    return Number("", n=n)


def in_a_row(parts: Iterable[Part], between: str = ", ") -> Sentence:
    """Parts with the same separator between all of them, such as dice or an order."""
    return Series(between, pieces=tuple(parts))


def show_dice(faces: Part, beside: str | Sentence) -> Sentence:
    """A text with the faces of dice, and one without them for a screen that draws the dice beside it."""
    return DiceFaces("", pieces=(faces,), beside=beside)


def change_names(part: Part, change: Callable[[str], str]) -> Part:
    """A sentence with `change` made to every part that is text: names, and words that people wrote themselves."""
    match part:
        case Series():
            return structs.replace(part, pieces=tuple(_changed(piece, change) for piece in part.pieces))
        case Sentence():
            return structs.replace(
                part, parts={name: _changed(inner, change) for name, inner in part.parts.items()}
            )
        case _:
            return part


def _changed(part: Part, change: Callable[[str], str]) -> Part:
    return change(part) if isinstance(part, str) else change_names(part, change)


P = TypeVar("P", bound=Part)


def beside_dice(sentence: P) -> P | str | Sentence:
    """A sentence as it is told where its dice are drawn beside it: the same one if it tells no faces."""
    match sentence:
        case DiceFaces():
            return beside_dice(sentence.beside)
        case Series():
            pieces = tuple(map(beside_dice, sentence.pieces))
            is_changed = any(one is not other for one, other in zip(pieces, sentence.pieces, strict=True))
            return structs.replace(sentence, pieces=pieces) if is_changed else sentence
        case Sentence():
            parts = {name: beside_dice(part) for name, part in sentence.parts.items()}
            is_changed = any(parts[name] is not part for name, part in sentence.parts.items())
            return structs.replace(sentence, parts=parts) if is_changed else sentence
        case _:
            return sentence
