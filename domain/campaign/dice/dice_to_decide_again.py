"""Dice for deciding a command more than once."""

from domain.dice import Dice, Die


class Twos:
    """Dice to find out the subject of a command, independent of the outcome: no die explodes on a two."""

    def __init__(self) -> None:
        self._rolls_left = 1_000

    def roll(self, sides: int) -> Die:
        """A two. Raises `OtherDiceWanted` after too many."""
        self._rolls_left -= 1
        if not self._rolls_left:
            raise OtherDiceWanted
        return Die(sides, min(2, sides), "table")

    def finish(self) -> None:
        """Does nothing: any number of dice is right."""


class OtherDiceWanted(Exception):  # noqa: N818 — nothing has gone wrong: the command goes otherwise there
    """A re-decided command wants dice that were not rolled."""


class SameDice:
    """Dice for deciding one command twice: the second time gives the faces of the first."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._rolled_dice: list[Die] = []

    @property
    def any(self) -> bool:
        """Whether any die was rolled."""
        return bool(self._rolled_dice)

    def roll(self, sides: int) -> Die:
        """Draw one and remember it."""
        die = self._dice.roll(sides)
        self._rolled_dice.append(die)
        return die

    def finish(self) -> None:
        """Does nothing: dice are drawn on demand."""
        self._dice.finish()

    def again(self) -> "DiceAgain":
        """The same dice again; where none was rolled yet, there are none."""
        return DiceAgain(self._rolled_dice)


class DiceAgain:
    """Recorded dice in their order. Raises `OtherDiceWanted` for any other."""

    def __init__(self, dice: list[Die]) -> None:
        self._dice_left = iter(dice)

    def roll(self, sides: int) -> Die:
        """The next one."""
        die = next(self._dice_left, None)
        if die is None or die.sides != sides:
            raise OtherDiceWanted
        return die

    def finish(self) -> None:
        """Does nothing: dice may be left over after another outcome."""
