"""PostgreSQL's binary COPY format, as `COPY … TO STDOUT (FORMAT BINARY)` writes it."""

from collections.abc import Iterator
from struct import Struct
from typing import BinaryIO

SIGNATURE = b"PGCOPY\n\xff\r\n\0"
_HEADER = SIGNATURE + bytes(8)  # no flags, and nothing that a reader would skip
_CHUNK_BYTES = 1 << 20
_END = 0xFFFF
_count = Struct(">H")
_length = Struct(">i")

Field = bytes | None


class CopyDamaged(Exception):  # noqa: N818 — it states what is the case, as rejections do
    """The bytes are no binary COPY, or end too early."""


class _Pieces:
    """A file of which small pieces are taken, read in large ones."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._kept, self._at = file, b"", 0

    def take(self, size: int) -> bytes:
        """The next bytes. Raises CopyDamaged where there are fewer."""
        if len(self._kept) - self._at < size:
            self._kept, self._at = self._kept[self._at :], 0
            while len(self._kept) < size:
                chunk = self._file.read(max(_CHUNK_BYTES, size - len(self._kept)))
                if not chunk:
                    raise CopyDamaged("it ends in the middle of a row")
                self._kept += chunk
        self._at += size
        return self._kept[self._at - size : self._at]


def rows_in(file: BinaryIO) -> Iterator[list[Field]]:
    """Every row with its fields as PostgreSQL sends them; None is SQL's null. Raises CopyDamaged."""
    take = _Pieces(file).take
    if take(len(_HEADER)) != _HEADER:
        raise CopyDamaged("it does not begin as a binary COPY")
    while (fields := _count.unpack(take(_count.size))[0]) != _END:
        row: list[Field] = []
        for _ in range(fields):
            (length,) = _length.unpack(take(_length.size))
            row.append(take(length) if length >= 0 else None)
        yield row
