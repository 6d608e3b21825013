"""What Citus makes of the schema and the statements, where campaigns are shared out to shards.

The tests share their database out: the service does not do that yet.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
import pytest
from psycopg import errors, sql

from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import EventBatch, Timer
from domain.projection_types import StoredFold, ViewRow
from infra.postgres.append_statement import COMMON, WHOLE
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.driver.connector import SETTINGS
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import SQL, Statement, source
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.ledger_check_store import PostgresLedgerCheckStore
from infra.postgres.migrate import migrate
from infra.postgres.projection_store import PostgresProjectionStore
from infra.postgres.timer_store import PostgresTimerStore
from tests.engines import DatabaseUrls, PostgresServer
from tests.infra.log_entries import batch_after, new_campaign

CITUS_URL = os.environ.get("FIELDLOG_TEST_CITUS_URL")

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(CITUS_URL is None, reason="FIELDLOG_TEST_CITUS_URL names no PostgreSQL that has Citus"),
]

REFUSED = {"append", "append without what is seldom", "claim_timers"}
"""The statements that Citus refuses: the other ones are the same for both engines."""

NAMED = """campaign_id = ANY(nullif(current_setting('fieldlog.campaigns', true), '')::uuid [])"""
"""The policies in a form that Citus takes. It reads the setting for each row: in a plain database an append of 256
campaigns took ten times as long."""

FIRST = "campaign_heads"

TYPES = {
    "bytea[]": "answers fold_contents left_texts parts",
    "text[]": "audiences clocks fold_audiences fold_forms keys stays subjects views",
    "bigint[]": "dues fold_seqs numbers seqs unusable_from unusable_to wakes",
    "uuid[]": "accounts actions campaigns causes done ids",
}
"""Of arguments that PostgreSQL cannot tell the type of."""

VALUES = {
    "boolean": "t",
    "bytea": "\\x00",
    "bytea[]": '{"\\\\x00"}',
    "integer[]": "{1}",
    "text[]": "{x}",
    "bigint[]": "{1}",
    "uuid": str(uuid4()),
    "uuid[]": f"{{{uuid4()}}}",
    "timestamp with time zone": "2020-01-01",
}


@pytest.fixture(scope="module")
def distributed() -> Iterator[tuple[DatabaseUrls, str]]:
    """A migrated database whose campaigns are shared out to shards, and a superuser's URL of it."""
    assert CITUS_URL is not None
    server = PostgresServer(CITUS_URL)
    urls = server.empty_database()
    superuser_url = urlunsplit(urlsplit(CITUS_URL)._replace(path=urlsplit(urls.owner).path))
    place = [urlsplit(CITUS_URL).hostname, urlsplit(CITUS_URL).port or 5432]
    try:
        migrate(urls.owner, urls.service)
        with psycopg.connect(superuser_url, autocommit=True) as superuser:
            superuser.execute("CREATE EXTENSION citus")
            superuser.execute("SELECT citus_set_coordinator_host(%s, %s)", place)
            superuser.execute("SELECT citus_set_node_property(%s, %s, 'shouldhaveshards', true)", place)
        with psycopg.connect(urls.owner, autocommit=True) as owner:
            share_out(owner)
        # The one node is asked as another one would be: on a connection of its own, which sets nothing for others.
        yield (
            DatabaseUrls(urls.owner, f"{urls.service}?options=-c%20citus.enable_local_execution%3Doff"),
            superuser_url,
        )
    finally:
        server.close()


def share_out(owner: psycopg.Connection) -> None:
    owner.execute("SET citus.shard_count = 4")
    owner.execute("SET citus.enable_unsafe_triggers = on")
    for (table,) in owner.execute(
        "SELECT tablename FROM pg_policies WHERE policyname = 'named_campaigns'"
    ).fetchall():
        policy = sql.SQL("ALTER POLICY named_campaigns ON {} USING ({})")
        owner.execute(policy.format(sql.Identifier(table), sql.SQL(NAMED)))
    tables = [table for (table,) in owner.execute(source("read_campaign_tables")).fetchall()]
    for table in sorted(tables, key=lambda table: table != FIRST):
        owner.execute(
            "SELECT create_distributed_table(%s::regclass, 'campaign_id', colocate_with => %s)",
            [table, "none" if table == FIRST else FIRST],
        )


