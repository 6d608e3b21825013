"""Real engines for tests: those the environment names, else Docker's, else embedded ones."""

import contextlib
import os
import secrets
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import redis
from psycopg import sql

from infra.embedded.postgres import OPTIONS, EmbeddedPostgres
from infra.embedded.valkey import EmbeddedValkey
from tests import used_databases

DOCKER_SOCKETS = (
    Path("/var/run/docker.sock"),
    Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere"), "docker.sock"),
)
POSTGRES_IMAGE = "postgres:18-alpine"
REDIS_IMAGE = "valkey/valkey:9-alpine"
DICE_KEY = "d1ce" * 16
QUICK = {"full_page_writes": "off", "autovacuum": "off", "authentication_timeout": "10s"}
"""Pages are written whole for when a machine goes down, which no test brings about; no database of a test gets
old enough to be vacuumed, which is in the way of renaming and dropping it; and dropping one waits for each client
that a test left in the middle of signing in.
"""
IN_MEMORY = Path("/dev/shm")  # noqa: S108 — what lies there is in a folder of its own
ROOM_IN_MEMORY_BYTES = 4_000_000_000

STATEMENT_MS_MAX = 120_000
"""Dropping a database waits for every process of the server, also for one that somebody left stuck: for ever."""

SHARDS = 3
ON_OTHER_CONNECTIONS = "options=-c%20citus.enable_local_execution%3Doff"

# Advisory locks are the server's, so that several test processes on one server do not make roles at once.
LOCK_KEY = 8_420_042


class DatabaseUrls(NamedTuple):
    """One migrated database, as its owner and as the service's restricted login."""

    owner: str
    service: str


