"""Budgets: limits to the sum of a command's numbers, such as points that are shared out.

The rules refuse a command that does not keep to one. A budget shows the limit before, to a person filling in a
form.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from msgspec import Struct

from domain.command_context import CommandContext
from domain.field_references import Given


class Budget(Struct, frozen=True):
    """An amount shared out within a field of a command."""

    field: str
    used_by: tuple[str, ...]
    """Leads from the field to the numbers that count; empty: each item counts one.

    `item` for those of a map, `item`, `dice` for a field of each record of a list.
    """
    total: int
    """The numbers come to this at most."""
    least: int = 0
    """The numbers come to this at least."""
    shares: tuple[int, ...] = ()
    """The numbers are these values, each once; empty: any."""


Budgets: TypeAlias = Callable[[Any, Given, CommandContext], Iterable[Budget]]
"""The budgets of a command, from a state, the fields given already, the asker and the settings."""
