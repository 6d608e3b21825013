"""The lines of a campaign's export.

An export is NDJSON: a header, every event in order, the people who are named in them, seeds that are public, a
signed checkpoint, and an end that counts the lines. Bodies and commands are the text that was hashed. An event
that the export's reader may not see is a `hidden` line, whose hash still links the next event.
"""

import re
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from domain.command_context import Role, StoredVisibility
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId

FORMAT = "fieldlog.export"
VERSION = 1

Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Salt = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Seq = Annotated[int, Meta(ge=1, le=2**53)]
Micros = Annotated[int, Meta(ge=0, le=2**53)]
Word = Annotated[str, Meta(min_length=1, max_length=200)]


class Line(Struct, frozen=True, tag_field="line", forbid_unknown_fields=True, omit_defaults=True):
    """One line of an export."""


class Header(Line, frozen=True, tag="header"):
    """Which campaign this is, and for which reader; `as_of` and `head_hash` are of the last event."""

    format: str
    version: int
    campaign_id: CampaignId
    name: str
    systems: list[str]
    exported_at: str
    as_of: Seq
    head_hash: Hash
    role: Role


class EventLine(Line, frozen=True, tag="event"):
    """An event with everything that its hash covers; its fields are those of `StoredEvent`.

    `texts` are the personal texts by their path, without erased ones.
    """

    seq: Seq
    action_id: ActionId
    kind: Word
    kind_version: Annotated[int, Meta(ge=1, le=2**31)]
    recorded_at: Micros
    game_time: Annotated[int, Meta(ge=-(2**62), le=2**62)]
    actor: AccountId | None
    cause: Annotated[str, Meta(max_length=200)]
    visibility: StoredVisibility
    body: str
    salt: Salt
    hash: Hash
    command: str | None = None
    text_salt: Salt | None = None
    texts: dict[str, str] | None = None


class HiddenLine(Line, frozen=True, tag="hidden"):
    """An event that the reader may not see: the same for each visibility.

    Its link to the event before is not checked, as its hash covers its visibility. Files of earlier versions
    have the `visibility` of some, and `private`, the salted hash of the content: those are checked.
    """

    seq: Seq
    recorded_at: Micros
    hash: Hash
    visibility: StoredVisibility | None = None
    private: Hash | None = None


class PersonLine(Line, frozen=True, tag="person"):
    """The name of a person; `role` is None for one who is no member (any more)."""

    account: AccountId
    name: Annotated[str, Meta(max_length=200)]
    role: Role | None = None


class SeedLine(Line, frozen=True, tag="seed"):
    """The public part of a dice epoch, in hexadecimal. docs/play/dice.md says how dice follow from it."""

    epoch: int
    commitment: Hash
    hidden_commitment: Hash
    seed: Hash | None = None
    hidden_seed: Hash | None = None


class CheckpointLine(Line, frozen=True, tag="checkpoint"):
    """The service's signature of the last event of the export, as `GET …/checkpoint` returns it."""

    campaign_id: CampaignId
    seq: Seq
    hash: Hash
    at: str
    public_key: Hash
    signature: Annotated[str, Meta(pattern=r"\A[0-9a-f]{128}\Z")]


class EndLine(Line, frozen=True, tag="end"):
    """The last line; `lines` counts it too, and `sha256` is of all the bytes before it."""

    lines: int
    sha256: Hash


AnyLine = Header | EventLine | HiddenLine | PersonLine | SeedLine | CheckpointLine | EndLine

_encoder = msgspec.json.Encoder()


_SEPARATORS = re.compile("\x85|\u2028|\u2029".encode())
"""Characters that JSON takes as they are, and many programs as the end of a line."""


def encode_line(line: AnyLine) -> bytes:
    """A line with its line break, and no other one in it: the text that is read back is the same."""
    return _SEPARATORS.sub(_as_json_escape, _encoder.encode(line)) + b"\n"


def _as_json_escape(match: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(match[0].decode())


def event_line(row: StoredEvent) -> EventLine:
    """A row of the log as a line."""
    return EventLine(
        seq=row.seq,
        action_id=row.action_id,
        kind=row.kind,
        kind_version=row.kind_version,
        recorded_at=row.recorded_at,
        game_time=row.game_time,
        actor=row.actor,
        cause=row.cause,
        visibility=row.visibility,
        body=row.body.decode(),
        salt=row.salt.hex(),
        hash=row.hash.hex(),
        command=None if row.command is None else row.command.decode(),
        text_salt=None if row.text_salt is None else row.text_salt.hex(),
        texts=None if row.texts is None else msgspec.json.decode(row.texts),
    )


def hidden_line(row: StoredEvent) -> HiddenLine:
    """A row of the log for a reader who may not see it."""
    return HiddenLine(seq=row.seq, recorded_at=row.recorded_at, hash=row.hash.hex())


def stored_event(line: EventLine) -> StoredEvent:
    """The row that a line was made from."""
    return StoredEvent(
        seq=line.seq,
        action_id=line.action_id,
        kind=line.kind,
        kind_version=line.kind_version,
        recorded_at=line.recorded_at,
        game_time=line.game_time,
        actor=line.actor,
        cause=line.cause,
        visibility=line.visibility,
        command=None if line.command is None else line.command.encode(),
        body=line.body.encode(),
        salt=bytes.fromhex(line.salt),
        hash=bytes.fromhex(line.hash),
        text_salt=None if line.text_salt is None else bytes.fromhex(line.text_salt),
        texts=None if line.texts is None else _encoder.encode(line.texts),
    )
