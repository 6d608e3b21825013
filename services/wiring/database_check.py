"""Whether a database and a login are fit for the service."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from infra.postgres import database_url_servers, synchronous_standbys
from infra.postgres.roles import has_settings

# One row about the login and the server. Membership counts as ownership: it could become the owner at will.
QUESTION = """
SELECT
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
    EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND pg_has_role(datdba, 'MEMBER'))
    OR EXISTS (
        SELECT FROM pg_class AS relation
        JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace
        WHERE schema.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
          AND schema.nspname NOT LIKE 'pg_temp%%'
          AND schema.nspname NOT LIKE 'pg_toast_temp%%'
          AND pg_has_role(relation.relowner, 'MEMBER')
    ),
    current_setting('fsync'),
    current_setting('synchronous_commit'),
    current_user
"""
CONNECT_SECONDS_MAX = 5


class DatabaseUnfit(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """The service must not run on this database with this login; the message is one sentence."""


class DatabaseUnreachable(DatabaseUnfit):
    """The database does not answer; another attempt may succeed."""


def require_answer(url: str) -> str:
    """The server's version. Raises DatabaseUnreachable when it does not answer."""
    with connected(url) as connection:
        row = connection.execute("SHOW server_version").fetchone()
    return str(row[0]) if row else "unknown"


def require_fit_login(url: str) -> None:
    """Raise DatabaseUnfit if the login could change recorded events, or the server lose acknowledged ones."""
    with connected(url) as connection:
        row = connection.execute(QUESTION).fetchone()
    assert row is not None
    is_superuser, is_owner, fsync, synchronous_commit, login = row
    if is_superuser:
        raise DatabaseUnfit(
            f"FIELDLOG_DATABASE_URL logs in as the superuser {login!r}, whom no grant holds back; "
            "name the service's restricted login (`fieldlog migrate` makes it)."
        )
    if is_owner:
        raise DatabaseUnfit(
            f"FIELDLOG_DATABASE_URL logs in as {login!r}, who owns the schema and could rewrite the log; "
            "name the service's restricted login (`fieldlog migrate` makes it)."
        )
    for name, value in (("fsync", fsync), ("synchronous_commit", synchronous_commit)):
        if value == "off":
            raise DatabaseUnfit(
                f"this PostgreSQL runs with {name}=off and would lose acknowledged events in a power cut."
            )


def waits_for_standby(url: str) -> bool:
    """Whether the server confirms a commit only when a standby has it. Raises DatabaseUnreachable."""
    with connected(url) as connection:
        return synchronous_standbys.waits_for_standby(connection)


def login_has_settings(url: str) -> bool:
    """Whether the login brings the settings that the service needs. Raises DatabaseUnreachable."""
    with connected(url) as connection:
        return has_settings(connection, connection.info.user)


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection]:
    """A connection for a few queries. Raises DatabaseUnreachable when one of them is not answered."""
    try:
        with psycopg.connect(
            database_url_servers.url_for_writing(url), connect_timeout=CONNECT_SECONDS_MAX, autocommit=True
        ) as connection:
            yield connection
    except psycopg.Error as error:
        reason = " ".join(str(error).split())[:300]
        raise DatabaseUnreachable(f"the database does not answer: {reason}") from None
