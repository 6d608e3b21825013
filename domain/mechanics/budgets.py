"""Budgets: limits to the sum of a command's numbers, such as points that are shared out.

The rules refuse a command that does not keep to one. A budget shows the limit before, to a person filling in a
form.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from msgspec import Struct

from domain.command_context import CommandContext
from domain.references import Given


class Budget(Struct, frozen=True):
    """An amount shared out within a field of a command.

    `used_by` leads from the field to the numbers that count: `item` for those of a map, `item`, `dice` for a field
    of each record of a list; where it is empty, each item counts one. They come to `total` at most, and to
    `least` at least. With `shares` they are these values, each once.
    """

    field: str
    used_by: tuple[str, ...]
    total: int
    least: int = 0
    shares: tuple[int, ...] = ()


Budgets: TypeAlias = Callable[[Any, Given, CommandContext], Iterable[Budget]]
"""The budgets of a command, from a state, the fields given already, the asker and the settings."""
