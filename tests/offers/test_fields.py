"""What commands say of their fields."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from msgspec import Struct, inspect

from domain.campaign.commands import PlayCommand
from domain.field_references import NEW, REF
from domain.offers.fields import Field, fields_of
from domain.personal_text import PERSONAL
from domain.systems import SYSTEMS

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
