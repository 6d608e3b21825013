"""Fields of structs, with the choices among their values in the order in which the rules name them."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct, inspect, structs

from domain.type_cache import once_per_kind

_Literals = list[tuple[Any, ...]]


@once_per_kind
def declared_fields(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    """The fields of a struct as inspection finds them, with literals as they were written down.

    Inspection sorts their values, and puts a d10 before a d4.
    """
    struct_type = inspect.type_info(kind)
    assert isinstance(struct_type, inspect.StructType)
    hints = get_type_hints(get_origin(kind) or kind, include_extras=True)
    return tuple(
        structs.replace(field, type=_as_declared(field.type, [*_literals(hints[field.name])]))
        for field in struct_type.fields
    )


def _literals(hint: Any) -> Iterator[tuple[Any, ...]]:
    """The values of each literal in a type, as they were written down."""
    if get_origin(hint) is Literal:
        yield get_args(hint)
    else:
        for argument in get_args(hint):
            yield from _literals(argument)


def _as_declared(part: Any, literals: _Literals) -> Any:
    """A type, or its parts, with its literals in their order; structs within have fields of their own."""
    match part:
        case inspect.LiteralType(values=values):
            return inspect.LiteralType(next((literal for literal in literals if {*literal} == {*values}), values))
        case inspect.StructType():
            return part
        case inspect.Type():
            inner = structs.asdict(part)
            return structs.replace(
                part, **{name: _as_declared(inner_part, literals) for name, inner_part in inner.items()}
            )
        case tuple():
            return tuple(_as_declared(inner_part, literals) for inner_part in part)
    return part
