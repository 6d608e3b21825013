"""Tables of the tellers of each kind of event."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar
from uuid import UUID

from domain.ids import is_born
from domain.sentences import Sentence, Term, term

Name = Callable[[str | UUID], str]
"""Gives the name of an id."""

Told = Sentence | str
"""A text for people; empty where another event tells it already."""

Teller = Callable[[Any, Name], Told]
Tellers = Mapping[type, Teller]


class OfCharacter(Protocol):
    """An event about one character."""

    @property
    def character(self) -> str:
        """The character it is about."""
        ...


E = TypeVar("E")
C = TypeVar("C", bound=OfCharacter)


def currency_name(currency: str, name: Name) -> str | Term:
    """The name of a currency of the ledger: of a thing its own, else the rules' or the group's word."""
    return name(currency) if is_born(currency) else term(currency)


def on(kind: type[E], tell: Callable[[E, Name], Told]) -> tuple[type, Teller]:
    """An entry of a table: a kind of event, and its teller, which takes that kind."""
    return kind, tell


def about(kind: type[C], tell: Callable[[C, str], Told]) -> tuple[type, Teller]:
    """The same for a sentence that only needs the character's name."""
    return kind, lambda event, name: tell(event, name(event.character))


def tellers(*each: tuple[type, Teller]) -> Tellers:
    """A table; each kind of event has one teller."""
    table = dict(each)
    assert len(table) == len(each)
    return table
