"""Dice as an argument: the caller decides where faces come from."""

from domain.dice.die import Dice, DiceMismatch, Die, Origin
from domain.dice.table_dice import TableDice

__all__ = ["Dice", "DiceMismatch", "Die", "Origin", "TableDice"]
