"""What commands say of their fields."""

import re
from collections import deque
from collections.abc import Iterator
from typing import Any, get_args
from uuid import UUID

import pytest
from msgspec import Struct, inspect

from domain.campaign.commands import PlayCommand
from domain.command_context import CommandContext
from domain.field_references import NEW, REF
from domain.ids import AccountId, ActionId
from domain.offers.fields import Field, fields_of
from domain.personal_text import PERSONAL
from domain.systems import SYSTEMS
from domain.systems.system import RuleSystem

COMMANDS = {str(each): SYSTEMS[each].commands for each in SYSTEMS} | {"campaign": PlayCommand}


def texts(
    found: inspect.Type, path: str, marks: frozenset[str] = frozenset()
) -> Iterator[tuple[str, frozenset[str]]]:
    """Every text in a command with what its annotations say of it."""
    match found:
        case inspect.Metadata():
            yield from texts(found.type, path, marks | frozenset(found.extra or {}))
        case inspect.UnionType():
            for each in found.types:
                yield from texts(each, path, marks)
        case inspect.StructType():
            for field in found.fields:
                yield from texts(field.type, f"{path}.{field.encode_name}")
        case inspect.ListType() | inspect.VarTupleType():
            yield from texts(found.item_type, f"{path}[]", marks)
        case inspect.DictType(value_type=inspect.AnyType()):
            return  # a command or sheet in it, which says of itself what it is
        case inspect.DictType():
            yield from texts(found.key_type, f"{path}{{key}}", marks)
            yield from texts(found.value_type, f"{path}{{}}", marks)
        case inspect.StrType():
            yield path, marks


def unexplained(kind: type[Struct]) -> list[str]:
    """The texts of a command of which nothing says what they are."""
    found: Any = inspect.type_info(kind)
    return [path for path, marks in texts(found, str(found.tag)) if not marks & {REF, NEW, PERSONAL}]


@pytest.mark.parametrize("owner", sorted(COMMANDS))
def test_every_text_of_a_command_is_a_choice_a_new_name_or_in_own_words(owner):
    assert [path for kind in get_args(COMMANDS[owner]) for path in unexplained(kind)] == []


class NothingSaid(dict[str, Any]):
    """The fields of a command while none is said; `looked_for` are those that somebody asked about."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_for: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.looked_for.add(name)
        return default


def looked_for(system: RuleSystem) -> dict[str, set[str]]:
    """The fields that candidates of a kind look at, as far as a state tells in which there is nothing yet."""
    found: dict[str, set[str]] = {}
    for kind, find in system.candidates.items():
        said = NothingSaid()
        context = CommandContext(
            command=None,
            account=AccountId(UUID(int=1)),
            role="gm",
            action_id=ActionId(UUID(int=2)),
            at=0,
            game_time=0,
            settings=system.settings(),
        )
        deque(find(system.state(), said, context), maxlen=0)
        found[kind] = said.looked_for
    return found


def parts_of(field: Field) -> Iterator[Field]:
    yield field
    for part in (*field.parts, *field.variants):
        yield from parts_of(part)


LIKELIEST_FIRST = {("freefall", "machine")}
"""What looks at another field for its order only."""


@pytest.mark.parametrize("owner", sorted(SYSTEMS))
def test_a_choice_that_another_field_decides_says_by_which(owner):
    system = SYSTEMS[owner]
    deciding = looked_for(system)
    assert any(deciding.values()) or owner == "mobile_frame"
    for command in get_args(system.commands):
        fields = fields_of(command)
        for part in (part for field in fields for part in parts_of(field)):
            if part.ref is None or (owner, part.ref) in LIKELIEST_FIRST:
                continue
            others = deciding.get(part.ref, set()) & {field.name for field in fields} - {part.name}
            if others:
                assert others.intersection(part.depends), (command, part.name, others)


def dice_of(field: Field) -> Iterator[tuple[str, ...]]:
    """The dice that a field and its parts let choose."""
    if field.values and all(re.fullmatch(r"d\d+", str(each)) for each in field.values):
        yield field.values
    for each in (*field.parts, *field.variants):
        yield from dice_of(each)


def test_dice_to_choose_from_are_named_from_the_smallest_to_the_largest():
    kinds = [kind for owner in COMMANDS.values() for kind in get_args(owner)]
    offered = [dice for kind in kinds for field in fields_of(kind) for dice in dice_of(field)]
    assert offered
    for dice in offered:
        assert list(dice) == sorted(dice, key=lambda each: int(each[1:]))
