"""Logs as they lie in the database, read by plain SQL, and the hash chain computed by its description."""

import hashlib
import json
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

ROWS = """
    SELECT campaign_id::text, seq, action_id, kind, kind_version, recorded_at, game_time, actor, cause, visibility,
           command, body, salt, hash,
           (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000000)::bigint
    FROM events ORDER BY campaign_id, seq
"""
HEADS = "SELECT campaign_id::text, seq, hash FROM campaign_heads"
SCHEDULED = "campaign.timer_scheduled"
FIRED = "campaign.timer_fired"
UNDONE = "campaign.action_undone"


class Row(NamedTuple):
    """One event; `committed_at` is PostgreSQL's own word, in microseconds UTC."""

    seq: int
    action_id: str
    kind: str
    actor: str | None
    body: dict[str, Any]
    game_time: int
    recorded_at: int
    committed_at: int
    hash: bytes
    computed_hash: bytes


class Log(NamedTuple):
    """A campaign's events in the order of seq, and its head."""

    rows: list[Row]
    head: tuple[int, bytes] | None

    @property
    def seq(self) -> int:
        """Where it ends."""
        return len(self.rows)

    @property
    def scheduled(self) -> list[Row]:
        """Timers that were made."""
        return [row for row in self.rows if row.kind == SCHEDULED]

    @property
    def fired(self) -> list[Row]:
        """Timers that fired."""
        return [row for row in self.rows if row.kind == FIRED]

    @property
    def standing(self) -> list[Row]:
        """Events of actions that were not undone."""
        undone = {row.body["action_id"] for row in self.rows if row.kind == UNDONE}
        return [row for row in self.rows if row.action_id not in undone]


def read_logs(connection: "psycopg.Connection[Any]") -> dict[str, Log]:
    """Every campaign's log."""
    rows: dict[str, list[Row]] = {}
    for campaign, *columns in connection.execute(ROWS):
        held = rows.setdefault(campaign, [])
        held.append(_row(UUID(campaign), columns, held[-1].computed_hash if held else bytes(32)))
    heads = {campaign: (seq, bytes(digest)) for campaign, seq, digest in connection.execute(HEADS)}
    return {campaign: Log(held, heads.get(campaign)) for campaign, held in rows.items()}


def _row(campaign: UUID, columns: list[Any], previous: bytes) -> Row:
    (seq, action_id, kind, version, recorded_at, game_time, actor, cause, visibility) = columns[:9]
    command, body, salt, digest, committed_at = columns[9:]
    private = _digest(
        bytes(salt),
        kind.encode(),
        version.to_bytes(4),
        b"" if actor is None else actor.bytes,
        cause.encode(),
        game_time.to_bytes(8, signed=True),
        bytes(command or b""),
        bytes(body),
        action_id.bytes,
    )
    computed = _digest(
        b"fieldlog.event.v1",
        campaign.bytes,
        seq.to_bytes(8),
        previous,
        recorded_at.to_bytes(8, signed=True),
        visibility.encode(),
        private,
    )
    return Row(
        seq,
        str(action_id),
        kind,
        None if actor is None else str(actor),
        json.loads(bytes(body)),
        game_time,
        recorded_at,
        committed_at,
        bytes(digest),
        computed,
    )


def _digest(*parts: bytes) -> bytes:
    """SHA-256 of parts, each with its length in four bytes before it."""
    return hashlib.sha256(b"".join(len(part).to_bytes(4) + part for part in parts)).digest()
