"""Arrays in PostgreSQL's binary format, packed column by column.

psycopg packs a list element by element through its adapters, which takes twice as long (measured on the
group of 256 that the log appends at once); and it types an empty list differently from a full one, so that a
statement would be prepared once per combination.
"""

from collections.abc import Callable, Sequence
from struct import pack
from typing import ClassVar
from uuid import UUID

from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper
from psycopg.pq import Format

_NULL = b"\xff\xff\xff\xff"
_LENGTH_16 = pack(">i", 16)


class PackedArray:
    """The bytes of an array, ready to be sent. Its subclasses say of which type."""

    __slots__ = ("packed",)
    element_oid: ClassVar[int]
    array_oid: ClassVar[int]

    def __init__(self, count: int, elements: bytes) -> None:
        # dimensions, "may hold nulls" (the server looks for itself), type; then size and first index
        head = pack(">5i", 1, 1, self.element_oid, count, 1) if count else pack(">3i", 0, 0, self.element_oid)
        self.packed = head + elements


class BigintArray(PackedArray):
    """`bigint[]`."""

    __slots__ = ()
    element_oid = 20
    array_oid = 1016

    def __init__(self, values: Sequence[int]) -> None:
        count = len(values)
        pairs = [8] * (2 * count)
        pairs[1::2] = values
        super().__init__(count, pack(">" + "iq" * count, *pairs))


class IntegerArray(PackedArray):
    """`integer[]`."""

    __slots__ = ()
    element_oid = 23
    array_oid = 1007

    def __init__(self, values: Sequence[int]) -> None:
        count = len(values)
        pairs = [4] * (2 * count)
        pairs[1::2] = values
        super().__init__(count, pack(f">{2 * count}i", *pairs))


class BytesArray(PackedArray):
    """`bytea[]`; None is null."""

    __slots__ = ()
    element_oid = 17
    array_oid = 1001

    def __init__(self, values: Sequence[bytes | None]) -> None:
        super().__init__(len(values), _joined(values))


class TextArray(PackedArray):
    """`text[]`; None is null."""

    __slots__ = ()
    element_oid = 25
    array_oid = 1009

    def __init__(self, values: Sequence[str | None]) -> None:
        encoded = [None if value is None else value.encode() for value in values]
        super().__init__(len(values), _joined(encoded))


class UuidArray(PackedArray):
    """`uuid[]`; None is null."""

    __slots__ = ()
    element_oid = 2950
    array_oid = 2951

    def __init__(self, values: Sequence[UUID | None]) -> None:
        elements = b"".join([_NULL if value is None else _LENGTH_16 + value.bytes for value in values])
        super().__init__(len(values), elements)


def _joined(values: Sequence[bytes | None]) -> bytes:
    """Each value behind its length, null as length -1."""
    parts: list[bytes] = []
    add: Callable[[bytes], None] = parts.append
    for value in values:
        if value is None:
            add(_NULL)
        else:
            add(len(value).to_bytes(4, "big"))
            add(value)
    return b"".join(parts)


def teach_arrays(adapters: AdaptersMap) -> None:
    """Let a connection send every kind of `PackedArray` as it is."""
    for array in (BigintArray, IntegerArray, BytesArray, TextArray, UuidArray):
        adapters.register_dumper(array, _dumper(array.array_oid))


def _dumper(array_oid: int) -> type[Dumper]:
    class PackedDumper(Dumper):
        format = Format.BINARY
        oid = array_oid

        def dump(self, obj: PackedArray) -> Buffer | None:
            return obj.packed

    return PackedDumper
