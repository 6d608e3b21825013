"""Tables by type: which function answers a command, and which lets an event have happened.

Type checkers know the functions' shape only; `tests/domain/test_dispatch.py` holds each to the type it stands for.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeAlias, TypeVar, get_args

from domain.command_context import Asked
from domain.dice import Dice

State = TypeVar("State")
Event = TypeVar("Event")
Handler = TypeVar("Handler")

Plain: TypeAlias = Callable[[State, Asked, Any], Iterable[Event]]
Answer: TypeAlias = Callable[[State, Asked, Any, Dice], Iterable[Event]]
Decide: TypeAlias = Mapping[type, Answer[State, Event]]
"""By the type of a command: what it makes happen. Its functions raise `Rejection` and change nothing."""
Evolve: TypeAlias = Mapping[type, Callable[[State, Any], None]]
"""By the type of an event: how it has happened, in place. Its functions never fail."""


def without_dice(answers: Mapping[type, Plain[State, Event]]) -> Decide[State, Event]:
    """The part of a table whose commands never roll."""

    def given_dice(answer: Plain[State, Event]) -> Answer[State, Event]:
        @wraps(answer)
        def answered(state: State, asked: Asked, command: Any, _dice: Dice) -> Iterable[Event]:
            return answer(state, asked, command)

        return answered

    return {kind: given_dice(answer) for kind, answer in answers.items()}


def each_of(union: Any, handler: Handler) -> dict[type, Handler]:
    """The part of a table where every type of a union has the same function."""
    return dict.fromkeys(get_args(union), handler)


def only_told(state: Any, event: Any) -> None:
    """Of some events nothing is kept: they are there to be told."""
