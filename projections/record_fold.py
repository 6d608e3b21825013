"""What every service record is made with, whatever the system."""

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct


class When(Struct, frozen=True):
    """A moment of a campaign: its event, real time (RFC 3339), campaign time in seconds, the play session."""

    seq: int
    at: str
    game_time: int
    session: int | None


class RecordFold(Protocol):
    """The record of one character, folded event by event from the campaign's beginning."""

    def add(self, event: Any, when: When) -> None:
        """Write down what an event means for this character; nothing for most."""
        ...

    def view(self, name: Callable[[Any], str]) -> Any:
        """The record as people read it."""
        ...
