"""What people are told: sentences that know their parts, so that they can be said in any language.

The rules say things in English, once: `say("{who} has {total}", who=…, total=…)`. Nothing is put together
before somebody reads it; then `str` gives the English, and `projections.languages` any other language.
The English sentence is what a catalogue finds its translation by. A part is a name or a number, which stays
as it is, or a sentence of its own.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

ENGLISH = "en"
"""The language that the code itself speaks."""


class Sentence(Struct, frozen=True, gc=False):
    """A sentence with named parts; `parts` fill the `{names}` in `message`."""

    message: str
    parts: "dict[str, Part]" = {}

    def __str__(self) -> str:
        """The sentence in English."""
        return self.message.format_map(self.parts) if self.parts else self.message


class Counted(Sentence, frozen=True, gc=False):
    """A sentence about a number of things: `message` says it of one, `many` of any other number."""

    many: str = ""
    n: int = 1

    def __str__(self) -> str:
        """The sentence in English."""
        return (self.message if self.n == 1 else self.many).format_map(self.parts)


class Term(Sentence, frozen=True, gc=False):
    """A word of a rulebook; `message` is the word."""


class Number(Sentence, frozen=True, gc=False):
    """A number that may be large enough to need its thousands apart."""

    n: int = 0

    def __str__(self) -> str:
        """The number in English."""
        return f"{self.n:,}"


class Joined(Sentence, frozen=True, gc=False):
    """Several parts in one; `message` goes between them, and where there is a word for it before the `last`."""

    each: "tuple[Part, ...]" = ()
    last: Literal["", "and", "or"] = ""

    def __str__(self) -> str:
        """The parts in English."""
        told = [str(part) for part in self.each]
        if not self.last or len(told) < 2:  # noqa: PLR2004 — one part needs no "and"
            return self.message.join(told)
        last = told.pop()
        return f"{self.message.join(told)} {self.last} {last}"


Part: TypeAlias = str | int | Sentence


def say(message: str, /, **parts: Part) -> Sentence:
    """A sentence: `say("{name} has no mech.", name=character.name)`."""
    return Sentence(message, parts)


def say_many(one: str, many: str, n: int, /, **parts: Part) -> Sentence:
    """A sentence about `n` things, which it may name: `say_many("{n} die", "{n} dice", 3)`."""
    return Counted(one, {"n": n, **parts}, many, n)


def term(word: str) -> Sentence:
    """A word of a rulebook's own, by its key: `term("mech_combat")` is "mech combat"."""
    return Term(word.replace("_", " "))


def joined(parts: Iterable[Part]) -> Sentence:
    """A list as one says it: "a, b and c"; nothing for an empty one."""
    return Joined(", ", each=tuple(parts), last="and")


def either(parts: Iterable[Part]) -> Sentence:
    """Things to choose one of: "a, b or c"."""
    return Joined(", ", each=tuple(parts), last="or")


def number(n: int) -> Sentence:
    """A number that people read more easily with its thousands apart: "6,768"."""
    return Number("", n=n)


def in_a_row(parts: Iterable[Part], between: str = ", ") -> Sentence:
    """One part after the other, such as dice or an order, with the same sign between all of them."""
    return Joined(between, each=tuple(parts))
