"""Commands that note which of their fields the rules look at, and commands of which nothing is said yet."""

from typing import Any

from msgspec import Struct, StructMeta

from domain.type_cache import once_per_kind

Reads = list[str]


@once_per_kind
def _watching(kind: type[Struct]) -> tuple[Any, Reads]:
    """The type of a command that notes every read of its fields, and where it notes them."""
    fields, reads = frozenset(kind.__struct_fields__), Reads()

    def note_read(command: Any, name: str) -> Any:
        if name in fields:
            reads.append(name)
        return kind if name == "__class__" else object.__getattribute__(command, name)

    watched_kind = StructMeta(kind.__name__, (kind,), {"__getattribute__": note_read}, frozen=True)
    return watched_kind, reads


def watched(command: Any) -> tuple[Any, Reads]:
    """The same command, and the list in which it notes the fields that are read, each time by its name.

    The list belongs to all commands of the type, and is empty when this returns.
    """
    kind, reads = _watching(type(command))
    watched_command = kind(**{field: getattr(command, field) for field in command.__struct_fields__})
    reads.clear()
    return watched_command, reads


class FieldRead(BaseException):
    """The rules look at a field of a command of which nothing is said. No rule catches it."""


@once_per_kind
def blank(kind: type[Struct]) -> Any:
    """A command of which nothing is said: to read any of its fields raises `FieldRead`."""
    fields = frozenset(kind.__struct_fields__)

    def refuse_read(command: Any, name: str) -> Any:
        if name in fields:
            raise FieldRead
        return kind if name == "__class__" else object.__getattribute__(command, name)

    blank_kind: Any = StructMeta(kind.__name__, (kind,), {"__getattribute__": refuse_read}, frozen=True)
    return blank_kind(**dict.fromkeys(fields, NOT_SAID))


NOT_SAID = object()
"""In the fields of such a command. Nothing that reads past the notes, as encoding does, knows what it is."""
