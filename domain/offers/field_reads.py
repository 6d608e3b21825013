"""Commands that note which of their fields the rules look at."""

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
