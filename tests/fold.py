"""A state after events, for tests that have no campaign around them."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

State = TypeVar("State")


def fold(evolve: Callable[[State, Any], State], state: State, events: Iterable[Any]) -> State:
    """Apply events to a state, oldest first."""
    for event in events:
        state = evolve(state, event)
    return state
