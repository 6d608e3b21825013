"""What released versions recorded opens in this one, its chains, views, timers, answers and exports unchanged."""

import json
import re
import shutil
import tarfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from litestar.testing import TestClient
from psycopg import sql

from domain.campaign.storage.snapshot import FORM
from infra.postgres import migrate as module
from infra.postgres.migrate import migrate
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls, PostgresServer
from tests.root import ROOT
from tests.services.verify_command import cli

FOLDER = Path(__file__).parent
RECORDED = sorted(path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz"))
MIGRATIONS = sorted((Path(module.__file__).parent / "migrations").glob("*.sql"))


OF_THE_OWNER = {"lock_gone", "note_aborted_imports", "note_deletions", "note_purged", "read_all_deletions"}
"""Statements of `fieldlog purge`, which the owner of the database sends; all others are the service's."""

WORDS = re.compile(r"\.(does|remaining)$|/ledger/accounts\.accounts\[\d+\]\.name$")
"""Fields that are told to whoever reads, in the words of the version that tells them."""


class Opened(NamedTuple):
    """A recorded database after `fieldlog migrate`, as files say it was and as it is served now."""

    recorded: Path
    urls: DatabaseUrls
    superuser_url: str
    campaigns: list[dict[str, Any]]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.superuser_url) as connection:
            return connection.execute(query.encode()).fetchall()

    def table(self, name: str) -> list[dict[str, str]]:
        """The recorded rows of a table, each value as COPY writes it."""
        columns, *rows = (self.recorded / "tables" / name).read_text("utf-8").splitlines()
        return [dict(zip(columns.split(","), row.split("\t"), strict=True)) for row in rows]


