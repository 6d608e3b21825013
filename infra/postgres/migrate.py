"""Brings a database up to date: its roles, then the numbered migrations that it has not yet had.

Runs with the owner's login only; the service's login may read what was applied.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import psycopg
from psycopg import Connection, errors

from infra.postgres.driver.sqlstates import Meaning, meaning_of
from infra.postgres.driver.statements import source
from infra.postgres.roles import DatabaseLost, MigrationFailed, ensure_service_group, ensure_service_login

__all__ = ["DatabaseLost", "MigrationFailed", "migrate", "pending"]

_FOLDER = Path(__file__).parent / "migrations"
_ADVISORY_LOCK = 0x6669_656C_646C_6F67
"""One migration at a time per database: "fieldlog" in ASCII."""

_LOCK_SECONDS_MAX = 60
_CONNECT_SECONDS_MAX = 5


def migrate(owner_url: str, service_url: str | None = None) -> list[str]:
    """Apply pending migrations, each in a transaction of its own; returns their names.

    Creates the group role `fieldlog_service`, and the login that `service_url` names as a member of it. Safe to
    repeat, also concurrently. Raises MigrationFailed, which says in a sentence what to do, when PostgreSQL cannot
    be reached (DatabaseLost), refuses, or has had other migrations than these.
    """
    with _connected(owner_url) as owner:
        owner.execute(f"SET lock_timeout = '{_LOCK_SECONDS_MAX}s'")
        owner.execute("SELECT pg_advisory_lock(%s)", (_ADVISORY_LOCK,))
        ensure_service_group(owner)
        owner.execute(source("create_migrations_table"))
        owner.execute("GRANT SELECT ON schema_migrations TO fieldlog_service")
        names = _pending(owner)
        for name in names:
            _apply(owner, name)
        if service_url is not None:
            ensure_service_login(owner, service_url)
        return names


def pending(url: str) -> list[str]:
    """Names of the migrations that are not applied, in order. Raises MigrationFailed as `migrate` does."""
    with _connected(url) as reader:
        return _pending(reader)


def _pending(connection: Connection) -> list[str]:
    ours = {path.stem: sha256(path.read_bytes()).digest() for path in sorted(_FOLDER.glob("[0-9]*.sql"))}
    applied = _applied(connection)
    for name, checksum in applied.items():
        if name not in ours:
            raise MigrationFailed(f"The database has had the migration {name}, which this version lacks.")
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
def _connected(url: str) -> Iterator[Connection]:
    """Connect; errors of PostgreSQL become MigrationFailed with a sentence."""
    is_lost = True
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=_CONNECT_SECONDS_MAX) as connection:
            try:
                yield connection
            except psycopg.Error as error:
                is_lost = connection.broken or meaning_of(error) is Meaning.UNREACHABLE
                raise
    except psycopg.Error as error:
        failure = DatabaseLost if is_lost else MigrationFailed
        raise failure(f"PostgreSQL did not do what was asked: {str(error).strip()}") from error