def statements() -> dict[str, Statement]:
    """Every statement by its name; those with arguments of psycopg's kind too."""
    found = {
        name: Statement(re.sub(r"%\((\w+)\)s", r":\1", source(name))) if "%(" in source(name) else statement
        for name, statement in SQL.items()
        if name not in ("create_migrations_table", "note_fingerprint", "set_session")
    }
    return found | {"append": WHOLE.statement, "append without what is seldom": COMMON.statement}


def tried(connection: psycopg.Connection, statement: Statement, types: dict[str, str], how: str) -> list[str]:
    """What a statement gives for some arguments, in a transaction that leaves nothing; `how`: it, or its plan."""
    order = statement.text.decode()
    told = ", ".join(types.get(name, "unknown") for name in statement.names)
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(f"PREPARE tried({told}) AS {order}" if told else f"PREPARE tried AS {order}")
            [[given]] = connection.execute(
                "SELECT parameter_types::text[] FROM pg_prepared_statements WHERE name = 'tried'"
            ).fetchall()
            values = ", ".join(f"'{VALUES.get(each, '1')}'" for each in given)
            found = connection.execute(f"{how} tried({values})" if values else f"{how} tried")
            return [str(row[0]) for row in found] if found.description else []
    finally:
        connection.execute("DEALLOCATE ALL")


def refusal(connection: psycopg.Connection, statement: Statement, types: dict[str, str]) -> str | None:
    """What Citus says of a statement; None: it carries it out."""
    try:
        tried(connection, statement, types, "EXECUTE")
    except (errors.IntegrityError, errors.UndefinedObject):
        return None  # the values are nonsense, and were looked at
    except psycopg.Error as error:
        return str(error)
    return None


@contextmanager
def as_the_service_is(url: str) -> Iterator[psycopg.Connection]:
    """A connection with the settings of the service's own."""
    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:
        for name, value in (SETTINGS | {"plan_cache_mode": "auto"}).items():
            connection.execute("SELECT set_config(%s, %s, false)", [name, value])
        yield connection


def types_of(name: str, statement: Statement) -> dict[str, str]:
    if name.startswith("append"):
        return dict(zip(statement.names, _APPENDED, strict=False))
    return {name: kind for kind, names in TYPES.items() for name in names.split()} | _OF_ONE.get(name, {})


def test_citus_carries_out_every_statement_but_those_that_are_known(distributed):
    _, superuser_url = distributed
    with as_the_service_is(superuser_url) as connection:
        said = {
            name: refusal(connection, statement, types_of(name, statement))
            for name, statement in statements().items()
        }
    assert {name: reason for name, reason in said.items() if reason is not None}.keys() == REFUSED, said


def test_each_read_of_one_campaign_is_one_task_of_one_shard(distributed):
    urls, _ = distributed
    tasks = {}
    with as_the_service_is(urls.service) as connection:
        for name, statement in statements().items():
            if name.startswith("read_") and "campaign" in statement.names:
                plan = tried(connection, statement, types_of(name, statement), "EXPLAIN (COSTS OFF) EXECUTE")
                tasks[name] = [line.strip() for line in plan if re.search("Task Count|Distributed Subplan", line)]
    assert tasks.pop("read_purged") == [], "what was purged is noted outside the shards"
    assert len(tasks) > 20
    assert {name: found for name, found in tasks.items() if found != ["Task Count: 1"]} == {}


_NAMES = {2951: "uuid[]", 1016: "bigint[]", 1001: "bytea[]", 1007: "integer[]", 1009: "text[]"}
_APPENDED = [_NAMES[oid] for oid in WHOLE.types]
_OF_ONE = {"delete_campaign": {"campaign": "uuid"}, "restore_campaign": {"campaign": "uuid"}}


def put(superuser_url: str, batch: EventBatch, timers: list[Timer]) -> None:
    """Write what an append would write, past row-level security."""
    heads = [(batch.campaign_id, each.seq, each.recorded_at, each.hash) for each in batch.events[-1:]]
    with psycopg.connect(superuser_url, autocommit=True) as superuser, superuser.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO campaign_heads (campaign_id, seq, recorded_at, hash) VALUES (%s, %s, %s, %s)", heads
        )
        cursor.executemany(
            "INSERT INTO events VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                (
                    batch.campaign_id, event.seq, event.recorded_at, event.game_time, event.kind_version,
                    event.action_id, event.actor, event.kind, event.cause, event.visibility, event.salt,
                    event.hash, event.command, event.body,
                )
                for event in batch.events
            ],
        )  # fmt: skip
        cursor.executemany(
            "INSERT INTO personal_text VALUES (%s, %s, %s, %s)",
            [
                (batch.campaign_id, event.seq, event.text_salt, event.texts)
                for event in batch.events
                if event.texts
            ],
        )
        cursor.executemany(
            "INSERT INTO timers (campaign_id, cause, subject, clock, due, wake_at) VALUES (%s, %s, %s, %s, 7, 7)",
            [(batch.campaign_id, timer.cause, timer.subject, timer.clock) for timer in timers],
        )


