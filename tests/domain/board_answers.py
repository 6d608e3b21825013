"""Somebody who reads nothing but a board and what is pending: whatever stands there as an answer is accepted."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import msgspec

from domain.ids import AccountId
from domain.systems.system import Pending, RuleSystem
from projections.awaited_answers import MayAnswer, WaitingFor
from projections.languages import render

CHOICES_MAX = 6


class Offered(NamedTuple):
    """A command that stands on a board, and who may give it (None: a GM)."""

    who: AccountId | None
    command: Any


def offered(system: RuleSystem, waiting: list[WaitingFor]) -> Iterator[Offered]:
    """Everything that is offered, with the first few of all choices, and the least and the most of numbers."""
    for each in waiting:
        for who, answers in ((each.waits_for, each.answers), (None, each.gm_answers)):
            for answer in answers:
                yield from (Offered(who, command) for command in commands(system, answer))


def fields(answer: MayAnswer) -> dict[str, list[Any]]:
    """What each field of a command may be, its numbers at the least and the most."""
    ready = {key: [value] for key, value in answer.command.items()}
    return ready | answer.choices | {key: [*ends] for key, ends in answer.numbers.items()}


def commands(system: RuleSystem, answer: MayAnswer) -> list[Any]:
    """The commands that an answer stands for, the first as it can be sent at once."""
    some = {key: values[:CHOICES_MAX] for key, values in fields(answer).items()}
    chosen = [dict(zip(some, values, strict=True)) for values in product(*some.values())]
    assert answer.command in chosen
    return [msgspec.convert(each, system.commands) for each in chosen]


def check(
    system: RuleSystem, waiting: list[WaitingFor], pending: list[Pending], accept: Callable[..., Any]
) -> None:
    """The board lists what is pending, and else what is optional; everybody can answer, and is refused nothing."""
    listed = [(each.kind, each.subject, each.waits_for) for each in waiting]
    awaited = [(each.kind, each.subject, each.waits_for) for each in pending]
    assert [each for each in listed if each in awaited] == awaited
    assert all(each.optional for each, key in zip(waiting, listed, strict=True) if key not in awaited)
    for each in waiting:
        assert each.answers, f"nobody can answer {each.kind} of {each.subject}"
        for language in ("en", "fr"):
            told = render(each.told, language)
            assert told
            assert each.subject not in told
            assert "{" not in told
    for who, command in offered(system, waiting):
        accept(who, command)
