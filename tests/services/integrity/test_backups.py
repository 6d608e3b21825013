"""Backups: made beside a running service, of one moment, verified, and put back into empty databases only."""

import json
import os
import re
import shlex
import shutil
import subprocess
import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from litestar.testing import TestClient

from infra.embedded.binaries import find_postgres, program_version
from infra.postgres.database_snapshot import LEFT_OUT
from infra.postgres.log_row_copy import EVENT_COLUMNS
from infra.postgres.migrate import migrate
from tests.applications import service
from tests.changeable_events import let_events_be_changed
from tests.engines import DICE_KEY, DatabaseUrls, PostgresServer
from tests.root import ROOT
from tests.services.conftest import Person, Table
from tests.services.processes import Program, eventually
from tests.services.verify_command import cli, told_by
from tests.services.world import SUBSCRIPTION

DOCS = ROOT / "docs"
ROLL = {"command": {"type": "campaign.roll", "notation": "2d20"}}


def backup(database: DatabaseUrls, folder: Path) -> subprocess.CompletedProcess[str]:
    return cli(database, "backup", str(folder), home=str(folder.parent / "home"))


def restore(database: DatabaseUrls, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    home = str(folder.parent / "other-home")
    return cli(database, "restore", str(folder), home=home, owner_url=database.owner, **settings)


def found_table(client: TestClient[Any], rolls: int = 2) -> Table:
    gm = Person(client, "Ana")
    campaign = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()["campaign_id"]
    table = Table(gm, gm, campaign)
    gm.post(f"{table.path}/actions", {"command": {"type": "campaign.add_note", "text": "The tow begins."}})
    for _ in range(rolls):
        assert gm.post(f"{table.path}/actions", ROLL).status_code == 201
    return table


def rows(url: str, query: str) -> list[Any]:
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


def test_a_backup_comes_back_whole_and_is_played_on_with_other_dice(database, empty, tmp_path):
    with service(database, tmp_path / "home") as client:
        table = found_table(client)
        hook = {"url": "https://hooks.example/", "kinds": ["dates"]}
        assert table.gm.post(f"{table.path}/webhooks", hook).status_code == 201
        assert table.gm.send("PUT", "/accounts/me/devices", json=SUBSCRIPTION).status_code == 200
        made = backup(database, tmp_path / "one")
        assert made.returncode == 0, made.stderr
        assert "1 campaign with" in made.stdout
        assert made.stdout.endswith("verified: every event, every chain, every head\n")
        seen = client.get(f"/api{table.path}/events", headers=table.gm.headers).json()["events"]
    put_back = restore(empty, tmp_path / "one")
    assert put_back.returncode == 0, put_back.stderr
    with service(empty, tmp_path / "other-home") as client:
        again = client.get(f"/api{table.path}/events", headers=table.gm.headers).json()["events"]
        assert again[: len(seen)] == seen
        dice = client.post(f"/api{table.path}/actions", json=ROLL, headers=table.gm.headers).json()["events"][0][
            "dice"
        ]
        assert [die["proof"] for die in dice] == ["open:2:0", "open:2:1"]
        assert client.get(f"/api{table.path}/verify", headers=table.gm.headers).json()["sound"] is True
        [webhook] = client.get(f"/api{table.path}/webhooks", headers=table.gm.headers).json()["webhooks"]
        assert (webhook["state"], webhook["error"]) == ("parked", "restored"), "it may have been deleted since"
        assert client.get("/api/accounts/me/devices", headers=table.gm.headers).json()["devices"] == []
    verified = cli(empty, "verify", table.campaign_id, home=str(tmp_path / "other-home"))
    assert verified.stdout.endswith("all is as it was written\n")
    assert [each["command"] for each in told_by(database, "audit")["host_actions"]] == ["backup"]
    assert [each["command"] for each in told_by(empty, "audit")["host_actions"]] == ["restore"]
    doctor = cli(database, "doctor", home=str(tmp_path / "home"), port="8499")
    assert "last backup        0 minutes ago, " in doctor.stdout


def test_a_backup_shows_one_moment_however_fast_people_play(database, empty, tmp_path):
    with service(database, tmp_path / "home") as client:
        table = found_table(client)
        done = threading.Event()

        def play() -> None:
            while not done.is_set():
                assert table.gm.post(f"{table.path}/actions", ROLL).status_code == 201

        player = threading.Thread(target=play)
        player.start()
        before = table.seq()
        made = backup(database, tmp_path / "one")
        done.set()
        player.join()
        assert made.returncode == 0, made.stderr
        assert table.seq() > before
    manifest = json.loads((tmp_path / "one" / "backup.json").read_text())
    assert before <= manifest["events"] <= table_seq(database)
    assert restore(empty, tmp_path / "one").returncode == 0
    [(events,)] = rows(empty.owner, "SELECT min(seq) FROM campaign_heads")
    assert events == manifest["events"] + 2, "the end of one epoch of dice, and the beginning of another"


def table_seq(database: DatabaseUrls) -> int:
    [(seq,)] = rows(database.owner, "SELECT max(seq) FROM campaign_heads")
    return int(seq)


def test_every_table_is_in_a_backup_but_those_that_are_made_again(database, tmp_path):
    assert backup(database, tmp_path / "one").returncode == 0
    tables = {
        name for (name,) in rows(database.owner, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    }
    held = {path.name.removesuffix(".copy") for path in (tmp_path / "one").glob("*.copy")}
    assert held == tables - LEFT_OUT
    assert tables > LEFT_OUT


def test_tables_of_another_program_in_the_schema_are_left_to_it(database, empty, tmp_path):
    with psycopg.connect(database.owner) as owner:
        owner.execute("CREATE TABLE shopping (what text)")
        owner.execute("INSERT INTO shopping VALUES ('salt')")
        owner.execute("GRANT SELECT ON shopping TO PUBLIC")
        owner.execute("CREATE TABLE diary (secret text)")
    made = backup(database, tmp_path / "one")
    assert made.returncode == 0, made.stderr
    assert not {"shopping.copy", "diary.copy"} & {path.name for path in (tmp_path / "one").iterdir()}
    put_back = restore(empty, tmp_path / "one")
    assert put_back.returncode == 0, put_back.stderr


def test_a_backup_of_a_log_that_was_changed_says_where_and_fails(database, empty, tmp_path):
    with service(database, tmp_path / "home") as client:
        table = found_table(client)
    with psycopg.connect(database.owner) as owner:
        let_events_be_changed(owner)
        owner.execute("UPDATE events SET body = '{}' WHERE seq = 3")
    made = backup(database, tmp_path / "one")
    assert made.returncode == 1
    assert f"campaign {table.campaign_id}: seq 3 is NOT what was written\n" in made.stdout
    assert "1 campaigns are NOT as they were written" in made.stderr
    put_back = restore(empty, tmp_path / "one")
    assert put_back.returncode == 0, "it is all there is"
    assert "1 campaigns were NOT as they were written when the backup was made" in put_back.stdout


@pytest.mark.parametrize("change", ["DELETE FROM personal_text", "UPDATE campaign_heads SET seq = seq + 1"])
def test_a_lost_end_is_noticed_and_an_erased_text_is_none(database, tmp_path, change):
    with service(database, tmp_path / "home") as client:
        found_table(client)
    with psycopg.connect(database.owner) as owner:
        owner.execute(change)
    assert backup(database, tmp_path / "one").returncode == (0 if "personal_text" in change else 1)


def test_what_is_no_whole_backup_is_not_restored(database, empty, tmp_path):
    with service(database, tmp_path / "home") as client:
        found_table(client)
    missing = restore(empty, tmp_path / "nowhere")
    assert (missing.returncode, "holds no finished backup" in missing.stderr) == (2, True)
    folder = tmp_path / "one"
    assert backup(database, folder).returncode == 0
    again = backup(database, folder)
    assert (again.returncode, "holds a backup already" in again.stderr) == (2, True)
    events = (folder / "events.copy").read_bytes()
    (folder / "events.copy").write_bytes(events[:-40] + bytes(40))
    damaged = restore(empty, folder)
    assert (damaged.returncode, "is not as it was written" in damaged.stderr) == (2, True)
    assert rows(empty.owner, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]
    (folder / "events.copy").write_bytes(events)
    wrong_key = restore(empty, folder, dice_key="ab" * 32)
    assert (wrong_key.returncode, "holds another key to the dice" in wrong_key.stderr) == (2, True)
    assert restore(empty, folder).returncode == 0, "the control: nothing was left in the way"


Notes = dict[str, Any]
Change = Callable[[Path, Notes], Any]
"""Changes a backup, or its notes; what it returns as bytes is written in their place."""


def changed(folder: Path, name: str, change: Change) -> Path:
    """A copy of a backup in which something was changed, with notes that fit."""
    copy = folder.with_name(name)
    shutil.copytree(folder, copy)
    notes = json.loads((copy / "backup.json").read_text())
    written = change(copy, notes)
    sums = {path.name: sha256(path.read_bytes()).hexdigest() for path in copy.iterdir()}
    for file in notes["files"]:
        file["sha256"] = sums.get(file["name"], file["sha256"])
    (copy / "backup.json").write_bytes(written if isinstance(written, bytes) else json.dumps(notes).encode())
    return copy


def replaced(file: str, old: bytes, new: bytes) -> Change:
    """Replaces the first such bytes in a file."""

    def change(folder: Path, _: Notes) -> None:
        content = (folder / file).read_bytes()
        assert old in content
        (folder / file).write_bytes(content.replace(old, new, 1))

    return change


def renamed(name: str) -> Change:
    """Gives the first table's file another name in the notes."""
    return lambda _, notes: notes["files"][0].update(name=name)


def untouched(database: DatabaseUrls) -> bool:
    return rows(database.owner, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]


def test_a_log_that_was_changed_in_a_backup_is_refused_by_its_campaign_and_seq(database, empty, tmp_path):
    with service(database, tmp_path / "home") as client:
        table = found_table(client)
    assert backup(database, tmp_path / "one").returncode == 0
    [(rolled,)] = rows(database.owner, "SELECT min(seq) FROM events WHERE position('2d20'::bytea IN command) > 0")
    [(noted,)] = rows(
        database.owner, "SELECT min(seq) FROM personal_text WHERE position('tow'::bytea IN texts) > 0"
    )
    [(head,)] = rows(database.owner, "SELECT hash FROM campaign_heads")
    changes = {
        "event": (rolled, replaced("events.copy", b"2d20", b"3d20")),
        "text": (noted, replaced("personal_text.copy", b"The tow", b"The bow")),
        "head": (table_seq(database), replaced("campaign_heads.copy", head, bytes(32))),
    }
    for name, (seq, change) in changes.items():
        refused = restore(empty, changed(tmp_path / "one", name, change))
        assert refused.returncode == 2, (name, refused.stdout, refused.stderr)
        said = f"campaign {table.campaign_id} is not as it was written from seq {seq} on"
        assert said in refused.stderr, (name, refused.stderr)
    assert untouched(empty)
    assert restore(empty, tmp_path / "one").returncode == 0, "the control"


def test_rubbish_in_a_backup_is_refused_in_one_sentence_before_anything_is_written(database, empty, tmp_path):
    with service(database, tmp_path / "home") as client:
        found_table(client)
    assert backup(database, tmp_path / "one").returncode == 0
    [(campaign,)] = rows(database.owner, "SELECT uuid_send(campaign_id) FROM campaign_heads")

    def heads(content: bytes) -> Change:
        return lambda folder, _: (folder / "heads.txt").write_bytes(content)

    def without(table: str) -> Change:
        return lambda _, notes: notes.update(files=[f for f in notes["files"] if f["name"] != f"{table}.copy"])

    def columns(*names: str) -> Change:
        def change(_: Path, notes: Notes) -> None:
            [events] = [file for file in notes["files"] if file["name"] == "events.copy"]
            events["columns"] = names

        return change

    first = b"\0\0\0\x10" + campaign + b"\0\0\0\x08" + (1).to_bytes(8)
    changes: dict[str, Change] = {
        "heads-not-ascii": heads(b"rubbish\xff\n"),
        "heads-of-nothing": heads(b"rubbish\n"),
        "a-name-with-nul": renamed("accounts\0.copy"),
        "a-name-outside": renamed("../one/accounts.copy"),
        "an-absolute-name": renamed(str(tmp_path / "one" / "accounts.copy")),
        "a-column-with-nul": columns("seq\0"),
        "no-such-columns": columns("seq"),
        "too-many-columns": columns(*"abcdefgh", *EVENT_COLUMNS),
        "no-events": without("events"),
        "deep": lambda *_: b"[" * 200_000,
        "deep-inside": lambda *_: b'{"format": 1, "more": ' + b"[" * 200_000,
        "no-number": lambda *_: b'{"format": 1e400}',
        "cut-short": lambda folder, _: os.truncate(folder / "events.copy", 1000),
        "a-null-seq": replaced("events.copy", first, first[:20] + b"\xff" * 4),
        "a-header-that-hides-rows": replaced("events.copy", bytes(8), bytes(7) + b"\1"),
    }
    for name, change in changes.items():
        refused = restore(empty, changed(tmp_path / "one", name, change))
        said = refused.stderr.removeprefix("fieldlog: ")
        assert (refused.returncode, said.count("\n")) == (2, 1), (name, refused.stdout, refused.stderr)
        assert str(tmp_path / name) in said, name
    assert untouched(empty)


def test_the_key_of_a_backup_is_put_into_a_home_only_if_it_is_the_right_one(database, empty, tmp_path):
    with service(database, tmp_path / "home") as client:
        found_table(client)
    assert backup(database, tmp_path / "one").returncode == 0
    key, kept = tmp_path / "one" / "dice.key", tmp_path / "other-home" / "dice.key"
    for content in (b"\xffrubbish\n", b"ab\n", b"ab" * 32 + b"\n"):
        key.write_bytes(content)
        refused = restore(empty, tmp_path / "one", dice_key="")
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
        assert f"{key}" in refused.stderr
        assert not kept.exists()
    key.write_text(f"{DICE_KEY}\n")
    assert restore(empty, tmp_path / "one", dice_key="").returncode == 0
    assert kept.read_text() == f"{DICE_KEY}\n"


def test_nothing_that_has_rows_is_overwritten(database, tmp_path):
    with service(database, tmp_path / "home") as client:
        found_table(client)
    assert backup(database, tmp_path / "one").returncode == 0
    before = rows(database.owner, "SELECT * FROM campaign_heads")
    refused = restore(database, tmp_path / "one")
    assert (refused.returncode, "The database is not empty" in refused.stderr) == (2, True)
    assert rows(database.owner, "SELECT * FROM campaign_heads") == before
    without_owner = cli(database, "restore", str(tmp_path / "one"), home=str(tmp_path / "home"))
    assert (without_owner.returncode, "FIELDLOG_OWNER_URL" in without_owner.stderr) == (2, True)


def killed_while_it_waits(program: Program, server: PostgresServer, query: str) -> None:
    """Kill a program with -9 in the middle of a query, which waits for a lock."""
    there = "SELECT {} FROM pg_stat_activity WHERE query LIKE %s AND pid <> pg_backend_pid()"
    waits = f"{there} AND wait_event_type = 'Lock'".format("1")
    with psycopg.connect(server.superuser_url, autocommit=True) as watcher:
        assert eventually(lambda: watcher.execute(waits, [query]).fetchone()), program.said()
        program.kill()
        watcher.execute(there.format("pg_terminate_backend(pid)"), [query])
        assert eventually(lambda: watcher.execute(there.format("1"), [query]).fetchone() is None)


def test_a_backup_that_is_killed_leaves_nothing_that_looks_done(database, empty, postgres_server, tmp_path):
    with service(database, tmp_path / "home") as client:
        found_table(client)
    with psycopg.connect(database.owner) as blocker:
        blocker.execute("LOCK TABLE timers IN ACCESS EXCLUSIVE MODE")  # after most tables, by its name
        settings = {"database_url": database.service, "home": str(tmp_path / "home")}
        program = Program(tmp_path, "backup", str(tmp_path / "one"), **settings)
        killed_while_it_waits(program, postgres_server, "COPY%timers%")
    assert (tmp_path / "one" / "events.copy").exists()
    refused = restore(empty, tmp_path / "one")
    assert (refused.returncode, "holds no finished backup" in refused.stderr) == (2, True)
    again = backup(database, tmp_path / "one")
    assert (again.returncode, "perhaps of an unfinished backup" in again.stderr) == (2, True)


def test_a_restore_that_is_killed_is_not_served_and_goes_on_when_it_is_asked_again(
    database, postgres_server, tmp_path
):
    with service(database, tmp_path / "home") as client:
        table = found_table(client)
    assert backup(database, tmp_path / "one").returncode == 0
    target = postgres_server.new_database()
    settings = {"database_url": target.service, "owner_url": target.owner, "home": str(tmp_path / "other-home")}
    with psycopg.connect(target.owner) as blocker:
        blocker.execute("LOCK TABLE timers IN SHARE MODE")
        program = Program(tmp_path, "restore", str(tmp_path / "one"), **settings)
        killed_while_it_waits(program, postgres_server, "COPY%timers%")
    assert rows(target.owner, "SELECT count(*) FROM campaign_heads") == [(0,)], "all tables or none"
    refused = cli(target, "serve", home=str(tmp_path / "other-home"), port="8499")
    assert (refused.returncode, "run `fieldlog restore` again" in refused.stderr) == (78, True)
    put_back = restore(target, tmp_path / "one")
    assert put_back.returncode == 0, put_back.stderr
    with service(target, tmp_path / "other-home") as client:
        assert client.get(f"/api{table.path}/verify", headers=table.gm.headers).json()["sound"] is True
    postgres_server.drop_database(target)


def test_a_killed_restore_that_filled_nothing_gives_way_to_one_of_another_backup(
    database, postgres_server, tmp_path
):
    with service(database, tmp_path / "home") as client:
        found_table(client)
    assert backup(database, tmp_path / "one").returncode == 0
    target = postgres_server.new_database()
    with psycopg.connect(target.owner) as owner:
        owner.execute("INSERT INTO restores (backup_id) VALUES (gen_random_uuid())")  # as a killed one leaves it
    home = str(tmp_path / "other-home")
    refused = cli(target, "up", home=home, owner_url=target.owner, port="8499")
    assert "run `fieldlog restore` again" in refused.stderr + refused.stdout
    assert rows(target.owner, "SELECT count(*) FROM dice_key") == [(0,)], "nothing is in the way of what goes on"
    put_back = restore(target, tmp_path / "one")
    assert put_back.returncode == 0, put_back.stderr
    assert rows(target.service, "SELECT done_at IS NOT NULL FROM restores") == [(True,)], "it is served"
    postgres_server.drop_database(target)


def postgres_tool(name: str, url: str) -> str:
    """PostgreSQL's own tool, as old as the server: an older server refuses settings that a newer tool makes."""
    with psycopg.connect(url) as connection:
        major = connection.info.server_version // 10_000
    for folder in (find_postgres(None).folder, Path(f"/usr/lib/postgresql/{major}/bin")):
        tool = folder / name
        if tool.is_file() and program_version(tool).partition(".")[0] == str(major):
            return str(tool)
    pytest.skip(f"there is no {name} of PostgreSQL {major} here")


def dumped(url: str, *options: str) -> subprocess.CompletedProcess[str]:
    """A dump of a database by PostgreSQL's own tool."""
    command = [postgres_tool("pg_dump", url), "--no-owner", f"--dbname={url}", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 — PostgreSQL's own


def events_in(dump: str) -> list[str]:
    return dump.partition("COPY public.events ")[2].partition("\n")[2].partition("\\.")[0].splitlines()


@pytest.mark.parametrize(
    "rights",
    [
        "BYPASSRLS",
        pytest.param("NOBYPASSRLS", marks=pytest.mark.one_database("shards do not hear of row_security = off")),
    ],
)
def test_a_member_of_the_backup_group_dumps_everything_with_the_tools_of_postgresql(
    database, postgres_server, tmp_path, rights
):
    with service(database, tmp_path / "home") as client:
        found_table(client)
    role = f"fieldlog_dump_{os.getpid()}"
    superuser = urlsplit(postgres_server.superuser_url)
    url = urlunsplit(
        superuser._replace(
            netloc=f"{role}:x@{superuser.netloc.rpartition('@')[2]}", path=urlsplit(database.owner).path
        )
    )
    with psycopg.connect(postgres_server.superuser_url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN {rights} PASSWORD 'x' IN ROLE fieldlog_backup")
        try:
            dump = dumped(url)
            if rights == "NOBYPASSRLS":
                assert (dump.returncode, "row-level security" in dump.stderr) == (1, True), "it does not end well"
                dump = dumped(url, "--enable-row-security")
            assert dump.returncode == 0, dump.stderr
            assert len(events_in(dump.stdout)) == table_seq(database)
            with psycopg.connect(url) as reader, pytest.raises(psycopg.errors.InsufficientPrivilege):
                reader.execute("DELETE FROM personal_text")
        finally:
            connection.execute(f"DROP ROLE {role}")


def test_a_dump_comes_back_by_the_line_that_the_page_for_hosts_has(database, empty, postgres_server, tmp_path):
    """Into an empty database, as the owner; then it is migrated, backed up and verified as it stands."""
    with service(database, tmp_path / "home") as client:
        found_table(client)
    dump = tmp_path / "fieldlog.dump"
    of_all = urlsplit(postgres_server.superuser_url)._replace(path=urlsplit(database.owner).path).geturl()
    assert dumped(of_all, "-Fc", f"--file={dump}").returncode == 0
    [line] = re.findall(r"^pg_restore .+$", (DOCS / "operate" / "backup.md").read_text("utf-8"), re.MULTILINE)
    program, *words = [
        word.replace("postgresql://fieldlog_owner:…@host/fieldlog", empty.owner).replace(
            "fieldlog.dump", str(dump)
        )
        for word in shlex.split(line)
    ]
    command = [postgres_tool(program, empty.owner), *words]
    restored = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 — PostgreSQL's own
    assert restored.returncode == 0, restored.stderr
    assert migrate(empty.owner, empty.service) == []
    assert table_seq(empty) == table_seq(database) > 0
    verified = backup(empty, tmp_path / "again")
    assert verified.returncode == 0, verified.stderr


def test_without_the_rights_of_backups_a_dump_holds_no_event(database, tmp_path):
    """Negative control: it is the policies that make a dump whole."""
    with service(database, tmp_path / "home") as client:
        found_table(client)
    dump = dumped(database.service, "--enable-row-security", "--table=events").stdout
    assert "COPY public.events " in dump
    assert events_in(dump) == []
