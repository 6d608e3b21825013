"""One moment of a whole database, read beside a running service and by its own login.

All that can be made again is left out: stored views, how far they follow the log, ledger checks. So are notes
about this one database: when a purge found a deletion, and which backups and restores there were. Tables of
other programs are theirs to keep.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, LiteralString

from msgspec import Struct
from psycopg import Connection, sql

from infra.postgres.driver.statements import source
from infra.postgres.migrate import connected, own_tables
from infra.postgres.migration_failures import MigrationFailed
from infra.postgres.row_level_security import name_campaigns

LEFT_OUT = frozenset(
    {
        "schema_migrations",
        "stored_folds",
        "kept_folds",
        "view_segments",
        "ledger_checks",
        "seen_deletions",
        "account_resets",  # a link that was used since would work again
        "backups",
        "restores",
    }
)
COLUMNS_LEFT_OUT = {"campaign_heads": frozenset({"caught_up", "form"})}
IN_ORDER = frozenset({"campaign_heads", "events", "personal_text"})
"""Tables that are read in the order of their keys, so that a reader of the copy goes through the log once."""


Content = bytes | bytearray | memoryview


class KeptTable(Struct, frozen=True):
    """A table of a backup, with the columns that are in it."""

    name: str
    columns: tuple[str, ...]


class Snapshot:
    """The database as of one moment."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def server_version(self) -> str:
        """As the server says it."""
        return str(self._one("SELECT current_setting('server_version')"))

    def migrations(self) -> list[str]:
        """The names of all applied migrations, in order."""
        rows = self._connection.execute("SELECT name FROM schema_migrations ORDER BY name").fetchall()
        return [name for (name,) in rows]

    def campaigns(self) -> int:
        """How many campaigns there are."""
        return int(self._one("SELECT count(*) FROM campaign_heads"))

    def events(self) -> int:
        """How many events there are: every log is without gaps."""
        return int(self._one("SELECT coalesce(sum(seq), 0)::bigint FROM campaign_heads"))

    def tables(self) -> list[KeptTable]:
        """The tables to keep, in the order in which they can be filled. Raises MigrationFailed."""
        tables = []
        for name, columns, is_open in self._connection.execute(source("read_kept_tables")):
            if name in LEFT_OUT or name not in own_tables():
                continue
            if not is_open:
                raise MigrationFailed(f"This login may not read the table {name}.")
            without = COLUMNS_LEFT_OUT.get(name, frozenset())
            tables.append(KeptTable(name, tuple(column for column in columns if column not in without)))
        return tables

    def copied(self, table: KeptTable) -> Iterator[Content]:
        """The rows of a table in PostgreSQL's binary format, about one at a time."""
        order = sql.SQL(" ORDER BY {}").format(_names(_key_of(table))) if table.name in IN_ORDER else sql.SQL("")
        query = sql.SQL("COPY (SELECT {} FROM {}{}) TO STDOUT (FORMAT BINARY)").format(
            _names(table.columns), sql.Identifier(table.name), order
        )
        with self._connection.cursor() as cursor, cursor.copy(query) as copy:
            yield from copy

    def _one(self, query: LiteralString) -> Any:
        row = self._connection.execute(query).fetchone()
        assert row is not None
        return row[0]


@contextmanager
def snapshot_of(url: str) -> Iterator[Snapshot]:
    """The database as it is now, until the block ends. Raises MigrationFailed (DatabaseLost: no answer)."""
    with connected(url) as connection, connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        for limit in ("statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"):
            connection.execute(sql.SQL("SET LOCAL {} = 0").format(sql.Identifier(limit)))
        name_campaigns(connection)
        yield Snapshot(connection)


def _key_of(table: KeptTable) -> tuple[str, ...]:
    return tuple(name for name in ("campaign_id", "seq") if name in table.columns)


def _names(columns: tuple[str, ...]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))
