"""How much events matter in a recap; `projections.narration` has their sentences."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from domain.sentences import Sentence

QUIET = -1
"""The weight of events that are left out: another event tells more of the same story."""


class Chapter(Struct, frozen=True):
    """A larger part of the story that an event opens or closes, such as a mission; `key` is the same for both."""

    key: str
    title: str | Sentence
    opens: bool


E = TypeVar("E")
Found = TypeVar("Found", int, Chapter)
Weigh = Callable[[Any], int]


def of(kind: type[E], find: Callable[[E], Found]) -> tuple[type, Callable[[Any], Found]]:
    """An entry for events whose weight or chapter depends on more than their kind."""
    return kind, find


class Emphasis(NamedTuple):
    """The meaning of a rule system's events for a recap, by their kind."""

    weights: Mapping[int, tuple[type, ...]]
    """`QUIET`, or higher the more an event would be missed among the highlights; kinds not listed weigh 0."""
    weighs: tuple[tuple[type, Weigh], ...] = ()
    """For kinds whose events differ."""
    chapters: tuple[tuple[type, Callable[[Any], Chapter]], ...] = ()
    """Larger parts of the story."""

    def weight_of_kinds(self) -> dict[type, int | Weigh]:
        """The weight of each kind."""
        return {kind: weight for weight, kinds in self.weights.items() for kind in kinds} | dict(self.weighs)