@pytest.fixture(scope="module", params=RECORDED)
def opened(
    request: pytest.FixtureRequest, postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Opened]:
    folder = tmp_path_factory.mktemp("recorded")
    with tarfile.open(FOLDER / f"{request.param}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    recorded = folder / request.param
    urls = postgres_server.empty_database()
    path = urlsplit(urls.owner).path
    superuser_url = urlunsplit(urlsplit(postgres_server.superuser_url)._replace(path=path))
    campaigns = json.loads((recorded / "campaigns.json").read_text("utf-8"))
    found = Opened(recorded, urls, superuser_url, campaigns)
    _migrate_as_then(found, folder / "migrations")
    _load(found)
    migrate(urls.owner, urls.service)
    yield found
    postgres_server.drop_database(urls)


def _migrate_as_then(opened: Opened, folder: Path) -> None:
    """The schema as it was: its migrations are the first of today's, byte for byte."""
    names = sorted(row["name"] for row in opened.table("schema_migrations"))
    folder.mkdir()
    for path in MIGRATIONS[: len(names)]:
        shutil.copy(path, folder)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_FOLDER", folder)
        assert migrate(opened.urls.owner, opened.urls.service) == names
    ours = opened.rows("SELECT name, '\\\\x' || encode(checksum, 'hex') FROM schema_migrations")
    assert dict(ours) == {row["name"]: row["checksum"] for row in opened.table("schema_migrations")}


def _load(opened: Opened) -> None:
    with psycopg.connect(opened.superuser_url) as connection:
        connection.execute("SET session_replication_role = replica")  # tables refer to each other
        for path in sorted((opened.recorded / "tables").iterdir()):
            if path.name == "schema_migrations":
                continue
            columns, _, rows = path.read_bytes().partition(b"\n")
            into = sql.SQL("COPY {} ({}) FROM STDIN").format(
                sql.Identifier(path.name), sql.SQL(", ").join(map(sql.Identifier, columns.decode().split(",")))
            )
            with connection.cursor().copy(into) as copying:
                copying.write(rows)


@pytest.fixture(scope="module")
def client(opened: Opened) -> Iterator[TestClient[Any]]:
    settings = Settings(database_url=opened.urls.service, dice_key=DICE_KEY, password_kib=64)
    with an_application(settings) as app, TestClient(app) as running:
        yield running


def test_every_released_version_is_recorded():
    released = {
        line.split()[1]
        for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
        if line.startswith("## ") and line.split()[1] != "Unreleased"
    }
    assert released <= {*RECORDED}, "python -m tests.upgrades.record VERSION"
    assert "0.1.0" in RECORDED


def test_its_chains_end_where_they_did(opened: Opened):
    heads = opened.rows("SELECT campaign_id::text, seq::text, '\\\\x' || encode(hash, 'hex') FROM campaign_heads")
    then = opened.table("campaign_heads")
    assert len(then) >= len(opened.campaigns)  # a story may fork its own
    assert sorted(heads) == sorted((row["campaign_id"], row["seq"], row["hash"]) for row in then)


def test_its_timers_wait_for_the_same_moments(opened: Opened):
    then = sorted((row["cause"], row["subject"], row["clock"], row["due"]) for row in opened.table("timers"))
    assert len(then) > len(opened.campaigns)
    assert sorted(opened.rows("SELECT cause::text, subject, clock, due::text FROM timers")) == then


def test_what_was_read_of_it_reads_the_same(opened: Opened, client: TestClient[Any]):
    for each in opened.campaigns:
        for path, then in each["read"].items():
            answer = client.get(f"/api/campaigns/{each['campaign_id']}{path}", headers=_as_gm(each))
            assert answer.status_code == 200, (path, answer.text)
            assert list(differences(then, answer.json(), path)) == [], each["story"]


def differences(then: Any, now: Any, path: str) -> Iterator[str]:
    """Where what is read now lacks something that was read then. New fields are no difference, nor other words."""
    if WORDS.search(path):
        return
    if path == ".settings":  # a list with one entry for each; there may be more by now
        then, now = ({entry["key"]: entry["value"] for entry in each} for each in (then, now))
    if path.endswith((".characters", "/sheets.sheets")):  # since then NPCs are among them
        known = {entry["character"] for entry in then}
        now = [entry for entry in now if entry["character"] in known]
    if isinstance(then, dict) and isinstance(now, dict):
        for key, value in then.items():
            if key not in now:
                yield f"{path}.{key} is gone"
            else:
                yield from differences(value, now[key], f"{path}.{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for nth, (before, after) in enumerate(zip(then, now, strict=True)):
            yield from differences(before, after, f"{path}[{nth}]")
    elif then != now:
        yield f"{path}: {then!r} is {now!r}"


def test_its_exports_have_the_same_events(opened: Opened, client: TestClient[Any]):
    for each in opened.campaigns:
        answer = client.get(f"/api/campaigns/{each['campaign_id']}/export", headers=_as_gm(each))
        assert answer.status_code == 200
        then = (opened.recorded / "exports" / f"{each['story']}.ndjson").read_text("utf-8")
        assert _events(then) == _events(answer.text)
        assert len(_events(then)) > 30


def test_its_processes_may_go_on_beside_todays_schema(opened: Opened):
    """Every statement that they send is planned, and permitted to the service's login, as it was then."""
    refused = {}
    with (
        psycopg.connect(opened.urls.service, autocommit=True) as service,
        psycopg.connect(opened.urls.owner, autocommit=True) as owner,
    ):
        for name, (text, arguments) in _statements(opened.recorded).items():
            # Arguments of one name may be arrays in one statement only: then PostgreSQL finds their types itself.
            own = tuple("uuid" if each == ["uuid"] else "unknown" for each in arguments)
            sender = owner if name in OF_THE_OWNER else service
            tried = [_refusal(sender, text, types) for types in (*product(*arguments), own)]
            if all(tried):
                refused[name] = tried[0]
    assert refused == {}


def _refusal(sender: psycopg.Connection, text: str, types: tuple[str, ...]) -> str | None:
    """Why PostgreSQL would not run a statement with arguments of these types; it is not run."""
    taken, given = (f"({', '.join(each)})" if types else "" for each in (types, ["NULL"] * len(types)))
    try:
        with sender.transaction(force_rollback=True):
            sender.execute(f"PREPARE recorded {taken} AS {text}".encode())
            sender.execute(f"EXPLAIN EXECUTE recorded {given}".encode())
    except psycopg.Error as error:
        return str(error).splitlines()[0]
    finally:
        sender.execute("DEALLOCATE ALL")
    return None


def _statements(recorded: Path) -> dict[str, tuple[str, list[list[str]]]]:
    found: dict[str, tuple[str, list[list[str]]]] = json.loads((recorded / "statements.json").read_text("utf-8"))
    del found["create_migrations_table"]  # the owner's, and DDL cannot be prepared
    return found


def test_its_processes_may_leave_out_every_column_that_they_do_not_know(opened: Opened):
    known = {
        (path.name, column)
        for path in (opened.recorded / "tables").iterdir()
        for column in path.read_text("utf-8").partition("\n")[0].split(",")
    }
    wanted = opened.rows(
        "SELECT c.relname, a.attname FROM pg_attribute AS a INNER JOIN pg_class AS c ON c.oid = a.attrelid "
        "WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 "
        "AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef"
    )
    tables = {table for table, _ in known}
    assert [each for each in wanted if each[0] in tables and each not in known] == []


def test_a_schema_that_takes_something_away_from_them_is_seen(opened: Opened):
    """Negative control."""
    for change in (
        "ALTER TABLE tokens RENAME COLUMN label TO called",
        "REVOKE INSERT ON events FROM fieldlog_service",
    ):
        with psycopg.connect(opened.superuser_url) as superuser:
            superuser.execute(change.encode())
            superuser.commit()
        try:
            with pytest.raises(AssertionError):
                test_its_processes_may_go_on_beside_todays_schema(opened)
        finally:
            back = change.replace("label TO called", "called TO label")
            back = back.replace("REVOKE", "GRANT").replace("FROM fieldlog", "TO fieldlog")
            with psycopg.connect(opened.superuser_url) as superuser:
                superuser.execute(back.encode())


def _events(export: str) -> list[str]:
    return [line for line in export.splitlines() if json.loads(line).get("seq") and '"hash"' in line]


def test_a_request_of_then_is_answered_as_then_and_play_goes_on(opened: Opened, client: TestClient[Any]):
    for each in opened.campaigns:
        path = f"/api/campaigns/{each['campaign_id']}/actions"
        keyed = _as_gm(each) | {"Idempotency-Key": each["note_key"]}
        note = {"command": {"type": "campaign.add_note", "text": "Said before the upgrade."}}
        again = client.post(path, json=note, headers=keyed)
        assert again.status_code == 201, again.text
        assert list(differences(each["noted"], again.json(), "noted")) == []
        other = client.post(path, json=note | {"note": "other"}, headers=keyed)
        assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


@pytest.mark.slow
def test_every_log_verifies_and_stored_views_are_brought_into_todays_form(opened: Opened, client: TestClient[Any]):
    for each in opened.campaigns:
        told = cli(opened.urls, "verify", each["campaign_id"])
        assert told.returncode == 0, told.stdout
    forms = opened.rows("SELECT form FROM stored_folds")
    other = [form for (form,) in forms if form != FORM]
    rebuilt = cli(opened.urls, "rebuild-views")
    assert rebuilt.returncode == 0, rebuilt.stdout
    assert "all the same as before" in rebuilt.stdout
    there_are = len(opened.table("campaign_heads"))
    assert (f"; {there_are} were stored by another version" in rebuilt.stdout) == bool(other)
    again = cli(opened.urls, "rebuild-views")
    assert again.stdout.rstrip().endswith("all the same as before")
    test_what_was_read_of_it_reads_the_same(opened, client)


@pytest.mark.slow
def test_its_exports_verify_and_can_be_imported(opened: Opened):
    for each in opened.campaigns:
        file = str(opened.recorded / "exports" / f"{each['story']}.ndjson")
        told = cli(opened.urls, "verify", file)
        assert told.returncode == 0, told.stdout
        brought = cli(opened.urls, "import", file, "--owner", each["gm"])
        assert brought.returncode == 0, brought.stderr


def _as_gm(campaign: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {campaign['token']}", "Accept-Language": "en"}
