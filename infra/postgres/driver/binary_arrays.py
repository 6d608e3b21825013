"""Arrays in PostgreSQL's binary format, packed column by column.

psycopg packs a list element by element through its adapters, which takes twice as long (measured on the
group of 256 that the log appends at once); and it types an empty list differently from a full one, so that a
statement would be prepared once per combination.
"""

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, ClassVar
from uuid import UUID

from msgspec import Struct
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper
from psycopg.pq import Format

# Dimensions, "may hold nulls" (the server looks for itself), type; with elements also size and first index.
_HEAD = struct.Struct(">5i").pack
_EMPTY = struct.Struct(">3i").pack
_LENGTH = struct.Struct(">i").pack
_NULL = _LENGTH(-1)
_LENGTH_16 = 16 << 128
"""Added to a 16-byte number, it puts the number's length in front."""


class PackedArray(ABC):
    """The bytes of an array, ready to be sent. Its subclasses say of which type."""

    __slots__ = ("packed",)
    array_oid: ClassVar[int]

    def __init__(self, values: Sequence[Any]) -> None:
        self.packed = self.pack(values)

    @staticmethod
    @abstractmethod
    def pack(values: Sequence[Any]) -> bytes:
        """The array with these elements, as bytes."""


class BigintArray(PackedArray):
    """`bigint[]`."""

    __slots__ = ()
    array_oid = 1016

    @staticmethod
    def pack(values: Sequence[int]) -> bytes:
        """Numbers of 8 bytes."""
        return _of_numbers(20, "q", 8, values)


class IntegerArray(PackedArray):
    """`integer[]`."""

    __slots__ = ()
    array_oid = 1007

    @staticmethod
    def pack(values: Sequence[int]) -> bytes:
        """Numbers of 4 bytes."""
        return _of_numbers(23, "i", 4, values)


class BytesArray(PackedArray):
    """`bytea[]`; None is null."""

    __slots__ = ()
    array_oid = 1001

    @staticmethod
    def pack(values: Sequence[bytes | None]) -> bytes:
        """Each value behind its length, null as length -1."""
        return _array(17, [_NULL if value is None else _LENGTH(len(value)) + value for value in values])


class TextArray(PackedArray):
    """`text[]`; None is null."""

    __slots__ = ()
    array_oid = 1009

    @staticmethod
    def pack(values: Sequence[str | None]) -> bytes:
        """Each value in UTF-8 behind its length, null as length -1."""
        return _array(
            25, [_NULL if value is None else _LENGTH(len(text := value.encode())) + text for value in values]
        )


class UuidArray(PackedArray):
    """`uuid[]`; None is null."""

    __slots__ = ()
    array_oid = 2951

    @staticmethod
    def pack(values: Sequence[UUID | None]) -> bytes:
        """Numbers of 16 bytes."""
        return _array(
            2950, [_NULL if value is None else (_LENGTH_16 | value.int).to_bytes(20, "big") for value in values]
        )


def _array(oid: int, elements: list[bytes]) -> bytes:
    """An array of elements that already have their lengths in front."""
    return _HEAD(1, 1, oid, len(elements), 1) + b"".join(elements) if elements else _EMPTY(0, 0, oid)


def _of_numbers(oid: int, form: str, size: int, values: Sequence[int]) -> bytes:
    """An array of numbers of one size, packed in one call."""
    count = len(values)
    if not count:
        return _EMPTY(0, 0, oid)
    pairs = [size] * (2 * count)
    pairs[1::2] = values
    return _packer(form, count)(1, 1, oid, count, 1, *pairs)


@lru_cache(maxsize=128)
def _packer(form: str, count: int) -> Callable[..., bytes]:
    """A function that packs the array header and `count` numbers, each behind its size."""
    return struct.Struct(">5i" + f"i{form}" * count).pack


class ArrayArguments(Struct, frozen=True, gc=False):
    """Arguments that are all arrays, with their types, so that psycopg need not determine them."""

    types: tuple[int, ...]
    values: list[bytes]


def teach_arrays(adapters: AdaptersMap) -> None:
    """Register `PackedArray` with a connection's adapters, to be sent as it is."""
    for array in (BigintArray, IntegerArray, BytesArray, TextArray, UuidArray):
        adapters.register_dumper(array, _dumper(array.array_oid))


def _dumper(array_oid: int) -> type[Dumper]:
    class PackedDumper(Dumper):
        format = Format.BINARY
        oid = array_oid

        def dump(self, obj: PackedArray) -> Buffer | None:
            return obj.packed

    return PackedDumper
