"""The common parts of all systems' service records."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import wraps
from operator import attrgetter
from typing import Any, ClassVar

from msgspec import Struct


class When(Struct, frozen=True):
    """When an event happened: its seq, real time (RFC 3339), game time in seconds, and the play session."""

    seq: int
    at: str
    game_time: int
    session: int | None


Adder = Callable[[Any, Any, When], None]
"""Takes an event of its kind into a record."""

Adders = Mapping[type[Struct], Adder]
"""The kinds of events that a record is made of, and what takes each of them."""


class RecordFold(ABC):
    """The record of one character, folded event by event from the campaign's beginning."""

    ADDERS: ClassVar[Adders]

    def __init__(self, character: str) -> None:
        self._character = character

    @property
    def character(self) -> str:
        """The id of the character."""
        return self._character

    @classmethod
    def kinds(cls) -> frozenset[str]:
        """The wire names of the events that it is made of."""
        return frozenset(str(kind.__struct_config__.tag) for kind in cls.ADDERS)

    def add(self, event: Any, when: When) -> None:
        """Take an event into the record; most change nothing."""
        add = self.ADDERS.get(type(event))
        if add is not None:
            add(self, event, when)

    @abstractmethod
    def view(self, name: Callable[[Any], str]) -> Any:
        """The record as people read it."""


def of_own(field: str, adders: Adders) -> Adders:
    """The part of a table whose events count only where `field` (`pilot.pilot_id`) is the record's character."""
    subject_of = attrgetter(field)

    def for_own(add: Adder) -> Adder:
        @wraps(add)
        def add_own(fold: RecordFold, event: Any, when: When) -> None:
            if subject_of(event) == fold.character:
                add(fold, event, when)

        return add_own

    return {kind: for_own(add) for kind, add in adders.items()}


def present_name(thing: str, name_then: str, name: Callable[[Any], str]) -> str:
    """The name of a thing as it is now; the one of its event where the campaign does not have it any more."""
    now = name(thing)
    return name_then if now == thing else now


def only_posted(_fold: Any, _event: Any, _when: When) -> None:
    """Take an event of which only the postings count."""
