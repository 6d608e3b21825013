"""The engines that need no installation: made, kept, killed, broken."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from infra.embedded import binaries, data_folder, data_location, valkey
from infra.embedded.binaries import find_postgres, find_valkey
from infra.embedded.child_process import call_in_child
from infra.embedded.errors import EngineFailed, StartFailed
from infra.embedded.postgres import EmbeddedPostgres, running_urls
from infra.embedded.valkey import EmbeddedValkey
from tests.engines import engine_folder

POLL_SECONDS_MAX = 5.0


@pytest.fixture
def folder() -> Iterator[Path]:
    with engine_folder() as made:
        yield made


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + POLL_SECONDS_MAX
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


def note(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS notes (note text)")
        connection.execute("INSERT INTO notes VALUES ('kept')")


def notes(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM notes").fetchone()
    assert row is not None
    return int(row[0])


@pytest.fixture(scope="module")
def engine() -> Iterator[EmbeddedPostgres]:
    """One that several tests only look at."""
    with engine_folder() as made, EmbeddedPostgres.start(made) as started:
        yield started


def shown(engine: EmbeddedPostgres, setting: str) -> str:
    with psycopg.connect(engine.service_url) as connection:
        row = connection.execute("SELECT current_setting(%s)", [setting]).fetchone()
    assert row is not None
    return str(row[0])


def test_the_three_logins_have_the_rights_they_need_and_no_more(engine: EmbeddedPostgres) -> None:
    rights = {}
    for url in (engine.superuser_url, engine.owner_url, engine.service_url):
        with psycopg.connect(url) as connection:
            rights[connection.info.user] = connection.execute(
                "SELECT rolsuper, rolcreaterole, rolcreatedb, pg_has_role('fieldlog_service', 'MEMBER') "
                "FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    assert rights["postgres"] == (True, True, True, True)
    assert rights["fieldlog_owner"] == (False, True, True, True)
    assert rights["fieldlog"] == (False, False, False, True)


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit", "full_page_writes"])
def test_what_is_acknowledged_is_on_disk(engine: EmbeddedPostgres, setting: str) -> None:
    assert shown(engine, setting) == "on"


def test_postgres_reads_without_io_workers_whose_death_could_hang_it(engine: EmbeddedPostgres) -> None:
    assert shown(engine, "io_method") == "sync"


@pytest.mark.skipif(sys.platform != "linux", reason="there is no syncfs elsewhere")
def test_a_killed_postgres_is_not_synced_file_by_file(engine: EmbeddedPostgres) -> None:
    assert shown(engine, "recovery_init_sync_method") == "syncfs"


@pytest.mark.slow
def test_rows_survive_the_killing_of_the_postmaster(folder: Path) -> None:
    engine = EmbeddedPostgres.start(folder)
    note(engine.owner_url)
    engine.process.kill()
    engine.process.wait()
    engine.stop()
    with EmbeddedPostgres.start(folder) as again:
        assert notes(again.owner_url) == 1
        assert again.owner_url == engine.owner_url, "the port stays when it is free"


@pytest.mark.slow
def test_the_note_of_its_port_is_not_written_again_where_a_power_cut_could_empty_it(folder: Path) -> None:
    with EmbeddedPostgres.start(folder) as postgres:
        note, url = postgres.folder / "port", postgres.service_url
        written = note.stat().st_mtime_ns
    with EmbeddedPostgres.start(folder) as postgres:
        assert postgres.service_url == url
        assert note.stat().st_mtime_ns == written


@pytest.mark.slow
def test_a_stale_pid_file_that_names_a_stranger_is_no_obstacle(folder: Path) -> None:
    with EmbeddedPostgres.start(folder) as engine:
        note(engine.owner_url)
        told = (engine.folder / "data" / "postmaster.pid").read_text().splitlines()
    stale = [str(os.getpid()), *told[1:]]
    (engine.folder / "data" / "postmaster.pid").write_text("\n".join(stale) + "\n")
    with EmbeddedPostgres.start(folder) as again:
        assert notes(again.owner_url) == 1


def test_a_half_made_cluster_never_counts(folder: Path) -> None:
    (folder / "making-interrupted" / "data" / "base").mkdir(parents=True)
    with EmbeddedPostgres.start(folder) as engine:
        assert (engine.folder / "data" / "PG_VERSION").exists()
        found = running_urls(folder)
        assert found is not None
        assert found.service == engine.service_url
    assert running_urls(folder) is None
    assert not list(folder.glob("making-*"))


def test_a_folder_has_one_owner(engine: EmbeddedPostgres) -> None:
    with pytest.raises(EngineFailed, match=f"another Fieldlog .process {os.getpid()}. owns"):
        EmbeddedPostgres.start(engine.folder)


def test_a_broken_data_folder_is_named(folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "something").write_text("else")
    with pytest.raises(EngineFailed, match="data is broken"):
        EmbeddedPostgres.start(folder)
    assert (folder / "data" / "something").exists(), "nobody's files are thrown away"


@pytest.mark.slow
def test_the_engines_own_words_stand_under_the_sentence(folder: Path) -> None:
    with EmbeddedPostgres.start(folder) as engine:
        place = engine.folder
    control = place / "data" / "global" / "pg_control"
    control.write_bytes(b"\0" * control.stat().st_size)
    with pytest.raises(EngineFailed, match=r"(?s)says that its data in .* are broken.*(FATAL|PANIC)"):
        EmbeddedPostgres.start(folder)


def test_data_of_another_major_version_is_left_alone(folder: Path) -> None:
    with EmbeddedPostgres.start(folder) as engine:
        place = engine.folder
    (place / "data" / "PG_VERSION").write_text("12\n")
    with pytest.raises(EngineFailed, match="made by PostgreSQL 12"):
        EmbeddedPostgres.start(folder)


def test_lost_passwords_are_named_and_the_data_is_kept(folder: Path) -> None:
    with EmbeddedPostgres.start(folder) as engine:
        place = engine.folder
    (place / "logins.json").unlink()
    with pytest.raises(EngineFailed, match=r"logins\.json is missing"):
        EmbeddedPostgres.start(folder)
    assert (place / "data" / "PG_VERSION").exists()


def test_a_file_in_the_way_is_named(folder: Path) -> None:
    (folder / "file").write_text("")
    with pytest.raises(EngineFailed, match="a file stands in the way"):
        EmbeddedPostgres.start(folder / "file" / "postgres")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_named(folder: Path) -> None:
    folder.chmod(0o500)
    for engine in (EmbeddedPostgres, EmbeddedValkey):
        with pytest.raises(EngineFailed, match="cannot be made: Permission denied"):
            engine.start(folder / "home")
        with pytest.raises(EngineFailed, match="is not writable: Permission denied"):
            engine.start(folder)
    folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to give itself up")
def test_roots_data_behind_a_closed_door_lies_elsewhere_and_always_there(folder: Path) -> None:
    folder.chmod(0o700)
    home = folder / "postgres"
    with EmbeddedPostgres.start(home) as engine:
        place = engine.folder
        note(engine.owner_url)
        assert place.is_relative_to(data_location.root_place())
        assert (home / data_location.NOTE).read_text().strip() == str(place)
    try:
        folder.chmod(0o711)  # even when the door is open later
        with EmbeddedPostgres.start(home) as again:
            assert again.folder == place
            assert notes(again.owner_url) == 1
    finally:
        shutil.rmtree(place)


def test_a_folder_without_programs_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match=r"FIELDLOG_POSTGRES_BIN names .* holds no initdb and postgres"):
        find_postgres(tmp_path)


def test_a_machine_for_which_there_are_no_engines_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "_package_folder", lambda _name: None)
    monkeypatch.setattr(binaries, "_system_folders", list)
    monkeypatch.setenv("PATH", "")
    for find, names in (
        (find_postgres, "Install PostgreSQL 15 or newer here, .* FIELDLOG_POSTGRES_BIN, .* FIELDLOG_DATABASE_URL"),
        (find_valkey, "Install Valkey or Redis here, .* FIELDLOG_VALKEY_BIN, .* FIELDLOG_REDIS_URL"),
    ):
        with pytest.raises(EngineFailed, match=f"^there is no .* to run: .* machine. {names}.$") as failed:
            find(None)
        assert "\n" not in str(failed.value)


@pytest.mark.slow
def test_a_postgresql_of_the_system_serves_as_well(folder: Path) -> None:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not installed:
        pytest.skip("no PostgreSQL is installed here")
    with EmbeddedPostgres.start(folder, binaries=installed[0].parent) as engine:
        note(engine.owner_url)
        assert engine.version.startswith(installed[0].parents[1].name)


def test_valkey_asks_for_its_password_and_refuses_to_evict(folder: Path) -> None:
    with EmbeddedValkey.start(folder) as engine, redis.Redis.from_url(engine.url) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        port = client.get_connection_kwargs()["port"]
        with (
            redis.Redis(port=port, retry=Retry(NoBackoff(), 0)) as stranger,
            pytest.raises(redis.AuthenticationError),
        ):
            stranger.ping()


@pytest.mark.parametrize("is_killed", [True, False])
def test_valkey_writes_nothing_and_starts_empty(folder: Path, is_killed: bool) -> None:
    engine = EmbeddedValkey.start(folder)
    with redis.Redis.from_url(engine.url) as client:
        client.set("doorbell", "rang")
    if is_killed:
        engine.process.kill()
        engine.process.wait()
    engine.stop()
    assert list((engine.folder / "data").iterdir()) == []
    with EmbeddedValkey.start(folder) as again, redis.Redis.from_url(again.url) as client:
        assert client.get("doorbell") is None
        assert again.url == engine.url


def test_what_an_earlier_valkey_kept_is_neither_read_nor_kept(folder: Path) -> None:
    with EmbeddedValkey.start(folder) as engine:
        data = engine.folder / "data"
    (data / "dump.rdb").write_text("nonsense\n")
    (data / "appendonlydir").mkdir()
    (data / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with EmbeddedValkey.start(folder):
        assert list(data.iterdir()) == []


def test_a_valkey_which_keeps_nothing_starts_on_a_disk_without_room_for_a_database(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_folder, "FREE_BYTES_MIN", 2**60)
    with pytest.raises(EngineFailed, match="a new database needs"):
        EmbeddedPostgres.start(folder / "postgres")
    with EmbeddedValkey.start(folder / "valkey") as engine, redis.Redis.from_url(engine.url) as client:
        assert client.ping()


def test_a_valkey_that_hangs_while_it_starts_is_ended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "READY_SECONDS_MAX", 0.2)
    with engine_folder() as programs:
        hanging = programs / "valkey-server"
        hanging.write_text('#!/bin/sh\n[ "$1" = --version ] && exit\ntrap "" TERM\nexec sleep 60\n')
        hanging.chmod(0o755)
        began = time.monotonic()
        with pytest.raises(StartFailed, match="Valkey was not ready"):
            EmbeddedValkey.start(folder, program=hanging)
        assert time.monotonic() - began < 10


OWNER = """
import sys, time
from pathlib import Path
from infra.embedded.postgres import EmbeddedPostgres
from infra.embedded.valkey import EmbeddedValkey
postgres = EmbeddedPostgres.start(Path(sys.argv[1]) / "postgres")
valkey = EmbeddedValkey.start(Path(sys.argv[1]) / "valkey")
print(postgres.process.pid, valkey.process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next start ends what was left")
def test_engines_die_with_their_owner_however_it_dies(folder: Path) -> None:
    with subprocess.Popen(  # noqa: S603 - this file's own words
        [sys.executable, "-c", OWNER, str(folder)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    ) as owner:
        assert owner.stdout is not None
        children = [int(pid) for pid in owner.stdout.readline().split()]
        assert len(children) == 2
        owner.send_signal(signal.SIGKILL)
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children))


def test_what_a_child_is_called_for_raises_here_and_leaves_nothing_here(tmp_path):
    def do() -> None:
        sys.modules["left_behind"] = sys
        (tmp_path / "done").touch()

    call_in_child(do)
    assert (tmp_path / "done").exists()
    assert "left_behind" not in sys.modules

    def fail() -> None:
        raise StartFailed("no room")

    with pytest.raises(StartFailed, match="no room"):
        call_in_child(fail)
    with pytest.raises(EngineFailed, match="killed by SIGKILL"):
        call_in_child(lambda: os.kill(os.getpid(), signal.SIGKILL))
