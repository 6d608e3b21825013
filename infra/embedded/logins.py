"""The three logins of an embedded PostgreSQL: superuser, owner of the schema, and the service."""

import secrets
from typing import LiteralString

import psycopg
from psycopg import sql

SUPERUSER = "postgres"
OWNER = "fieldlog_owner"
SERVICE = "fieldlog"
SERVICE_GROUP = "fieldlog_service"
DATABASE = "fieldlog"
LOGINS = (SUPERUSER, OWNER, SERVICE)


def new_passwords() -> dict[str, str]:
    """Random passwords, one per login, of letters and digits that need no quoting in a URL."""
    return {login: secrets.token_hex(24) for login in LOGINS}


def url_of(login: str, passwords: dict[str, str], port: int, database: str = DATABASE) -> str:
    """Return the URL under which a login reaches a database of the engine."""
    return f"postgresql://{login}:{passwords[login]}@127.0.0.1:{port}/{database}"


def ensure_logins(passwords: dict[str, str], port: int) -> None:
    """Create or correct the engine's roles and database.

    Raises psycopg.Error when the superuser may not do that.
    """
    with psycopg.connect(
        url_of(SUPERUSER, passwords, port, "postgres"), autocommit=True, connect_timeout=10
    ) as connection:
        roles = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles").fetchall()}
        if SERVICE_GROUP not in roles:
            _run(connection, "CREATE ROLE {} NOLOGIN", SERVICE_GROUP)
        for login, rights in ((OWNER, "CREATEDB CREATEROLE"), (SERVICE, "NOCREATEDB NOCREATEROLE")):
            if login not in roles:
                _run(connection, "CREATE ROLE {} LOGIN", login)
            # Hashed here, so that no log of statements ever shows it.
            hashed = connection.pgconn.encrypt_password(passwords[login].encode(), login.encode())
            connection.execute(
                sql.SQL("ALTER ROLE {} LOGIN NOSUPERUSER {} PASSWORD {}").format(
                    sql.Identifier(login), sql.SQL(rights), sql.Literal(hashed.decode())
                )
            )
        _run(connection, "GRANT {} TO {}", SERVICE_GROUP, SERVICE)
        # With the option, the owner's migrations may bring further service logins into the group.
        _run(connection, "GRANT {} TO {} WITH ADMIN OPTION", SERVICE_GROUP, OWNER)
        row = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if row is None:
            _run(connection, "CREATE DATABASE {} OWNER {}", DATABASE, OWNER)


def _run(connection: psycopg.Connection, statement: LiteralString, *names: str) -> None:
    connection.execute(sql.SQL(statement).format(*(sql.Identifier(name) for name in names)))
