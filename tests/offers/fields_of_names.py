"""Which fields of commands name things."""

from collections.abc import Iterator

from msgspec import Struct

from domain.offers.fields import Field, fields_of


def named_by(kind: type[Struct]) -> Iterator[tuple[str, Field]]:
    """The fields of a command that name things, alone or in a list."""
    for field in fields_of(kind):
        named = field.item if field.kind == "list" and field.item is not None else field
        if named.ref is not None and not named.is_number:
            yield field.name, named
