"""Tables of how each kind of event is told, one entry each."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar
from uuid import UUID

from domain.sentences import Sentence

Name = Callable[[str | UUID], str]
"""Calls an id by its name."""

Told = Sentence | str
"""What people read; nothing where another event says it already."""

Teller = Callable[[Any, Name], Told]
Tellers = Mapping[type, Teller]


class OfCharacter(Protocol):
    """An event that is about one character."""

    @property
    def character(self) -> str:
        """Whom it is about."""
        ...


E = TypeVar("E")
C = TypeVar("C", bound=OfCharacter)


def on(kind: type[E], tell: Callable[[E, Name], Told]) -> tuple[type, Teller]:
    """How one kind of event is told; what tells it has to understand that kind."""
    return kind, tell


def about(kind: type[C], tell: Callable[[C, str], Told]) -> tuple[type, Teller]:
    """The same where all there is to call by a name is the character."""
    return kind, lambda event, name: tell(event, name(event.character))


def tellers(*each: tuple[type, Teller]) -> Tellers:
    """A table; a kind of event is told in one way."""
    table = dict(each)
    assert len(table) == len(each)
    return table
