"""A database that a backup is restored into, as its owner: empty before, served only when the restore is done."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Literal
from uuid import UUID

from psycopg import Connection, errors, sql

from domain.event_store_types import Head
from domain.ids import CampaignId
from infra.postgres.database_snapshot import KeptTable
from infra.postgres.driver.statements import source
from infra.postgres.host_action_note import note_by
from infra.postgres.migrate import connected
from infra.postgres.migration_failures import MigrationFailed

State = Literal["begun", "loaded", "done"]


class RestoreTarget:
    """One owner's connection."""

    def __init__(self, owner: Connection) -> None:
        self._owner = owner

    def migrations(self) -> list[str]:
        """The names of all applied migrations, in order; none in a new database."""
        try:
            return [name for (name,) in self._owner.execute("SELECT name FROM schema_migrations ORDER BY name")]
        except errors.UndefinedTable:
            return []

    def state_of(self, backup_id: UUID) -> State | None:
        """How far the restore of a backup has come; None: it has not begun."""
        try:
            row = self._owner.execute(
                "SELECT loaded_at IS NOT NULL, done_at IS NOT NULL FROM restores WHERE backup_id = %s", [backup_id]
            ).fetchone()
        except errors.UndefinedTable:
            return None
        if row is None:
            return None
        is_loaded, is_done = row
        return "done" if is_done else "loaded" if is_loaded else "begun"

    def first_filled(self) -> str | None:
        """A table of the service that has rows, or any table of another program; None: the database is empty."""
        tables = [name for name, _, _ in self._owner.execute(source("read_kept_tables")).fetchall()]
        if tables and "schema_migrations" not in tables:
            return str(tables[0])
        for name in tables:
            if name in ("schema_migrations", "restores"):
                continue
            row = self._owner.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(name))).fetchone()
            if row is not None:
                return str(name)
        return None

    def begin(self, backup_id: UUID) -> None:
        """Note that the restore of a backup is under way, in the place of one that has filled nothing."""
        self._owner.execute("DELETE FROM restores WHERE backup_id <> %s AND loaded_at IS NULL", [backup_id])
        self._owner.execute(
            "INSERT INTO restores (backup_id) VALUES (%s) ON CONFLICT (backup_id) DO NOTHING", [backup_id]
        )

    def load(
        self, backup_id: UUID, tables: Iterable[tuple[KeptTable, int]], content: Callable[[str], Iterator[bytes]]
    ) -> None:
        """Fill all tables in one transaction; each must then have so many rows, else MigrationFailed.

        `content` opens a table's rows in PostgreSQL's binary format.
        """
        with self._owner.transaction():
            forced = [name for (name,) in self._owner.execute(source("read_forced_tables")).fetchall()]
            # COPY fills no table whose owner is held to row-level security; others do not see this transaction.
            for name in forced:
                self._force(name, "NO FORCE")
            for table, rows in tables:
                self._fill(table, rows, content(table.name))
            for name in forced:
                self._force(name, "FORCE")
            self._owner.execute(
                "UPDATE restores SET loaded_at = clock_timestamp() WHERE backup_id = %s", [backup_id]
            )
        self._owner.execute("ANALYZE")

    def _fill(self, table: KeptTable, rows: int, content: Iterator[bytes]) -> None:
        query = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
            sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, table.columns))
        )
        with self._owner.cursor() as cursor:
            with cursor.copy(query) as copy:
                for chunk in content:
                    copy.write(chunk)
            if cursor.rowcount != rows:
                raise MigrationFailed(f"{table.name} got {cursor.rowcount} rows of {rows}.")

    def _force(self, name: str, how: Literal["FORCE", "NO FORCE"]) -> None:
        order = {
            "FORCE": sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY"),
            "NO FORCE": sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY"),
        }[how]
        self._owner.execute(order.format(sql.Identifier(name)))

    def heads(self) -> Iterator[tuple[CampaignId, Head, bool]]:
        """Where every log ends, and whether its campaign is deleted."""
        query = "SELECT campaign_id, seq, hash, recorded_at, gone_at IS NOT NULL FROM campaign_heads"
        for campaign_id, seq, digest, recorded_at, is_deleted in self._owner.execute(query):
            yield CampaignId(campaign_id), Head(seq, digest, recorded_at), is_deleted

    def finish(self, backup_id: UUID, done_by: str) -> None:
        """Note that the restore is done, and by whom: from now on the database is served.

        Its webhooks are parked and its devices deleted: each may have been stopped since the backup.
        """
        self._owner.execute(source("park_webhooks"))
        self._owner.execute(source("delete_devices"))
        note_by(self._owner, done_by, "restore")
        self._owner.execute("UPDATE restores SET done_at = clock_timestamp() WHERE backup_id = %s", [backup_id])


@contextmanager
def restore_target(owner_url: str) -> Iterator[RestoreTarget]:
    """Connect as the owner. Raises MigrationFailed, DatabaseLost if it does not answer."""
    with connected(owner_url) as owner:
        yield RestoreTarget(owner)


def unfinished_restore(url: str) -> bool:
    """Whether a restore into this database has begun and is not done. Raises MigrationFailed."""
    with connected(url) as reader:
        try:
            return reader.execute("SELECT FROM restores WHERE done_at IS NULL LIMIT 1").fetchone() is not None
        except errors.UndefinedTable:
            return False  # an older schema, or none


def note_backup(url: str, backup_id: UUID, begun_at: str, events: int, done_by: str) -> None:
    """Note a finished backup, and who made it, in the database that it was made of. Raises MigrationFailed."""
    with connected(url) as service:
        service.execute(
            "INSERT INTO backups (backup_id, begun_at, events) VALUES (%s, %s, %s)", [backup_id, begun_at, events]
        )
        note_by(service, done_by, "backup")


def last_backup(url: str) -> tuple[float, int] | None:
    """How many seconds ago the last backup began, and its events; None: there was none. Raises MigrationFailed."""
    with connected(url) as reader:
        row = reader.execute(
            "SELECT extract(EPOCH FROM clock_timestamp() - begun_at)::float8, events FROM backups "
            "ORDER BY begun_at DESC LIMIT 1"
        ).fetchone()
    return None if row is None else (row[0], row[1])


def seconds_since_archived(url: str) -> float | None:
    """How many seconds ago PostgreSQL archived a piece of its own log; None: it archives none, or has not yet."""
    with connected(url) as reader:
        row = reader.execute(
            "SELECT extract(EPOCH FROM clock_timestamp() - last_archived_time)::float8 FROM pg_stat_archiver "
            "WHERE current_setting('archive_mode') <> 'off'"
        ).fetchone()
    return None if row is None else row[0]