class PostgresServer:
    """A server that makes migrated databases quickly: one is migrated, the others are copies of it.

    `has_citus`: in each of them campaigns are shared out to shards. Its one node is asked as another one would be:
    on connections of their own, which set nothing for each other.
    """

    def __init__(self, superuser_url: str, *, has_citus: bool = False) -> None:
        self.superuser_url = superuser_url
        self.has_citus = has_citus
        # Names of this run's own: a server somebody named may be used by others at the same time.
        self._run = secrets.token_hex(4)
        self._password = secrets.token_hex(12)
        self._owner = f"fieldlog_owner_{self._run}"
        self._service = f"fieldlog_{self._run}"
        self._template = f"fieldlog_template_{self._run}"
        self._databases: set[str] = set()
        self._as_new: list[str] = []
        self._kept: psycopg.Connection | None = None
        self._schema = ""
        self._size = 0
        self._count = 0

    def new_database(self) -> DatabaseUrls:
        """Make a fresh migrated database; give_back(), drop_database() or close() removes it."""
        if not self._databases:
            self._make_template()
        self._count += 1
        name = f"fieldlog_test_{self._run}_{self._count}"
        if not (self._as_new and self._renamed(self._as_new.pop(), name)):
            self._manager().execute(
                sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {} STRATEGY = file_copy").format(
                    sql.Identifier(name), sql.Identifier(self._owner), sql.Identifier(self._template)
                )
            )
        self._databases.add(name)
        return self._urls(name)

    def _renamed(self, used: str, name: str) -> bool:
        """Give a used database another name: a process that a test left behind does not find it again.

        False where such a process is still connected after the server's five seconds; the database is removed.
        """
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(used), sql.Identifier(name))
        try:
            self._manager().execute(rename)
        except psycopg.errors.ObjectInUse:
            self._drop(self._manager(), used)
            return False
        self._databases.remove(used)
        return True

    def empty_database(self) -> DatabaseUrls:
        """Make a database with nothing in it, for tests of migrations themselves."""
        if not self._databases:
            self._make_template()
        self._count += 1
        name = f"fieldlog_test_{self._run}_{self._count}"
        self._create_empty(self._manager(), name)
        return self._urls(name)

    def give_back(self, urls: DatabaseUrls) -> None:
        """Let the next test have a database, if it can be made as new; else remove it."""
        name = _name_of(urls)
        self._manager().execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        if self.has_citus:
            self.drop_database(urls)
            return
        try:
            with psycopg.connect(self._superuser_url(name), autocommit=True, connect_timeout=10) as connection:
                as_new = used_databases.schema_of(connection) == self._schema
                as_new = as_new and used_databases.size_of(connection) < self._size + used_databases.ROOM_BYTES
                if as_new:
                    used_databases.empty(connection)
        except psycopg.Error:
            as_new = False
        if as_new:
            self._as_new.append(name)
        else:
            self.drop_database(urls)

    def rows_of(self, urls: DatabaseUrls) -> used_databases.Rows:
        """What stands in a database, for `restore`."""
        with psycopg.connect(self._superuser_url(_name_of(urls)), autocommit=True) as connection:
            return used_databases.rows_of(connection)

    def restore(self, urls: DatabaseUrls, rows: used_databases.Rows) -> None:
        """Let a new database have the rows of another."""
        with psycopg.connect(self._superuser_url(_name_of(urls)), autocommit=True) as connection:
            used_databases.restore(connection, rows)

    def drop_database(self, urls: DatabaseUrls) -> None:
        """Remove a database, ending whatever is still connected to it."""
        self._drop(self._manager(), _name_of(urls))

    def close(self) -> None:
        """Leave the server as it was found, but for the group role, which others may use."""
        with self._superuser() as connection:
            for name in sorted(self._databases):
                self._drop(connection, name)
            for role in (self._service, self._owner):
                if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
                    connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(role)))
                    connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))
        self.hang_up()

    def hang_up(self) -> None:
        """Close the connection that is kept, and leave the rest to whoever stops the server."""
        if self._kept is not None:
            self._kept.close()

    def _make_template(self) -> None:
        from infra.postgres.migrate import migrate  # noqa: PLC0415 - only tests with a database need it

        with self._superuser() as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", [LOCK_KEY])
            # Every client that signs in computes so many rounds, and these passwords protect nothing.
            connection.execute(
                "SELECT set_config(name, '1', false) FROM pg_settings WHERE name = 'scram_iterations'"
            )
            group = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'fieldlog_service'").fetchone()
            if group is None:
                connection.execute("CREATE ROLE fieldlog_service NOLOGIN")
            for role, rights in ((self._owner, "CREATEDB CREATEROLE BYPASSRLS"), (self._service, "")):
                connection.execute(
                    sql.SQL("CREATE ROLE {} LOGIN {} PASSWORD {}").format(
                        sql.Identifier(role), sql.SQL(rights), sql.Literal(self._password)
                    )
                )
            for role, option in ((self._owner, "WITH ADMIN OPTION"), (self._service, "")):
                connection.execute(
                    sql.SQL("GRANT fieldlog_service TO {} {}").format(sql.Identifier(role), sql.SQL(option))
                )
            self._create_empty(connection, self._template)
            urls = self._urls(self._template)
            migrate(urls.owner, urls.service)
            if self.has_citus:
                self.share_out(connection, urls)
            with psycopg.connect(self._superuser_url(self._template)) as made:
                self._schema, self._size = used_databases.schema_of(made), used_databases.size_of(made)
            # A session in the template would make every copy fail.
            connection.execute(
                sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(self._template))
            )
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [self._template]
            )

    def share_out(self, superuser: psycopg.Connection, urls: DatabaseUrls) -> None:
        """Share the campaigns of a migrated database out to few shards of the server itself."""
        from infra.postgres.citus_distribution import distribute  # noqa: PLC0415 - only tests with Citus need it

        self.add_citus(urls)
        few = sql.SQL("ALTER ROLE {} SET citus.shard_count = {}").format(sql.Identifier(self._owner), SHARDS)
        superuser.execute(few)
        distribute(urls.owner)

    def add_citus(self, urls: DatabaseUrls) -> None:
        """Let a database have Citus, with the server itself as its only node."""
        parts = urlsplit(self.superuser_url)
        place = [parts.hostname, parts.port or 5432]
        with psycopg.connect(self._superuser_url(_name_of(urls)), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION citus")
            connection.execute("SELECT citus_set_coordinator_host(%s, %s)", place)
            connection.execute("SELECT citus_set_node_property(%s, %s, 'shouldhaveshards', true)", place)

    def _create_empty(self, connection: psycopg.Connection, name: str) -> None:
        connection.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'").format(
                sql.Identifier(name), sql.Identifier(self._owner)
            )
        )
        self._databases.add(name)

    def _drop(self, connection: psycopg.Connection, name: str) -> None:
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        try:
            connection.execute(drop)
        except psycopg.errors.ObjectInUse:
            if not self.has_citus:
                raise
            connection.execute(drop)  # its maintenance began anew meanwhile
        if name != self._template:
            self._databases.discard(name)

    def _manager(self) -> psycopg.Connection:
        """A superuser's connection, kept from one database to the next; another where its server was restarted."""
        if self._kept is not None:
            with contextlib.suppress(psycopg.Error):
                self._kept.execute("SELECT 1")
            if self._kept.closed:
                self._kept = None
        self._kept = self._kept or self._superuser()
        return self._kept

    def _superuser(self) -> psycopg.Connection:
        return psycopg.connect(
            self.superuser_url,
            autocommit=True,
            connect_timeout=10,
            options=f"-c statement_timeout={STATEMENT_MS_MAX}",
        )

    def _superuser_url(self, database: str) -> str:
        return urlunsplit(urlsplit(self.superuser_url)._replace(path=f"/{database}"))

    def _urls(self, database: str) -> DatabaseUrls:
        service = self._url(self._service, database)
        return DatabaseUrls(
            self._url(self._owner, database), f"{service}?{ON_OTHER_CONNECTIONS}" if self.has_citus else service
        )

    def _url(self, login: str, database: str) -> str:
        parts = urlsplit(self.superuser_url)
        place = parts.netloc.rpartition("@")[2]
        login_and_password = f"{quote(login)}:{quote(self._password)}"
        return urlunsplit(parts._replace(netloc=f"{login_and_password}@{place}", path=f"/{database}"))


