"""PostgreSQL clusters of the distribution's packages, one of which follows the other; and a PgBouncer in front."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

from infra.embedded.child_process import RunAs, plain_environment, processes_in, start_child, stop_child
from tests.engines import engine_folder
from tests.faults.town import kept_port
from tests.services.processes import eventually

STANDBY = "second"
OWNER, SERVICE, DATABASE = "fieldlog_owner", "fieldlog", "fieldlog"
CONFIGURATION = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 16MB
wal_level = replica
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 100ms
recovery_init_sync_method = syncfs
track_commit_timestamp = on
"""
PROGRAMS = ("initdb", "postgres", "pg_basebackup")


def distribution_programs() -> Path | None:
    """The folder of the newest PostgreSQL (15 or newer) that a Debian package put here; None: there is none."""
    found = {
        int(folder.parent.name): folder
        for folder in Path("/usr/lib/postgresql").glob("*/bin")
        if folder.parent.name.isdigit() and all((folder / name).exists() for name in PROGRAMS)
    }
    newest = max(found, default=0)
    return found[newest] if newest >= 15 else None


def an_unprivileged_user() -> RunAs | None:
    """As whom servers run that refuse to run as root; None: as who runs the tests."""
    if os.geteuid() != 0:
        return None
    nobody = pwd.getpwnam("nobody")
    return RunAs(nobody.pw_uid, nobody.pw_gid)


class Cluster:
    """One server with its data in a folder, at a port that stays its own; anybody of this machine may log in."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.port = kept_port()
        self._programs = programs
        self._data = folder / "data"
        self._log = folder / "server.log"
        self._as = an_unprivileged_user()
        self._process: subprocess.Popen[bytes] | None = None
        if self._as is not None:
            os.chown(folder, self._as.uid, self._as.gid)

    def initialise(self) -> None:
        """Make an empty cluster with the roles and the database that an administrator makes."""
        self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as configuration:
            configuration.write(CONFIGURATION)

    def copy(self, source: "Cluster") -> None:
        """Throw away what is here and become a standby of another, which runs."""
        shutil.rmtree(self._data, ignore_errors=True)
        url = f"postgresql://postgres@127.0.0.1:{source.port}/postgres?application_name={STANDBY}"
        self._run("pg_basebackup", "-d", url, "-R", "-X", "stream", "-c", "fast", "--no-sync")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [str(self._programs / "postgres"), "-D", str(self._data), "-p", str(self.port)]
        with self._log.open("ab") as log:
            self._process = start_child(
                command,
                death_signal=signal.SIGINT,
                environ=plain_environment(),
                folder=self._data,
                run_as=self._as,
                output=log,
            )
        assert eventually(self._answers), self._log.read_text("utf-8")

    def kill(self) -> None:
        """Kill -9 for all of its processes."""
        for pid in processes_in(self._data, "postgres"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """A fast shutdown: whoever is connected is told 57P01."""
        if self._process is not None:
            stop_child(self._process, signal.SIGINT, 20)

    def promote(self) -> None:
        """Have a standby take writes."""
        self.tell("SELECT pg_promote(wait => false)")

    def tell(self, *statements: str) -> list[tuple[object, ...]]:
        """Run statements as superuser, each by itself; the rows of the last."""
        with psycopg.connect(self.superuser_url("postgres"), autocommit=True, connect_timeout=5) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def superuser_url(self, database: str = DATABASE) -> str:
        """Its URL as superuser."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text("utf-8")
        with contextlib.suppress(psycopg.Error):
            return self.tell("SELECT 1") == [(1,)]
        return False

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "-D", str(self._data), *arguments]
        with self._log.open("ab") as log:
            child = start_child(
                command, death_signal=signal.SIGKILL, environ=plain_environment(), run_as=self._as, output=log
            )
        assert child.wait() == 0, self._log.read_text("utf-8")


class Pair:
    """A primary and its standby, and the URLs that name both."""

    def __init__(self, first: Cluster, second: Cluster) -> None:
        self.first, self.second = first, second

    def url(self, login: str) -> str:
        """As `login`, on whichever takes writes."""
        return f"postgresql://{login}@127.0.0.1:{self.first.port},127.0.0.1:{self.second.port}/{DATABASE}"

    def wait_for_standby(self, of: Cluster) -> None:
        """Have a primary wait for its standby before it confirms a commit."""
        of.tell(f"ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'", "SELECT pg_reload_conf()")
        synchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        assert eventually(lambda: of.tell(synchronous) == [(1,)])


@contextlib.contextmanager
def a_cluster(programs: Path) -> Iterator[Cluster]:
    """A running cluster with an administrator's roles and database."""
    with engine_folder() as folder:
        cluster = Cluster(programs, folder)
        try:
            cluster.initialise()
            cluster.start()
            cluster.tell(
                f"CREATE ROLE {OWNER} LOGIN CREATEROLE",
                f"CREATE DATABASE {DATABASE} OWNER {OWNER} ENCODING 'UTF8'",
            )
            yield cluster
        finally:
            cluster.stop()


@contextlib.contextmanager
def a_pair(programs: Path) -> Iterator[Pair]:
    """A primary and a standby that follows it; nothing waits for the standby yet."""
    with a_cluster(programs) as first, engine_folder() as folder:
        second = Cluster(programs, folder)
        try:
            second.copy(first)
            second.start()
            yield Pair(first, second)
        finally:
            second.stop()


@contextlib.contextmanager
def a_pooler(program: str, of: Cluster, mode: str) -> Iterator[str]:
    """A PgBouncer with its own defaults in front of a cluster; the service's URL through it."""
    port = kept_port()
    user = an_unprivileged_user()
    with tempfile.TemporaryDirectory(prefix="fieldlog-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\n{DATABASE} = host=127.0.0.1 port={of.port}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
            f"auth_type = trust\nauth_file = {folder}/users.txt\npool_mode = {mode}\n",
            encoding="utf-8",
        )
        (folder / "users.txt").write_text(f'"{SERVICE}" ""\n', encoding="utf-8")
        with (folder / "pgbouncer.log").open("wb") as log:
            child = start_child(
                [program, str(folder / "pgbouncer.ini")], death_signal=signal.SIGINT, run_as=user, output=log
            )
        try:
            url = f"postgresql://{SERVICE}@127.0.0.1:{port}/{DATABASE}"

            def answers() -> bool:
                assert child.poll() is None, (folder / "pgbouncer.log").read_text("utf-8")
                with contextlib.suppress(psycopg.Error), psycopg.connect(url, connect_timeout=2):
                    return True
                return False

            assert eventually(answers), (folder / "pgbouncer.log").read_text("utf-8")
            yield url
        finally:
            stop_child(child, signal.SIGINT, 10)
