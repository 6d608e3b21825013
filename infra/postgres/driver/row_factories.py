"""How rows become what the stores return."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypeVar

_Made = TypeVar("_Made")
_Value = TypeVar("_Value")


def row_as(kind: Callable[..., _Made]) -> Callable[[Sequence[Any]], _Made]:
    """A row as a struct with a field for each column, in their order."""
    return lambda row: kind(*row)


def column(_kind: type[_Value]) -> Callable[[Sequence[Any]], _Value]:
    """A row of one column as its value, which is of this type."""
    return itemgetter(0)
