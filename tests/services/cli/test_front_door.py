"""The front door from outside: start, stop, kill, and every refusal with its sentence."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from infra.embedded import child_process
from infra.embedded.binaries import find_postgres, find_valkey
from infra.embedded.child_process import free_port
from infra.embedded.data_location import placement_for, where_data_lies
from infra.embedded.errors import EngineFailed, StartFailed
from infra.embedded.postgres import running_urls
from infra.embedded.valkey import running_url
from infra.postgres.migrate import _ADVISORY_LOCK as ADVISORY_LOCK
from services.cli import listen_address, supervisor
from services.cli.errors import EXIT_TRY_AGAIN, EXIT_WILL_NOT, Refused
from services.cli.progress import Steps
from services.cli.serve import require_fit, require_key
from services.cli.supervisor import SupervisedProcess
from services.cli.up.startup import welcome, with_database
from services.settings import Settings
from services.wiring.database_engines import DatabaseLost, Engines, MigrationFailed
from services.wiring.schema import migrate_database, pending_migrations
from tests.engines import DatabaseUrls, PostgresServer, engine_folder
from tests.root import ROOT
from tests.sampling import only_in_release
from tests.services.front_doors import FrontDoor, eventually, up

GONE_SECONDS_MAX = 5.0
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a child's life to its parent's")


@pytest.fixture
def home() -> Iterator[Path]:
    with engine_folder() as made:
        yield made / "home"


def refused(home: Path, *command: str, **said: str) -> str:
    door = FrontDoor(home, free_port(), *command, folder=ROOT, **said)
    assert door.process.wait(30) not in (0, -signal.SIGTERM), door.said()
    assert "Traceback" not in door.said()
    return door.said()


# --- starting and stopping ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, only_in_release(signal.SIGHUP)])
def test_up_ends_with_a_first_request_and_stops_everything_when_asked(home: Path, how: signal.Signals) -> None:
    with up(home, free_port()) as door:
        assert f"curl -X POST http://127.0.0.1:{door.port}/api/accounts" in door.said()
        door.process.send_signal(how)
        assert door.process.wait(15) == 0
        assert "Traceback" not in door.said()
        assert not door.left()


@pytest.mark.parametrize("sign_up", ["open", "invite", "closed"])
def test_where_strangers_may_not_sign_up_the_first_account_is_the_hosts_to_make(capsys, sign_up) -> None:
    welcome(Settings(sign_up=sign_up), None, Steps())
    said = capsys.readouterr().out
    assert ("curl -X POST http://127.0.0.1:8420/api/accounts" in said) == (sign_up == "open")
    assert ("fieldlog account create Mara" in said) == (sign_up != "open")


@pytest.mark.slow
@on_linux
def test_up_can_be_stopped_while_it_starts(home: Path) -> None:
    door = FrontDoor(home, free_port(), "up")
    assert eventually(lambda: "starting PostgreSQL" in door.said())
    door.process.terminate()
    assert door.process.wait(15) == 0, door.said()
    assert "Traceback" not in door.said()
    assert not door.left()


@pytest.mark.slow
@on_linux
def test_a_killed_supervisor_leaves_no_orphan_and_the_next_start_keeps_the_data(home: Path) -> None:
    port = free_port()
    with up(home, port) as door:
        urls = running_urls(home / "postgres")
        assert urls is not None
        with psycopg.connect(urls.superuser, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        assert len(door.left()) > 5  # the supervisor, serve, Valkey, PostgreSQL and its own children
        door.process.kill()
        door.process.wait()
        assert eventually(lambda: not door.left(), GONE_SECONDS_MAX), "an orphan is left after five seconds"
    with up(home, port):
        urls = running_urls(home / "postgres")
        assert urls is not None
        with psycopg.connect(urls.superuser) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


@pytest.mark.slow
@on_linux
def test_a_service_or_engine_that_dies_is_started_again(home: Path) -> None:
    with up(home, free_port()) as door:
        os.kill(door.service("serve"), signal.SIGKILL)
        assert eventually(lambda: "serve runs again" in door.said()), door.said()
        assert door.is_ready(), "it is said when it answers, and not when it is started"
        told = running_urls(home / "postgres")
        postmaster = int((home / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(postmaster, signal.SIGKILL)
        assert eventually(lambda: "PostgreSQL runs again" in door.said() and door.is_ready()), door.said()
        assert running_urls(home / "postgres") == told


class Requests:
    """Asks for readiness again and again, from a thread of its own; what was not answered with 200 is kept."""

    def __init__(self, port: int) -> None:
        self.answered = 0
        self.failed: list[int | None] = []
        self._port = port
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _ask(self) -> None:
        while not self._over.wait(0.02):
            status = listen_address.status("127.0.0.1", self._port, "/health/ready")
            if status == 200:
                self.answered += 1
            else:
                self.failed.append(status)


@pytest.mark.slow
@on_linux
def test_valkey_may_be_killed_twice_within_a_second_and_five_times_in_a_row(home: Path) -> None:
    def valkeys() -> list[int]:
        return child_process.processes_in(where_data_lies(home / "valkey") / "data", "valkey-server")

    with up(home, free_port()) as door, Requests(door.port) as requests:
        url = running_url(home / "valkey")
        killed: set[int] = set()
        while len(killed) < 5:  # each as soon as it is there, some before they have answered
            assert eventually(lambda: bool(set(valkeys()) - killed)), door.said()
            for pid in set(valkeys()) - killed:
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        assert "Valkey died (killed by SIGKILL); Fieldlog goes on without it" in door.said()
        assert door.process.poll() is None, door.said()
        assert eventually(lambda: bool(set(valkeys()) - killed)), door.said()  # its death was noticed
        runs = "Valkey runs again"
        assert eventually(lambda: door.said().rfind(runs) > door.said().rfind("goes on without it")), door.said()
        assert running_url(home / "valkey") == url
        assert requests.failed == []
        assert requests.answered > 50
    assert "broken" not in door.said()
    assert "move" not in door.said()


def self_killing(folder: Path, real: Path) -> Path:
    """A program that is killed as soon as it starts, for as long as a file `deadly` lies beside it."""
    program = folder / real.name
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exec "{real}" --version\n'
        f'[ -e "{folder}/deadly" ] && kill -9 $$\nexec "{real}" "$@"\n'
    )
    program.chmod(0o755)
    (folder / "deadly").touch()
    return program


@pytest.mark.slow
@on_linux
def test_up_goes_on_without_a_valkey_that_is_killed_in_every_start_and_takes_it_in_later(home: Path) -> None:
    real = find_valkey(None, placement_for(home / "valkey").run_as)
    with engine_folder() as folder:
        program = self_killing(folder, real)
        with up(home, free_port(), FIELDLOG_VALKEY_BIN=str(program)) as door:
            assert door.said().count("Valkey was killed by SIGKILL while it started.") == 1
            assert door.said().count("Valkey is tried again; Fieldlog goes on without it") == 1
            assert "Valkey runs again" not in door.said()
            (folder / "deadly").unlink()
            assert eventually(lambda: "serve runs again" in door.said() and door.is_ready()), door.said()
            assert "Valkey runs again" in door.said()


@pytest.mark.slow
@on_linux
def test_up_tries_a_postgresql_again_that_is_killed_while_it_starts(home: Path) -> None:
    real = find_postgres(None, placement_for(home / "postgres").run_as).folder
    with engine_folder() as folder:
        self_killing(folder, real / "postgres")
        (folder / "initdb").write_text(f'#!/bin/sh\nexec "{real}/initdb" "$@"\n')
        (folder / "initdb").chmod(0o755)
        door = FrontDoor(home, free_port(), "up", FIELDLOG_POSTGRES_BIN=str(folder))
        try:
            assert eventually(lambda: "PostgreSQL is tried again" in door.said()), door.said()
            (folder / "deadly").unlink()
            assert eventually(door.has_welcomed), door.said()
        finally:
            door.process.terminate()
            door.process.wait(30)
        assert door.said().count("PostgreSQL was killed by SIGKILL while it started; its data in") == 1


@pytest.mark.slow
def test_a_postgresql_that_dies_under_the_migrations_is_started_again_and_they_are_applied(home: Path) -> None:
    engines, said = Engines(Settings(home=home)), list[str]()
    postgres = SupervisedProcess("PostgreSQL", engines.start_postgres, supervisor.POSTGRES._replace(pauses=(0.0,)))
    assert postgres.look(said.append)
    first = postgres.process
    assert first is not None
    times = 0

    def migrated() -> None:
        nonlocal times
        times += 1
        if times > 1:
            assert len(migrate_database(engines.urls.owner or "", None)) > 20
            return
        with psycopg.connect(engines.urls.owner or "") as held, ThreadPoolExecutor() as another:
            held.execute("SELECT pg_advisory_lock(%s)", (ADVISORY_LOCK,))
            waiting = another.submit(migrate_database, engines.urls.owner or "", None)
            query = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            assert eventually(lambda: held.execute(query).fetchone() is not None)
            first.kill()
            waiting.result()

    def until_it_is_dead(_seconds: float) -> None:
        first.wait()

    try:
        with_database(migrated, [postgres], until_it_is_dead, said.append)
        assert postgres.process is not first
        assert pending_migrations(engines.urls.owner or "") == []
    finally:
        engines.stop()
    assert times == 2
    assert [line.partition(":")[0] for line in said] == [
        "the database was lost on the way",
        "PostgreSQL died (killed by SIGKILL); starting it again in 0 s",
    ]


def test_what_a_migration_refuses_is_not_tried_again() -> None:
    postgres = SupervisedProcess("PostgreSQL", dying(0), supervisor.POSTGRES)
    never = failing(AssertionError("nothing is waited for"))
    for failure in (MigrationFailed("It was edited."), Refused("There is no key.", EXIT_WILL_NOT)):
        with pytest.raises(type(failure)):
            with_database(failing(failure), [postgres], never, never)
    with pytest.raises(DatabaseLost):  # a server that a setting names is not ours to start
        with_database(failing(DatabaseLost("It is away.")), [], never, never)


@pytest.mark.slow
def test_doctor_finds_a_running_service_well(home: Path) -> None:
    with up(home, free_port()) as door:
        doctor = FrontDoor(home, door.port, "doctor")
        assert doctor.process.wait(30) == 0, doctor.said()
        assert "Fieldlog answers" in doctor.said()
        assert "restricted, as it should be" in doctor.said()
        assert "public origins" in doctor.said()
        assert not re.search("://[^ ]*:[0-9a-f]{20,}@", doctor.said()), "no password is shown"


def dying(code: int) -> Callable[[], subprocess.Popen[bytes]]:
    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(["/bin/sh", "-c", f"exit {code}"])  # noqa: S603 - this file's own words
        process.wait()
        return process

    return start


def test_a_child_that_keeps_dying_is_given_up() -> None:
    said: list[str] = []
    kept = SupervisedProcess("serve", dying(3), supervisor.SERVICE._replace(pauses=(0.0,)))
    for _ in range(5):
        assert kept.look(said.append)
    with pytest.raises(Refused, match="serve died 5 times in quick succession, last with exit code 3"):
        kept.look(said.append)
    assert said == ["serve died (exit code 3); starting it again in 0 s"] * 4


def test_a_child_that_waits_for_what_may_come_back_is_not_given_up() -> None:
    kept = SupervisedProcess("serve", dying(EXIT_TRY_AGAIN), supervisor.SERVICE._replace(pauses=(0.0,)))
    assert all(kept.look(lambda _: None) for _ in range(20))


def failing(failure: Exception) -> Callable[..., Any]:
    def fail(*_: object) -> Any:
        raise failure

    return fail


@pytest.mark.parametrize(
    "failure", [StartFailed("It was killed.\n    10:31 words"), EngineFailed("It is broken.")]
)
def test_valkey_is_tried_for_ever_and_each_reason_is_said_once(failure: EngineFailed) -> None:
    said: list[str] = []
    kept = SupervisedProcess("Valkey", failing(failure), supervisor.VALKEY._replace(pauses=(0.0,)))
    assert not any(kept.look(said.append) for _ in range(200))
    assert said == [str(failure), "Valkey is tried again; Fieldlog goes on without it"]
    assert supervisor.VALKEY.pauses[-1] == 60


def test_postgresql_is_tried_for_its_time_unless_it_says_that_it_never_starts() -> None:
    kept = SupervisedProcess(
        "PostgreSQL", failing(StartFailed("It was killed.")), supervisor.POSTGRES._replace(pauses=(0.0,))
    )
    assert not any(kept.look(lambda _: None) for _ in range(200))
    assert supervisor.POSTGRES.seconds_max == 60
    brief = supervisor.POSTGRES._replace(seconds_max=0.0)
    with pytest.raises(
        Refused, match=r"did not come back within 0 s; everything is stopped\. Last: It was killed"
    ):
        SupervisedProcess("PostgreSQL", failing(StartFailed("It was killed.")), brief).look(lambda _: None)
    with pytest.raises(EngineFailed, match="It is broken"):
        SupervisedProcess("PostgreSQL", failing(EngineFailed("It is broken.")), supervisor.POSTGRES).look(
            lambda _: None
        )


# --- refusals -----------------------------------------------------------------------------------------------


def test_a_taken_port_is_named_before_anything_starts(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        door = FrontDoor(home, taken.getsockname()[1], "up")
        assert door.process.wait(30) == 1
        assert f"port {door.port} on 127.0.0.1 is taken by another program" in door.said()
    assert not home.exists()


def test_a_home_that_cannot_be_made_is_named(home: Path) -> None:
    home.write_text("a file")
    assert f"{home}/postgres cannot be made: a file stands in the way" in refused(home, "up")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_cannot_be_written_is_named(home: Path) -> None:
    home.mkdir(mode=0o500)
    assert "cannot be made: Permission denied. Name another folder" in refused(home, "up")
    doctor = refused(home, "doctor")
    assert "is not writable" in doctor
    assert "broken: home folder" in doctor


def test_a_broken_data_folder_is_named(home: Path) -> None:
    (home / "postgres" / "data").mkdir(parents=True)
    assert "data is broken" in refused(home, "up")


@pytest.mark.parametrize("command", ["up", "serve", "migrate", "doctor"])
def test_a_setting_that_cannot_be_used_is_named_by_every_command(home: Path, command: str) -> None:
    assert "FIELDLOG_PORT must be a whole number from 1 to 65535" in refused(home, command, FIELDLOG_PORT="70000")


def test_a_python_that_is_too_old_is_named(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit\nexit 1\n')
    old.chmod(0o755)
    told = subprocess.run(  # noqa: S603 - the front door itself
        [ROOT / "run", "doctor"],
        env=os.environ | {"FIELDLOG_PYTHON": str(old)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode != 0
    assert "(Python 3.9.2); Fieldlog needs Python 3.11 or newer" in told.stderr


def test_serve_refuses_what_is_not_there() -> None:
    with pytest.raises(Refused, match="FIELDLOG_DATABASE_URL is not set"):
        require_fit(Settings())
    with pytest.raises(Refused, match="the database does not answer"):
        require_fit(Settings(database_url=f"postgresql://fieldlog@127.0.0.1:{free_port()}/fieldlog"))


def test_serve_tries_again_later_where_the_database_goes_away_between_two_questions(
    database: DatabaseUrls,
) -> None:
    async def refused() -> Refused:
        async with one_connection_to(database.service) as url:
            with pytest.raises(Refused) as found:
                await asyncio.to_thread(require_fit, Settings(database_url=url))
            return found.value

    assert asyncio.run(refused()).exit_code == EXIT_TRY_AGAIN


def test_serve_tries_again_later_where_the_database_cannot_read_its_disk(database: DatabaseUrls) -> None:
    with psycopg.connect(database.owner, autocommit=True) as owner:
        owner.execute("ALTER TABLE schema_migrations RENAME TO unreadable")
        owner.execute(
            "CREATE FUNCTION unread() RETURNS TABLE (name text, checksum bytea) LANGUAGE plpgsql AS"
            " $$BEGIN RAISE 'could not read block 0' USING ERRCODE = '58030'; END$$"
        )
        owner.execute("CREATE VIEW schema_migrations AS SELECT * FROM unread()")
        owner.execute("GRANT SELECT ON schema_migrations TO fieldlog_service")
    with pytest.raises(Refused, match="could not read block 0") as refused:
        require_fit(Settings(database_url=database.service))
    assert refused.value.exit_code == EXIT_TRY_AGAIN


@contextlib.asynccontextmanager
async def one_connection_to(url: str) -> AsyncIterator[str]:
    """A way to the server that is closed behind the first who takes it."""
    parts = urlsplit(url)

    async def pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()
        await writer.wait_closed()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.close()
        server_reader, server_writer = await asyncio.open_connection(parts.hostname, parts.port)
        await asyncio.gather(pour(reader, server_writer), pour(server_reader, writer))
        hung_up.set()

    hung_up = asyncio.Event()
    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    login = parts.netloc.rpartition("@")[0]
    yield urlunsplit(parts._replace(netloc=f"{login}@127.0.0.1:{server.sockets[0].getsockname()[1]}"))
    await hung_up.wait()


def test_serve_accepts_only_the_restricted_login(database: DatabaseUrls, postgres_server: PostgresServer) -> None:
    require_fit(Settings(database_url=database.service))
    with pytest.raises(Refused, match="who owns the schema and could rewrite the log"):
        require_fit(Settings(database_url=database.owner))
    with pytest.raises(Refused, match=r"as the superuser .*, whom no grant holds back"):
        require_fit(Settings(database_url=postgres_server.superuser_url))
    require_fit(Settings(database_url=database.owner, allow_unsafe=True))


def test_serve_refuses_a_schema_that_is_not_up_to_date(postgres_server: PostgresServer) -> None:
    empty = postgres_server.empty_database()
    with pytest.raises(Refused, match="the schema is not up to date"):
        require_fit(Settings(database_url=empty.service))
    postgres_server.drop_database(empty)


def test_serve_refuses_commits_that_a_power_cut_could_take_back(
    database: DatabaseUrls, postgres_server: PostgresServer
) -> None:
    with psycopg.connect(postgres_server.superuser_url, autocommit=True) as superuser:
        name = psycopg.conninfo.conninfo_to_dict(database.service)["dbname"]
        superuser.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off'.encode())
    with pytest.raises(Refused, match="synchronous_commit=off"):
        require_fit(Settings(database_url=database.service))


def test_serve_makes_the_key_of_the_dice_once_and_refuses_a_damaged_one(tmp_path: Path) -> None:
    require_key(Settings(home=tmp_path))
    key = (tmp_path / "dice.key").read_text()
    require_key(Settings(home=tmp_path))
    assert (tmp_path / "dice.key").read_text() == key
    (tmp_path / "dice.key").write_text("d1ce")
    with pytest.raises(Refused, match="must hold 64 hexadecimal digits"):
        require_key(Settings(home=tmp_path))
    require_key(Settings(home=tmp_path, dice_key="d1ce" * 16))