@pytest.fixture
def batch(distributed) -> EventBatch:
    """Three events of a campaign, with a timer, in the shards."""
    _, superuser_url = distributed
    written = batch_after(new_campaign(), events=3, texts=b'{"event.text":"x"}')
    put(superuser_url, written, [owed(written)])
    return written


def owed(batch: EventBatch) -> Timer:
    return Timer(batch.events[0].action_id, "payout", "real", 7, 7)


async def test_a_campaign_is_read_where_it_is(distributed, batch):
    """Where the campaign was named on another connection than its rows are read by, there would be none."""
    urls, _ = distributed
    campaign, action = batch.campaign_id, batch.events[0].action_id
    async with Database(urls.service, readers=1) as connections:
        log = PostgresEventStore(connections)
        assert await log.tail(campaign, 0) == batch.events
        assert await log.action(campaign, action) == batch.events
        assert await log.actions(campaign, [action]) == batch.events
        assert await log.written(campaign, 1, 10) == batch.events[1:]
        assert [each.texts for each in await log.unsealed(campaign, 0, 10)] == [
            each.texts for each in batch.events
        ]
        assert await log.seq_at(campaign, batch.events[-1].recorded_at) == 3
        assert await log.rewrites(campaign, 3) == []
        assert [
            each.status for each in await log.append([EventBatch(campaign, 3, batch.events[-1].hash, [])])
        ] == ["committed"]


async def test_a_campaign_is_written_where_it_is(distributed, batch):
    """Where it was named on another connection, nothing would be changed, and nobody would be told."""
    urls, _ = distributed
    campaign, timer = batch.campaign_id, owed(batch)
    async with Database(urls.service, readers=1) as connections:
        timers, views = PostgresTimerStore(connections), PostgresProjectionStore(connections)
        assert await timers.failed(campaign, timer.cause, timer.subject, "why") == 1
        assert [(kept.attempts, kept.error) for kept in await timers.of(campaign)] == [(1, "why")]
        assert await timers.retry(campaign, timer.cause, timer.subject)
        later = Timer(timer.cause, "healing", "real", 9, 9)
        assert await timers.replace(campaign, 3, [timer, later])
        assert {kept.timer.subject for kept in await timers.of(campaign)} == {"payout", "healing"}
        checks = PostgresLedgerCheckStore(connections)
        await checks.save(campaign, 3, b"{}", b"[]")
        assert await checks.of(campaign) is not None
        rows = {"gm": [ViewRow("chronicle", 1, 0, (), b"{}")]}
        assert await views.save(campaign, (0, 3), [StoredFold("gm", 3, FORM, b"{}")], rows, keep=True)
        assert [each.seq for each in await views.folds(campaign)] == [3]


async def test_a_campaign_is_deleted_and_restored_where_it_is(distributed, batch):
    urls, _ = distributed
    campaign = batch.campaign_id
    async with Database(urls.service, readers=1) as connections:
        log, deletions = PostgresEventStore(connections), PostgresDeletionStore(connections)
        deleted = await deletions.delete(campaign, None, "Of old", 0, rested=True)
        assert deleted is not None
        assert deleted.name == "Of old"
        assert await log.tail(campaign, 0) == []
        nowhere = new_campaign()
        assert set(await deletions.deleted_among([campaign, nowhere])) == {campaign, nowhere}
        assert await deletions.restore(campaign, None) is True
        assert await deletions.deleted_among([campaign]) == []
        assert await log.tail(campaign, 0) == batch.events


async def test_without_a_name_nothing_is_seen_in_any_shard(distributed, batch):
    urls, superuser_url = distributed
    counted = "SELECT count(*) FROM events"
    with psycopg.connect(superuser_url) as superuser, psycopg.connect(urls.service) as service:
        assert superuser.execute(counted).fetchall() > [(2,)]
        assert service.execute(counted).fetchall() == [(0,)]
