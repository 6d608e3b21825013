"""Dice that a group rolled at its own table and typed in."""

from collections.abc import Sequence

from domain.dice.die import DiceMismatch, Die
from domain.sentences import say, say_many


class TableDice:
    """Returns `[[sides, face], …]` in order; raises where these are not exactly the dice wanted."""

    def __init__(self, dice: Sequence[tuple[int, int]]) -> None:
        self._dice = dice
        self._used = 0

    def roll(self, sides: int) -> Die:
        """The next die of the list. Raises `DiceMismatch` unless it has these sides and a possible face."""
        if self._used == len(self._dice):
            raise DiceMismatch(
                say_many(
                    "{n} die was sent, but the roll also wants a d{sides}.",
                    "{n} dice were sent, but the roll also wants a d{sides}.",
                    self._used,
                    sides=sides,
                )
            )
        sent_sides, face = self._dice[self._used]
        self._used += 1
        if sent_sides != sides:
            raise DiceMismatch(
                say(
                    "Die {n} should be a d{sides}, but a d{given} was sent.",
                    n=self._used,
                    sides=sides,
                    given=sent_sides,
                )
            )
        if not 1 <= face <= sides:
            raise DiceMismatch(
                say("Die {n} shows {face}, which a d{sides} cannot.", n=self._used, face=face, sides=sides)
            )
        return Die(sides=sides, natural=face, origin="table")

    def finish(self) -> None:
        """Raise `DiceMismatch` unless every die that was sent was used."""
        if self._used < len(self._dice):
            raise DiceMismatch(
                say_many(
                    "{n} die was sent, but the roll wants only {wanted}.",
                    "{n} dice were sent, but the roll wants only {wanted}.",
                    len(self._dice),
                    wanted=self._used,
                )
            )
