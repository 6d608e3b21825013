"""Makes the logins in a running engine."""

from typing import LiteralString

import psycopg
from psycopg import sql

from infra.embedded import logins


def ensure_logins(passwords: dict[str, str], port: int) -> None:
    """Create or correct the engine's roles and database.

    Raises psycopg.Error when the superuser may not do that.
    """
    with psycopg.connect(
        logins.url_of(logins.SUPERUSER, passwords, port, "postgres"), autocommit=True, connect_timeout=10
    ) as connection:
        roles = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles").fetchall()}
        if logins.SERVICE_GROUP not in roles:
            _run(connection, "CREATE ROLE {} NOLOGIN", logins.SERVICE_GROUP)
        for login, rights in ((logins.OWNER, "CREATEDB CREATEROLE"), (logins.SERVICE, "NOCREATEDB NOCREATEROLE")):
            if login not in roles:
                _run(connection, "CREATE ROLE {} LOGIN", login)
            # Hashed here, so that no log of statements ever shows it.
            hashed = connection.pgconn.encrypt_password(passwords[login].encode(), login.encode())
            connection.execute(
                sql.SQL("ALTER ROLE {} LOGIN NOSUPERUSER {} PASSWORD {}").format(
                    sql.Identifier(login), sql.SQL(rights), sql.Literal(hashed.decode())
                )
            )
        _run(connection, "GRANT {} TO {}", logins.SERVICE_GROUP, logins.SERVICE)
        # With the option, the owner's migrations may bring further service logins into the group.
        _run(connection, "GRANT {} TO {} WITH ADMIN OPTION", logins.SERVICE_GROUP, logins.OWNER)
        row = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [logins.DATABASE]).fetchone()
        if row is None:
            _run(connection, "CREATE DATABASE {} OWNER {}", logins.DATABASE, logins.OWNER)


def _run(connection: psycopg.Connection, statement: LiteralString, *names: str) -> None:
    connection.execute(sql.SQL(statement).format(*(sql.Identifier(name) for name in names)))
