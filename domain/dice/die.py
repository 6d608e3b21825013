"""A rolled die, and the protocol by which rules draw dice."""

from typing import Literal, Protocol

from msgspec import Struct

from domain.rejection import Rejection
from domain.sentences import Sentence

Origin = Literal["server", "table"]
"""The roller: the service, or the group at its table."""


class Die(Struct, frozen=True, gc=False):
    """A rolled die. `natural` is its face, 1 … `sides`.

    `proof` is the die's place in its epoch, from which the face can be recomputed: `none` for table dice and for
    dice drawn from the machine's entropy.
    """

    sides: int
    natural: int
    origin: Origin
    proof: str = "none"


class Dice(Protocol):
    """A lazy source of dice, drawn from only once a command is known to be legal."""

    def roll(self, sides: int) -> Die:
        """Draw one die with the given number of sides (2 … 1,000). Raises `DiceMismatch`."""
        ...

    def finish(self) -> None:
        """Say that the command wants no more dice. Raises `DiceMismatch` if some are left over."""
        ...


class DiceMismatch(Rejection):
    """The dice that came with a command are too few, too many, of another size, or impossible."""

    def __init__(self, message: str | Sentence) -> None:
        super().__init__("dice_mismatch", message)
