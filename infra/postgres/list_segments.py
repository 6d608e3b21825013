"""Lists as PostgreSQL stores them: in segments of many rows, so that a row costs next to nothing.

A segment holds the rows of `SEGMENT_EVENTS` seqs, in parts: each time a campaign's projection goes on, another
part is added to the last segment. Rows with the same keys stand together in a part. Parts are compressed here:
PostgreSQL would do it again with all earlier parts of a segment, whenever one is added.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from domain.projection_types import ViewRow

SEGMENT_EVENTS = 128
"""As many as a page mostly needs. Stored segments depend on it: another number needs another snapshot format."""

COMPRESSION_LEVEL = 1
"""A third of the size for a few microseconds an event; higher levels gain next to nothing."""

_Bundle = tuple[tuple[str, ...], int, list[tuple[int, int, bytes]]]
"""Keys, the seq since which the rows have them, and the rows: seq, nth, content."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[_Bundle])


class Part(Struct, frozen=True, gc=False):
    """Rows of one segment of one list, packed; `keys` are all that any of the rows has."""

    view: str
    number: int
    keys: list[str]
    rows: bytes


def packed(rows: Iterable[ViewRow]) -> list[Part]:
    """Pack the rows of several lists."""
    segments: defaultdict[tuple[str, int], defaultdict[tuple[tuple[str, ...], int], list[tuple[int, int, bytes]]]]
    segments = defaultdict(lambda: defaultdict(list))
    for row in rows:
        bundles = segments[row.view, row.seq // SEGMENT_EVENTS]
        bundles[row.keys, row.since].append((row.seq, row.nth, row.content))
    return [
        Part(
            view,
            number,
            sorted({key for keys, _ in bundles for key in keys}),
            zlib.compress(
                _encoder.encode([(*bundle, of_bundle) for bundle, of_bundle in bundles.items()]),
                COMPRESSION_LEVEL,
            ),
        )
        for (view, number), bundles in segments.items()
    ]


def unpacked(view: str, parts: Iterable[bytes], keys: Sequence[str], after: int, upto: int) -> list[ViewRow]:
    """Rows of a segment that have all of `keys`, with `after` < seq ≤ `upto`, as listed by then, in order."""
    wanted = set(keys)
    bundles = [bundle for part in parts for bundle in _decoder.decode(zlib.decompress(part)) if bundle[1] <= upto]
    again = [(since, seq) for _, since, rows in bundles if since for seq, _, _ in rows]
    newest = {seq: since for since, seq in sorted(again)}
    return sorted(
        (
            ViewRow(view, seq, nth, of_row, content, since)
            for of_row, since, rows in bundles
            if wanted.issubset(of_row)
            for seq, nth, content in rows
            if after < seq <= upto and newest.get(seq, 0) == since
        ),
        key=lambda row: (row.seq, row.nth),
    )
