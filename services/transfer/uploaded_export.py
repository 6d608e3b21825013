"""Reads an uploaded export: its lines, plain or compressed, within limits."""

import zlib
from collections.abc import Iterator
from typing import BinaryIO

import msgspec
from msgspec import Struct

from domain.campaign.dice.audit import DiceCheck, DiceReport
from domain.campaign.transfer.export_verifier import FileCheck
from domain.rejection import Rejection
from domain.sentences import say

PIECE_BYTES = 65_536
GZIP = b"\x1f\x8b"


class Limits(Struct, frozen=True):
    """The limits of a file. Beyond `ratio_from` bytes it may expand to `ratio` times its size."""

    bytes_max: int = 536_870_912
    line_bytes: int = 1_048_576
    events: int = 1_000_000
    ratio: int = 60
    ratio_from: int = 1_048_576


LIMITS = Limits()


def too_large(limits: Limits) -> Rejection:
    """The refusal of a file with too many bytes."""
    return Rejection("file_too_large", say("The file holds more than {bytes} bytes.", bytes=limits.bytes_max))


def too_many_events(limits: Limits) -> Rejection:
    """The refusal of a file with too many events."""
    sentence = say("The file holds more than {events} events.", events=limits.events)
    return Rejection("file_too_many_events", sentence)


class FileVerified(Struct, frozen=True):
    """The result of verifying a whole file; `fault` is the first difference from what was exported.

    `watched` is the hash of the event at the watched seq.
    """

    check: FileCheck
    dice: DiceReport | None
    fault: Rejection | None
    watched: bytes | None


def lines(file: BinaryIO, limits: Limits = LIMITS) -> Iterator[bytes]:
    """The lines of a file from its beginning, without line breaks; holds one at a time.

    Raises `file_too_large`, `file_line_too_long`, `file_too_compressed`, and `file_truncated` or `file_malformed`
    if compressed data cannot be unpacked.
    """
    file.seek(0)
    rest = b""
    total = 0
    for piece in _unpacked(file, limits):
        total += len(piece)
        if total > limits.bytes_max:
            raise too_large(limits)
        *whole, rest = (rest + piece).split(b"\n")
        if max(map(len, (*whole, rest))) > limits.line_bytes:
            raise Rejection(
                "file_line_too_long", say("A line is longer than {bytes} bytes.", bytes=limits.line_bytes)
            )
        yield from whole
    if rest and total > len(rest) and not rest.rstrip().endswith(b"}"):  # a first line is judged by its format
        raise Rejection("file_truncated", say("The file ends in the middle of a line."))
    if rest:
        yield rest


def _unpacked(file: BinaryIO, limits: Limits) -> Iterator[bytes]:
    start = file.read(len(GZIP))
    file.seek(0)
    if start != GZIP:
        while piece := file.read(PIECE_BYTES):
            yield piece
        return
    unpacking = zlib.decompressobj(wbits=31)
    packed_size = unpacked_size = 0
    while chunk := file.read(PIECE_BYTES):
        packed_size += len(chunk)
        while chunk:
            try:
                piece = unpacking.decompress(chunk, PIECE_BYTES)
            except zlib.error:
                raise Rejection("file_malformed", say("The file cannot be unpacked.")) from None
            unpacked_size += len(piece)
            if unpacked_size > max(limits.ratio * packed_size, limits.ratio_from):
                raise Rejection("file_too_compressed", say("Unpacked, the file is far too large."))
            yield piece
            chunk = unpacking.unconsumed_tail
        if unpacking.unused_data:
            raise Rejection("file_malformed", say("Something follows what is compressed."))
    if not unpacking.eof:
        raise Rejection("file_truncated", say("The file ends in the middle of what is compressed."))


def verified(file: BinaryIO, limits: Limits = LIMITS, *, watched: int = 0) -> FileVerified:
    """Read an export once: every hash, and every die whose seed is public. `watched` is the seq of an event."""
    check = FileCheck()
    dice: DiceCheck | None = None
    watched_hash: bytes | None = None
    try:
        for raw in lines(file, limits):
            row = check.take(raw)
            if dice is None and check.header is not None:
                dice = DiceCheck(check.header.campaign_id)
            if dice is not None and check.hidden:
                dice.note_hidden()
            if check.seq == watched and watched:
                watched_hash = check.hash
            if row is None or dice is None:
                continue
            try:
                event = msgspec.json.decode(row.body)
            except msgspec.DecodeError:
                event = None
            if isinstance(event, dict):
                dice.add(row.seq, str(row.action_id), event)
            else:
                dice.fault(row.seq, "unreadable", row.kind)
        check.finish()
    except Rejection as fault:
        failure: Rejection | None = fault
    else:
        failure = None
    return FileVerified(check, None if dice is None else dice.report(), failure, watched_hash)
