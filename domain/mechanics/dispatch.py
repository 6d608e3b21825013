"""Tables by type: the function that decides a command, and the function that applies an event.

Type checkers know the functions' shape only; `tests/domain/test_dispatch.py` checks that each takes the type it
stands for.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeAlias, TypeVar, get_args

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.rejection import Forbidden

State = TypeVar("State")
Event = TypeVar("Event")
Handler = TypeVar("Handler")

Plain: TypeAlias = Callable[[State, CommandContext, Any], Iterable[Event]]
Answer: TypeAlias = Callable[[State, CommandContext, Any, Dice], Iterable[Event]]
Decide: TypeAlias = Mapping[type, Answer[State, Event]]
"""Decides a command by its type: functions that return events or raise `Rejection`, and change nothing."""
Evolve: TypeAlias = Mapping[type, Callable[[State, Any], None]]
"""Applies an event by its type: functions that change the state in place and never fail."""


def without_dice(answers: Mapping[type, Plain[State, Event]]) -> Decide[State, Event]:
    """The part of a table whose commands roll no dice."""

    def given_dice(answer: Plain[State, Event]) -> Answer[State, Event]:
        @wraps(answer)
        def answered(state: State, context: CommandContext, command: Any, _dice: Dice) -> Iterable[Event]:
            return answer(state, context, command)

        return answered

    return {kind: given_dice(answer) for kind, answer in answers.items()}


def each_of(union: Any, handler: Handler) -> dict[type, Handler]:
    """The part of a table where all types of a union share a function."""
    return dict.fromkeys(get_args(union), handler)


def only_told(state: Any, event: Any) -> None:
    """Apply an event that changes nothing: it is there for people to read."""


def decide_command(
    table: Decide[State, Event], state: State, context: CommandContext, dice: Dice, rule: str
) -> list[Event]:
    """The events of the command, by its type. Raises `observers_only_watch`, in the name of `rule`."""
    if context.role == "observer":
        raise Forbidden("observers_only_watch", "Observers watch; they do not act.", rule=rule)
    return [*table[context.command.__class__](state, context, context.command, dice)]