def _name_of(urls: DatabaseUrls) -> str:
    return urlsplit(urls.owner).path.lstrip("/")


@contextlib.contextmanager
def a_postgres_server(*, durable: bool = False) -> Iterator[PostgresServer]:
    """Find or start a PostgreSQL for one test session, as quick as can be; a `durable` one is as people run it."""
    with contextlib.ExitStack() as stack:
        citus = os.environ.get("FIELDLOG_TEST_CITUS_URL")
        named = citus or os.environ.get("FIELDLOG_TEST_DATABASE_URL")
        url = named or _docker_postgres(stack)
        if url is None:
            folder = stack.enter_context(engine_folder(in_memory=not durable))
            with patch.dict(OPTIONS, {} if durable else QUICK):
                engine = EmbeddedPostgres.start(folder, binaries=_named("POSTGRES"))
            url = stack.enter_context(engine).superuser_url
        server = PostgresServer(url, has_citus=bool(citus))
        # What is stopped, and its folder removed, need not be left as it was found.
        stack.callback(server.close if named else server.hang_up)
        yield server


@contextlib.contextmanager
def a_redis_server() -> Iterator[str]:
    """Find or start a Redis or Valkey for one test session; yield the URL of a database of its own."""
    with contextlib.ExitStack() as stack:
        named = os.environ.get("FIELDLOG_TEST_REDIS_URL")
        if named:
            yield stack.enter_context(_empty_redis_database(named))
            return
        url = _docker_redis(stack)
        if url is None:
            folder = stack.enter_context(engine_folder())
            url = stack.enter_context(EmbeddedValkey.start(folder, program=_named("VALKEY"))).url
        yield url


@contextlib.contextmanager
def engine_folder(*, in_memory: bool = False) -> Iterator[Path]:
    """Make a folder for an engine, on a disk, that `nobody` can reach when the tests run as root.

    `in_memory`: not on a disk where there is room in memory, so that nothing waits for the disk.
    """
    place = "/var/tmp" if os.geteuid() == 0 else None  # noqa: S108
    if in_memory and IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM_IN_MEMORY_BYTES:
        place = str(IN_MEMORY)
    folder = Path(tempfile.mkdtemp(prefix="fieldlog-test-", dir=place))
    if os.geteuid() == 0:
        folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def flush(url: str) -> None:
    """Empty the test's Redis database."""
    with redis.Redis.from_url(url) as client:
        client.flushdb()


def _named(engine: str) -> Path | None:
    value = os.environ.get(f"FIELDLOG_{engine}_BIN")
    return Path(value) if value else None


@contextlib.contextmanager
def _empty_redis_database(url: str) -> Iterator[str]:
    """Claim a database that holds nothing, so that what others keep on that server stays untouched."""
    for number in range(15, -1, -1):
        candidate = urlunsplit(urlsplit(url)._replace(path=f"/{number}"))
        with redis.Redis.from_url(candidate) as client, redis.Redis.from_url(url) as registry:
            claim = f"fieldlog-tests:{number}"
            if not registry.set(claim, os.getpid(), nx=True, ex=3600):
                continue
            if number == _number_of(url) or client.dbsize() != 0:
                registry.delete(claim)
                continue
            try:
                yield candidate
            finally:
                client.flushdb()
                registry.delete(claim)
            return
    raise RuntimeError("FIELDLOG_TEST_REDIS_URL names a server without an empty database for the tests")


def _number_of(url: str) -> int:
    path = urlsplit(url).path.strip("/")
    return int(path) if path.isdigit() else 0


# --- Docker -------------------------------------------------------------------------------------------------


def _docker_may_answer() -> bool:
    # Importing testcontainers takes most of a second: not without a place where Docker could be.
    return bool(os.environ.get("DOCKER_HOST")) or any(path.exists() for path in DOCKER_SOCKETS)


def _docker_postgres(stack: contextlib.ExitStack) -> str | None:
    if not _docker_may_answer():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other people's deprecations
        try:
            from testcontainers.community.postgres import PostgresContainer  # noqa: PLC0415

            server = stack.enter_context(PostgresContainer(POSTGRES_IMAGE, driver=None))
        except Exception:  # noqa: BLE001 - whatever keeps Docker from answering, embedded engines will
            return None
        return str(server.get_connection_url())


def _docker_redis(stack: contextlib.ExitStack) -> str | None:
    if not _docker_may_answer():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from testcontainers.community.redis import RedisContainer  # noqa: PLC0415

            server = stack.enter_context(RedisContainer(REDIS_IMAGE))
        except Exception:  # noqa: BLE001
            return None
        return f"redis://{server.get_container_host_ip()}:{server.get_exposed_port(6379)}/0"
