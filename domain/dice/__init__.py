"""Dice as an argument: where faces come from is decided outside the rules."""

from domain.dice.die import Dice, DiceMismatch, Die, Origin
from domain.dice.table_dice import TableDice

__all__ = ["Dice", "DiceMismatch", "Die", "Origin", "TableDice"]
