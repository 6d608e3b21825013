"""What the service records of all systems share."""

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct


class When(Struct, frozen=True):
    """When an event happened: its seq, real time (RFC 3339), game time in seconds, and the play session."""

    seq: int
    at: str
    game_time: int
    session: int | None


class RecordFold(Protocol):
    """The record of one character, folded event by event from the campaign's beginning."""

    def add(self, event: Any, when: When) -> None:
        """Take an event into the record; most events change nothing."""
        ...

    def view(self, name: Callable[[Any], str]) -> Any:
        """The record as people read it."""
        ...
