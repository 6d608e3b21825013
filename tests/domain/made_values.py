"""Plain JSON of any type, made at random."""

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID

from msgspec import inspect as shapes

from domain.campaign.calendar_shapes import DAYS, INTERVALS
from domain.campaign.messages.next_session import UTC_MINUTE

OF_FORM = {
    r"\S": "Mara",
    r"^[a-z0-9][a-z0-9_.\-]*$": "a.b-c_1",
    r"^[a-z0-9][a-z0-9_:.\-]*$": "pilot:mara",
    r"\A[0-9a-f]{64}\Z": "0" * 64,
    r"^(all|gm|blind|account:[0-9a-f-]{36})(?!\n)$": "gm",
    DAYS: "29.5",
    INTERVALS: "400,!100,4",
    UTC_MINUTE: "2187-03-04T23:00Z",
}


def parts(kind: Any) -> list[Any]:
    match kind:
        case shapes.Metadata(type=inner):
            return parts(inner)
        case shapes.UnionType(types=types):
            return [part for each in types for part in parts(each)]
    return [kind]


def some(kind: Any, chance: Random) -> Any:
    """Something that a type allows."""
    part = chance.choice(parts(kind))
    return MADE[type(part)](part, chance)


def some_list(part: Any, chance: Random) -> Any:
    return [some(part.item_type, chance) for _ in range(max(part.min_length or 0, chance.randrange(3)))]


def some_struct(part: Any, chance: Random) -> Any:
    wanted = [each for each in part.fields if each.required or chance.random() < 0.5]
    tagged = {} if part.tag is None else {part.tag_field: part.tag}
    return tagged | {each.encode_name: some(each.type, chance) for each in wanted}


MADE: dict[type, Callable[[Any, Random], Any]] = {
    shapes.NoneType: lambda _, __: None,
    shapes.BoolType: lambda _, chance: chance.random() < 0.5,
    shapes.IntType: lambda part, chance: chance.choice([part.ge or 0, 10**6 if part.le is None else part.le]),
    shapes.StrType: lambda part, chance: OF_FORM.get(
        part.pattern, "m" * max(part.min_length or 0, chance.randrange(3))
    ),
    shapes.UUIDType: lambda _, chance: str(UUID(int=chance.getrandbits(128))),
    shapes.LiteralType: lambda part, chance: chance.choice([*part.values]),
    shapes.ListType: some_list,
    shapes.VarTupleType: some_list,
    shapes.TupleType: lambda part, chance: [some(item, chance) for item in part.item_types],
    shapes.DictType: lambda part, chance: {
        some(part.key_type, chance): some(part.value_type, chance) for _ in range(chance.randrange(3))
    },
    shapes.StructType: some_struct,
    shapes.AnyType: lambda _, chance: chance.choice([1, "x", [None], {"a": {}}]),
}
