"""Lists as PostgreSQL stores them: in segments of many rows, so that a row costs next to nothing.

A segment holds the rows of `SEGMENT_EVENTS` seqs, compressed, once for all audiences whose rows are the same. When
a campaign's projection goes on, its last segment is written again with the rows that were added. Rows with the
same keys stand together.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.stored_view_types import ViewRow

SEGMENT_EVENTS = 128
"""As many as a page mostly needs. Stored segments depend on it: another number needs another snapshot format."""

COMPRESSION_LEVEL = 1
"""A third of the size for a few microseconds an event; higher levels gain next to nothing."""

Place = tuple[str, int]
"""A list, and the number of one of its segments."""

_Bundles = dict[tuple[tuple[str, ...], int], list[tuple[int, int, bytes]]]
"""By keys and the seq since which rows have them, the rows: seq, nth, content."""
_Bundle = tuple[tuple[str, ...], int, list[tuple[int, int, bytes]]]

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[_Bundle])


class AddedRows(Struct, frozen=True, gc=False):
    """Rows of one segment that are to be stored, packed; `marks` tell what any of them is found by."""

    marks: frozenset[int]
    packed: bytes


class StoredSegment(Struct, frozen=True, gc=False):
    """A segment as it is stored: under `audience`, and for all `readers`, of whom that is one."""

    view: str
    number: int
    audience: str
    readers: list[str]
    marks: list[int]
    content: bytes


def marks_of(keys: Iterable[str]) -> list[int]:
    """The sums by which rows with these keys are found: CRC-32, a few of which are those of other keys too."""
    return [zlib.crc32(key.encode()) - 2**31 for key in keys]


def pack_rows(rows: Iterable[ViewRow]) -> dict[Place, AddedRows]:
    """The rows of several lists by the segments they belong in."""
    segments: defaultdict[Place, _Bundles] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        bundles = segments[row.view, row.seq // SEGMENT_EVENTS]
        bundles[row.keys, row.since].append((row.seq, row.nth, row.content))
    return {
        place: AddedRows(frozenset(marks_of({key for keys, _ in bundles for key in keys})), _encode(bundles))
        for place, bundles in segments.items()
    }


def change_segments(
    place: Place, old_segments: Iterable[StoredSegment], new_rows: Mapping[str, AddedRows]
) -> Iterator[StoredSegment]:
    """The segments to store at one place, where `old_segments` lie and each audience gets its `new_rows`.

    Audiences that shared a segment go on to do so, unless they get other rows. None of `old_segments` loses its
    own audience, so that nothing is left over.
    """
    segments = {segment.audience: segment for segment in old_segments}
    shared_as = {reader: segment.audience for segment in segments.values() for reader in segment.readers}
    together: defaultdict[tuple[str, AddedRows | None], list[str]] = defaultdict(list)
    for audience in dict.fromkeys((*shared_as, *new_rows)):
        together[shared_as.get(audience, ""), new_rows.get(audience)].append(audience)
    for (shared, rows), readers in together.items():
        segment = segments.get(shared)
        if rows is not None:
            audience = shared if shared in readers else readers[0]
            yield StoredSegment(*place, audience, readers, *_join(segment, rows))
        elif segment is not None and readers != segment.readers:
            yield replace(segment, audience=shared if shared in readers else readers[0], readers=readers)


def _join(segment: StoredSegment | None, rows: AddedRows) -> tuple[list[int], bytes]:
    if segment is None:
        return sorted(rows.marks), zlib.compress(rows.packed, COMPRESSION_LEVEL)
    bundles: _Bundles = defaultdict(list)
    for keys, since, of_bundle in (*_bundles(segment.content), *_decoder.decode(rows.packed)):
        bundles[keys, since] += of_bundle
    return sorted(rows.marks.union(segment.marks)), zlib.compress(_encode(bundles), COMPRESSION_LEVEL)


def unpacked(view: str, content: bytes, keys: Sequence[str], after: int, upto: int) -> list[ViewRow]:
    """Rows of a segment that have all of `keys`, with `after` < seq ≤ `upto`, as listed by then, in order."""
    names = set(keys)
    bundles = [bundle for bundle in _bundles(content) if bundle[1] <= upto]
    again = [(since, seq) for _, since, rows in bundles if since for seq, _, _ in rows]
    newest = {seq: since for since, seq in sorted(again)}
    return sorted(
        (
            ViewRow(view, seq, nth, of_row, content, since)
            for of_row, since, rows in bundles
            if names.issubset(of_row)
            for seq, nth, content in rows
            if after < seq <= upto and newest.get(seq, 0) == since
        ),
        key=lambda row: (row.seq, row.nth),
    )


def _encode(bundles: _Bundles) -> bytes:
    return _encoder.encode([(*bundle, of_bundle) for bundle, of_bundle in bundles.items()])


def _bundles(content: bytes) -> list[_Bundle]:
    return _decoder.decode(zlib.decompress(content))
