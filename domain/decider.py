"""The shape that all rules share: decide what happens, then let it have happened."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from domain.asked import Asked
from domain.dice import Dice

State = TypeVar("State")


class Decider(Protocol[State]):
    """Three functions that are a whole game.

    `decide` is pure: it reads the state and the question, draws dice if the command is legal, and answers
    with facts, or raises `Rejection`. `evolve` applies one fact that was stored. It decides nothing, never
    fails, and may change the state it was given: whoever folds owns that state.
    """

    def initial(self) -> State:
        """The state before the first event."""
        ...

    def decide(self, state: State, asked: Asked, dice: Dice) -> list[Any]:
        """What happens, as events."""
        ...

    def evolve(self, state: State, event: Any) -> State:
        """The state after one more event."""
        ...


def fold(evolve: Callable[[State, Any], State], state: State, events: Iterable[Any]) -> State:
    """Apply events to a state, oldest first."""
    for event in events:
        state = evolve(state, event)
    return state
