"""Databases that a test is done with, made as new for the next: that takes a tenth of making another."""

from typing import LiteralString, TypeAlias

import psycopg
from psycopg import sql

ROOM_BYTES = 4_000_000
"""What a test may leave behind beyond a new database: of much that was deleted, much would still be in the way."""

_SCHEMA = """
SELECT md5(string_agg(made, ',' ORDER BY made))
FROM (
    SELECT 'class' || oid || ' ' || xmin AS made FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'column' || attrelid || ' ' || attnum || ' ' || a.xmin FROM pg_attribute AS a
    INNER JOIN pg_class AS c ON c.oid = attrelid AND c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'constraint' || oid || ' ' || xmin FROM pg_constraint WHERE oid >= 16384
    UNION ALL SELECT 'function' || oid || ' ' || xmin FROM pg_proc WHERE oid >= 16384
    UNION ALL SELECT 'policy' || oid || ' ' || xmin FROM pg_policy
    UNION ALL SELECT 'rule' || oid || ' ' || xmin FROM pg_rewrite WHERE oid >= 16384
    UNION ALL SELECT 'schema' || nspname || ' ' || xmin FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'
    UNION ALL SELECT 'trigger' || oid || ' ' || tgenabled::text || pg_get_triggerdef(oid) FROM pg_trigger
    UNION ALL SELECT 'migration' || name || ' ' || xmin FROM schema_migrations
    UNION ALL SELECT 'setting' || setrole || ' ' || xmin FROM pg_db_role_setting
    WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
) AS everything
"""
"""Every object with the transaction that made or last changed it: whoever touches the schema, changes this. Of
triggers what they are, since emptying a database turns some off and on again. The thousands below 16384 are
PostgreSQL's own."""

_QUICKLY: LiteralString = "SET session_replication_role = replica; SET synchronous_commit = off"

Rows: TypeAlias = dict[str, bytes]
"""All rows of a database, by table, as PostgreSQL copies them out."""


def schema_of(connection: psycopg.Connection) -> str:
    """What tells whether anything about the database is not as in its template, but for its rows."""
    found = connection.execute(_SCHEMA).fetchone()
    assert found is not None
    return str(found[0])


def size_of(connection: psycopg.Connection) -> int:
    """In bytes."""
    found = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    assert found is not None
    return int(found[0])


def rows_of(connection: psycopg.Connection) -> Rows:
    """Every row of one moment, for `restore`."""
    connection.execute("SET default_transaction_isolation = 'repeatable read'")
    rows = {}
    with connection.transaction():
        for name in _tables(connection):
            with connection.cursor().copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(name))) as copied:
                rows[name] = b"".join(copied)
    return {name: copied for name, copied in rows.items() if copied}


def restore(connection: psycopg.Connection, rows: Rows) -> None:
    """Give an empty database those rows, as a superuser, past all that follows from writing them elsewhere."""
    connection.execute(_QUICKLY)
    with connection.transaction():
        for name, copied in rows.items():
            with connection.cursor().copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(name))) as copy:
                copy.write(copied)


def empty(connection: psycopg.Connection) -> None:
    """Delete all rows, as a superuser, past the triggers that stop everybody else."""
    tables = _tables(connection)
    always = connection.execute(
        "SELECT c.relname, t.tgname FROM pg_trigger AS t INNER JOIN pg_class AS c ON c.oid = t.tgrelid "
        "WHERE t.tgenabled = 'A'"
    ).fetchall()
    connection.execute(
        sql.SQL("; ").join(
            [
                sql.SQL(_QUICKLY),
                *(_of_trigger("ALTER TABLE {} DISABLE TRIGGER {}", *each) for each in always),
                *(sql.SQL("DELETE FROM {}").format(sql.Identifier(name)) for name in tables),
                *(_of_trigger("ALTER TABLE {} ENABLE ALWAYS TRIGGER {}", *each) for each in always),
            ]
        )
    )


def _tables(connection: psycopg.Connection) -> list[str]:
    found = connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'"
    )
    return [name for (name,) in found]


def _of_trigger(order: LiteralString, table: str, trigger: str) -> sql.Composed:
    return sql.SQL(order).format(sql.Identifier(table), sql.Identifier(trigger))
