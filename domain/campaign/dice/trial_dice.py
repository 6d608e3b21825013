"""Dice for deciding a command more than once."""

from domain.dice import Dice, Die


class Twos:
    """Stands where it matters what a command is about, and not how it goes: nothing explodes on a two."""

    def __init__(self) -> None:
        self._left = 1_000

    def roll(self, sides: int) -> Die:
        """A two. Raises `OtherDiceWanted` where there is no end of them."""
        self._left -= 1
        if not self._left:
            raise OtherDiceWanted
        return Die(sides, min(2, sides), "table")

    def finish(self) -> None:
        """As many as were wanted."""


class OtherDiceWanted(Exception):  # noqa: N818 — nothing has gone wrong: the command goes otherwise there
    """A command decided again wants dice that did not fall."""


class SameDice:
    """Dice for deciding one command twice: what fell first falls again."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._fallen: list[Die] = []

    @property
    def any(self) -> bool:
        """Whether any die fell."""
        return bool(self._fallen)

    def roll(self, sides: int) -> Die:
        """Draw one and remember it."""
        die = self._dice.roll(sides)
        self._fallen.append(die)
        return die

    def finish(self) -> None:
        """The command wants no more."""
        self._dice.finish()

    def again(self) -> "DiceAgain":
        """The same dice once more; where none has fallen yet, there are none."""
        return DiceAgain(self._fallen)


class DiceAgain:
    """Dice that fell, in their order. Raises `OtherDiceWanted` for any other."""

    def __init__(self, fallen: list[Die]) -> None:
        self._left = iter(fallen)

    def roll(self, sides: int) -> Die:
        """The next one."""
        die = next(self._left, None)
        if die is None or die.sides != sides:
            raise OtherDiceWanted
        return die

    def finish(self) -> None:
        """Dice may be left over: they fell for a command that went otherwise."""
