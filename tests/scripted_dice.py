"""Dice that fall as a test wants them."""

from collections.abc import Sequence

from domain.dice import Die


class ScriptedDice:
    """Server dice whose faces are the given numbers, again from the start when they run out.

    A number above a die's sides wraps around, so that any list of numbers is a source of legal dice.
    """

    def __init__(self, faces: Sequence[int] = (1,)) -> None:
        self.faces = faces
        self.rolled = 0

    def roll(self, sides: int) -> Die:
        face = (self.faces[self.rolled % len(self.faces)] - 1) % sides + 1
        self.rolled += 1
        return Die(sides=sides, natural=face, origin="server")

    def finish(self) -> None:
        """Scripted dice are never left over."""
