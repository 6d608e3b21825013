"""Which structs a type is made of, with the words that each of their fields can hold in the order of the rules."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct, inspect

from domain.declared_fields import declared_fields
from domain.sentences import Sentence


class FieldContents(NamedTuple):
    """The possible contents of a field: the words of its enumerations and tags of its variants, and structs."""

    words: tuple[str, ...]
    structs: tuple[type[Struct], ...]


Shape = dict[str, FieldContents]
"""A struct: its fields by wire name."""


@cache
def shapes(kind: Any) -> dict[type[Struct], Shape]:
    """Every struct that a type is made of, outermost first; a sentence is a text."""
    shape_of: dict[type[Struct], Shape] = {}
    open_ = [inspect.type_info(kind)]
    while open_:
        for part in _parts(open_.pop(0)):
            if isinstance(part, inspect.StructType) and not (
                part.cls in shape_of or issubclass(part.cls, Sentence)
            ):
                fields = declared_fields(part.cls)
                shape_of[part.cls] = {field.encode_name: _contents_of(field.type) for field in fields}
                open_ += [field.type for field in fields]
    return shape_of


def _contents_of(kind: inspect.Type) -> FieldContents:
    words: list[str] = []
    structs: list[type[Struct]] = []
    for part in _parts(kind):
        if isinstance(part, inspect.LiteralType):
            words += [word for word in part.values if isinstance(word, str)]
        elif isinstance(part, inspect.StructType) and not issubclass(part.cls, Sentence):
            structs.append(part.cls)
            words += [part.tag] if isinstance(part.tag, str) else []
    return FieldContents(tuple(dict.fromkeys(words)), tuple(dict.fromkeys(structs)))


def _parts(kind: inspect.Type) -> Iterator[inspect.Type]:
    """A type's alternatives, elements, keys and values, down to what is made of nothing else, or of fields."""
    match kind:
        case inspect.Metadata():
            inner = [kind.type]
        case inspect.UnionType():
            inner = list(kind.types)
        case inspect.CollectionType():
            inner = [kind.item_type]
        case inspect.TupleType():
            inner = list(kind.item_types)
        case inspect.DictType():
            inner = [kind.key_type, kind.value_type]
        case _:
            inner = []
            yield kind
    for part in inner:
        yield from _parts(part)
