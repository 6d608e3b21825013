"""The ways to answer what is waited for: whole commands, each with what sets it apart from the others."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec import Struct, structs

from domain.ids import AccountId
from domain.offers.fields import fields_of
from projections.awaited_answers import MayAnswer
from projections.campaign.pending_choices import Awaited
from projections.command_forms import CommandWords, DiceToRoll

WAYS_MAX = 8
"""So many ways of answering with one command are shown, the first; its form has all."""
ROW_VALUES_MAX = 12
"""So many values a row may have."""
VALUES_MAX = 6
"""So many combinations of an answer's other values are told apart."""


class Way(Struct, frozen=True):
    """A command that answers; where it is not `whole`, something of it is open."""

    command: dict[str, Any]
    whole: bool
    title: str = ""
    """The fields that it does not share with all ways with this command; empty: none."""
    dice: DiceToRoll | None = None


class Rows(Struct, frozen=True):
    """A list in a command of which each row is one choice among several, as the levels of harm are.

    `titles` are those of the values that a row may have; `usual` are the rows that are accepted.
    """

    field: str
    command: dict[str, Any]
    """The rest of the command."""
    values: list[Any]
    titles: list[str]
    usual: list[Any]


class Answers(Struct, frozen=True):
    """The first ways of answering with one command, which have their `common` fields.

    With `rows`, ways that differ in them only are left out.
    """

    command: str
    common: dict[str, Any]
    ways: list[Way]
    rows: Rows | None = None


def awaited_answers(
    choices: Sequence[Awaited], account: AccountId, *, is_gm: bool
) -> Iterator[tuple[int, list[MayAnswer]]]:
    """The places of the choices awaited from a member, their own first, with the answers; GMs answer for all."""
    own = [(nth, choice) for nth, choice in enumerate(choices) if is_gm or choice.waits_for == account]
    for nth, choice in sorted(own, key=lambda pair: pair[1].waits_for != account):
        yield nth, choice.answers if choice.waits_for in (account, None) else choice.gm_answers


def answers_by_command(
    answers: Sequence[MayAnswer], kinds: Mapping[str, type[Struct]], words: CommandWords
) -> list[Answers]:
    """The ways of answering, by command and in words."""
    by_command = []
    for command in dict.fromkeys(str(answer.command["type"]) for answer in answers):
        ways = [way for answer in answers if answer.command["type"] == command for way in _ways(answer)]
        by_command.append(_answers_with(command, ways, kinds[command], words))
    return by_command


def _ways(answer: MayAnswer) -> Iterator[Way]:
    """An answer with each combination of the values that it may have; open, where these are many, or numbers."""
    values = [*answer.choices.values()]
    combinations = [*product(*values)] if all(len(options) <= VALUES_MAX for options in values) else []
    is_open = bool(answer.texts or answer.numbers or not 0 < len(combinations) <= VALUES_MAX)
    is_open = is_open or any(map(_differ_in_length, values))
    if is_open or any(type(value) is int for options in values for value in options):
        fields = {
            name: value
            for name, value in answer.command.items()
            if name not in {*answer.choices, *answer.numbers, *answer.texts}
        }
        yield Way(fields, whole=False)
        return
    for combination in combinations:
        yield Way({**answer.command, **dict(zip(answer.choices, combination, strict=True))}, whole=True)


def _differ_in_length(options: Sequence[Any]) -> bool:
    """Whether the options are lists that may be longer or shorter: the form has more of them."""
    return len({len(option) for option in options if isinstance(option, list)}) > 1


def _answers_with(command: str, ways: list[Way], kind: type[Struct], words: CommandWords) -> Answers:
    rows = _rows(ways, kind, words)
    if rows is not None:
        ways = [way for way in ways if _without(way.command, rows.field) != rows.command]
    common = _common([*(way.command for way in ways), *([rows.command] if rows else [])])
    titled_ways: dict[str, Way] = {}
    for way in ways[:WAYS_MAX]:
        apart = {name: value for name, value in way.command.items() if name not in common}
        title = words.values_title(kind, apart)
        titled_ways.setdefault(
            title, structs.replace(way, title=title)
        )  # the form has others that are called alike
    return Answers(command, common, [*titled_ways.values()], rows)


def _rows(ways: Sequence[Way], kind: type[Struct], words: CommandWords) -> Rows | None:
    """The list of several rows in which ways differ, if there is one."""
    for field in fields_of(kind):
        usual = ways[0].command.get(field.name)
        if not isinstance(usual, list) or len(usual) < 2 or not ways[0].whole:  # noqa: PLR2004 — one row is one choice
            continue
        rest = _without(ways[0].command, field.name)
        alike = [
            way.command[field.name] for way in ways if way.whole and _without(way.command, field.name) == rest
        ]
        values: list[Any] = []
        for value in (value for rows in alike for value in rows):
            if value not in values:
                values.append(value)
        if len(alike) > 1 and len(values) <= ROW_VALUES_MAX and field.item is not None:
            titles = [words.values_title(kind, {field.name: [value]}) for value in values]
            return Rows(field.name, rest, values, titles, usual)
    return None


def _without(command: Mapping[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in command.items() if name != field}


def _common(commands: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The fields that all commands have in common."""
    first = commands[0] if commands else {}
    return {
        name: value
        for name, value in first.items()
        if all(name in other and other[name] == value for other in commands)
    }
