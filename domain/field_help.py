"""The purpose of a field in a sentence, given beside its type, as `Meta(description=…)`."""

from functools import cache
from typing import get_type_hints

from msgspec import Meta, Struct, structs


@cache
def field_help(kind: type[Struct], name: str) -> str:
    """The help text of a field by the name that it has in JSON; empty where nothing is said."""
    own = next(field.name for field in structs.fields(kind) if field.encode_name == name)
    metadata = getattr(get_type_hints(kind, include_extras=True)[own], "__metadata__", ())
    return next((mark.description for mark in metadata if isinstance(mark, Meta) and mark.description), "")
