"""The time, dice, salts and ids that a decision is given."""

from typing import Protocol
from uuid import UUID

from domain.dice import Dice


class Clock(Protocol):
    """The service's clock."""

    def __call__(self) -> int:
        """Microseconds UTC."""
        ...


class DiceSource(Protocol):
    """Gives the server's dice until a campaign's first epoch has begun."""

    def __call__(self) -> Dice:
        """A new source of dice for one command."""
        ...


class Entropy(Protocol):
    """Random bytes and ids that cannot be guessed."""

    def salts(self) -> bytes:
        """32 random bytes."""
        ...

    def new_id(self) -> UUID:
        """A random UUID."""
        ...
