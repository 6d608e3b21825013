"""What functions in tables by type say that they take."""

from collections.abc import Callable
from inspect import signature
from typing import Any, get_args, get_type_hints


def taken(function: Callable[..., Any]) -> set[Any]:
    """The types of commands or events that a function says it takes."""
    hints = get_type_hints(function)
    kind = next(hints[name] for name in signature(function).parameters if name.strip("_") in ("command", "event"))
    return {*get_args(kind)} or {kind}
