"""Brings a database up to date: its roles, then the numbered migrations that it has not yet had.

Runs with the owner's login only; the service's login may read what was applied.
"""

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

import psycopg
from psycopg import Connection, errors

from infra.postgres.database_url_servers import url_for_writing
from infra.postgres.driver.sqlstates import Meaning, meaning_of
from infra.postgres.driver.statements import source
from infra.postgres.migration_failures import DatabaseLost, MigrationFailed
from infra.postgres.roles import ensure_backup_rights, ensure_roles

_FOLDER = Path(__file__).parent / "migrations"
_MAKES_A_TABLE = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
_ADVISORY_LOCK = 0x6669_656C_646C_6F67
"""One migration at a time per database: "fieldlog" in ASCII."""

_LOCK_SECONDS_MAX = 60
_CONNECT_SECONDS_MAX = 5


def migrate(
    owner_url: str,
    service_url: str | None = None,
    say: Callable[[str], None] = lambda _: None,
    *,
    only: Collection[str] | None = None,
) -> list[str]:
    """Apply pending migrations, each in a transaction of its own; returns their names.

    Tells `say` the name of each before it begins. `only`: of the pending ones no others.

    Creates the group roles `fieldlog_service` and `fieldlog_backup`, and the login that `service_url` names as a
    member of the first. Safe to repeat, also concurrently. Raises MigrationFailed, which says in a sentence what
    to do, when PostgreSQL cannot be reached (DatabaseLost), refuses, or has had other migrations than these.
    """
    with connected(owner_url) as owner:
        exclusively(owner)
        ensure_roles(owner, service_url)
        owner.execute(source("create_migrations_table"))
        owner.execute("GRANT SELECT ON schema_migrations TO fieldlog_service")
        names = [name for name in _pending(owner) if only is None or name in only]
        for name in names:
            say(name)
            _apply(owner, name)
        ensure_backup_rights(owner)
        return names


def exclusively(owner: Connection) -> None:
    """Wait until no other session changes the schema, and let none until this connection is closed."""
    owner.execute(f"SET lock_timeout = '{_LOCK_SECONDS_MAX}s'")
    owner.execute("SELECT pg_advisory_lock(%s)", (_ADVISORY_LOCK,))


def pending(url: str) -> list[str]:
    """Names of the migrations that are not applied, in order. Raises MigrationFailed as `migrate` does."""
    with connected(url) as reader:
        return _pending(reader)


@cache
def own_tables() -> frozenset[str]:
    """The tables that migrations have made; other programs may have more in the same schema."""
    tables = (_MAKES_A_TABLE.findall(path.read_text("utf-8")) for path in _FOLDER.glob("*.sql"))
    return frozenset({"schema_migrations", *chain.from_iterable(tables)})


def known_migrations() -> list[str]:
    """The names of all migrations of this version, in order."""
    return [path.stem for path in sorted(_FOLDER.glob("[0-9]*.sql"))]


def _pending(connection: Connection) -> list[str]:
    ours = {path.stem: sha256(path.read_bytes()).digest() for path in sorted(_FOLDER.glob("[0-9]*.sql"))}
    applied = _applied(connection)
    for name, checksum in applied.items():
        if name not in ours:
            raise MigrationFailed(
                f"The database has had the migration {name}, which this version lacks: it is of a newer Fieldlog. "
                "Start that version, or one that is newer still."
            )
        if ours[name] != checksum:
            raise MigrationFailed(f"The migration {name} was edited after it was applied; add a new one.")
    return [name for name in ours if name not in applied]


def _applied(connection: Connection) -> dict[str, bytes]:
    try:
        return dict(connection.execute("SELECT name, checksum FROM schema_migrations").fetchall())
    except errors.UndefinedTable:
        return {}


def _apply(owner: Connection, name: str) -> None:
    content = (_FOLDER / f"{name}.sql").read_bytes()
    try:
        with owner.transaction():
            owner.execute(content.decode())
            owner.execute(
                "INSERT INTO schema_migrations (name, checksum) VALUES (%s, %s)",
                (name, sha256(content).digest()),
            )
    except psycopg.Error as error:
        if owner.broken:
            raise
        raise MigrationFailed(f"The migration {name} was refused: {error}") from error


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """Connect; errors of PostgreSQL become MigrationFailed with a sentence."""
    is_lost = True
    try:
        with psycopg.connect(
            url_for_writing(url), autocommit=True, connect_timeout=_CONNECT_SECONDS_MAX
        ) as connection:
            try:
                yield connection
            except psycopg.Error as error:
                is_lost = connection.broken or meaning_of(error) is Meaning.UNREACHABLE
                raise
    except psycopg.Error as error:
        failure = DatabaseLost if is_lost else MigrationFailed
        raise failure(f"PostgreSQL did not do what was asked: {str(error).strip()}") from error
