"""Rows of the log as a copy of its tables holds them, in PostgreSQL's binary format."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from struct import Struct, error
from typing import Any, BinaryIO
from uuid import UUID

from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from infra.postgres.copy_format import CopyDamaged, rows_in
from infra.postgres.packed_json import unpacked

EVENT_COLUMNS = (
    "campaign_id",
    "seq",
    "action_id",
    "kind",
    "kind_version",
    "recorded_at",
    "game_time",
    "actor",
    "cause",
    "visibility",
    "command",
    "body",
    "salt",
    "hash",
)
_integer = Struct(">i").unpack
_bigint = Struct(">q").unpack
_bytea = bytes  # the same bytes; refuses null


def events_in(file: BinaryIO, columns: Sequence[str]) -> Iterator[tuple[CampaignId, StoredEvent]]:
    """Every event with its campaign, in the order of the file. Raises CopyDamaged."""
    last, campaign_id = b"", CampaignId(UUID(int=0))
    with _fields_of_their_columns():
        for row in _picked(file, columns, EVENT_COLUMNS):
            (
                campaign,
                seq,
                action,
                kind,
                version,
                recorded,
                game,
                actor,
                cause,
                visibility,
                command,
                body,
                salt,
                hash_,
            ) = row
            if campaign != last:
                last, campaign_id = campaign, CampaignId(UUID(bytes=campaign))
            yield (
                campaign_id,
                StoredEvent(
                    _bigint(seq)[0],
                    ActionId(UUID(bytes=action)),
                    kind.decode(),
                    _integer(version)[0],
                    _bigint(recorded)[0],
                    _bigint(game)[0],
                    None if actor is None else AccountId(UUID(bytes=actor)),
                    cause.decode(),
                    visibility.decode(),
                    command and unpacked(command),
                    unpacked(_bytea(body)),
                    _bytea(salt),
                    _bytea(hash_),
                ),
            )


def texts_in(file: BinaryIO, columns: Sequence[str]) -> Iterator[tuple[CampaignId, int, bytes, bytes]]:
    """Every personal text: its campaign, seq, salt, and the text. Raises CopyDamaged."""
    with _fields_of_their_columns():
        for campaign, seq, salt, texts in _picked(file, columns, ("campaign_id", "seq", "salt", "texts")):
            yield CampaignId(UUID(bytes=campaign)), _bigint(seq)[0], _bytea(salt), _bytea(texts)


def heads_in(file: BinaryIO, columns: Sequence[str]) -> Iterator[tuple[CampaignId, tuple[int, bytes]]]:
    """Where every log ends: seq and hash. Raises CopyDamaged."""
    with _fields_of_their_columns():
        for campaign, seq, hash_ in _picked(file, columns, ("campaign_id", "seq", "hash")):
            yield CampaignId(UUID(bytes=campaign)), (_bigint(seq)[0], _bytea(hash_))


def count_in(file: BinaryIO) -> int:
    """How many rows there are. Raises CopyDamaged."""
    return sum(1 for _ in rows_in(file))


@contextmanager
def _fields_of_their_columns() -> Iterator[None]:
    """Raise CopyDamaged for a column or field that is missing or of another type."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, IndexError, error):
        raise CopyDamaged("a row is none of its table") from None


def _picked(file: BinaryIO, columns: Sequence[str], names: Sequence[str]) -> Iterator[list[Any]]:
    """Rows with the wanted columns only; any of them, since what may be null is known to the caller."""
    places = [columns.index(name) for name in names]
    for row in rows_in(file):
        yield [row[place] for place in places]
