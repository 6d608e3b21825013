"""A database whose campaigns Citus shares out to shards: what `fieldlog migrate --distribute` makes of it.

Where `FIELDLOG_TEST_CITUS_URL` names a PostgreSQL that has Citus, all other tests get such databases, too.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

import psycopg
import pytest
from msgspec.structs import replace
from psycopg import errors

from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import (
    DatabaseUnavailable,
    EventBatch,
    LockTimeout,
    PartlyAppended,
    SealedSeeds,
    Timer,
)
from domain.stored_view_types import StoredFold, ViewRow
from infra.postgres import event_store
from infra.postgres.append_statement import COMMON, WHOLE
from infra.postgres.citus_distribution import distribute
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.driver.connector import SETTINGS
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import SQL, Statement, distributed_source, source
from infra.postgres.event_store import NODE_BATCHES_MAX, READ_NODES, PostgresEventStore
from infra.postgres.key_fingerprint import first_sealed
from infra.postgres.ledger_check_store import PostgresLedgerCheckStore
from infra.postgres.migrate import migrate
from infra.postgres.migration_failures import MigrationFailed
from infra.postgres.projection_store import PostgresProjectionStore
from infra.postgres.row_level_security import name_campaigns
from infra.postgres.timer_store import PostgresTimerStore
from tests.engines import DatabaseUrls, PostgresServer
from tests.infra.log_entries import batch_after, head_at, new_campaign
from tests.infra.mixed_groups import MixedGroups

CITUS_URL = os.environ.get("FIELDLOG_TEST_CITUS_URL")

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(CITUS_URL is None, reason="FIELDLOG_TEST_CITUS_URL names no PostgreSQL that has Citus"),
]

TYPES = {
    "bytea[]": "answers contents fold_contents left_texts",
    "text[]": "audiences clocks fold_audiences fold_forms keys readers stays subjects views",
    "bigint[]": "afters dues fold_seqs numbers seqs unusable_from unusable_to wakes",
    "uuid[]": "accounts actions campaigns causes done ids",
}
"""Of arguments that PostgreSQL cannot tell the type of."""

ONE_BY_ONE = ["read_tails"]
"""Statements about several campaigns that Citus refuses: there the event store asks for one after the other."""

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
def server() -> Iterator[PostgresServer]:
    assert CITUS_URL is not None
    made = PostgresServer(CITUS_URL, has_citus=True)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def distributed(server: PostgresServer) -> tuple[DatabaseUrls, str]:
    """A database whose campaigns are shared out to shards, and a superuser's URL of it."""
    urls = server.new_database()
    return urls, superuser_of(urls)


def superuser_of(urls: DatabaseUrls) -> str:
    assert CITUS_URL is not None
    return urlunsplit(urlsplit(CITUS_URL)._replace(path=urlsplit(urls.owner).path))


def statements() -> dict[str, Statement]:
    """Every statement by its name; those with arguments of psycopg's kind too."""
    found = {
        name: Statement(re.sub(r"%\((\w+)\)s", r":\1", distributed_source(name)))
        if "%(" in distributed_source(name)
        else statement
        for name, statement in SQL.items()
        if name not in ("create_migrations_table", "note_fingerprint", "set_session")
    }
    found["read_nodes"] = READ_NODES
    return found | {"append": WHOLE.statement, "append without what is seldom": COMMON.statement}


def tried(connection: psycopg.Connection, statement: Statement, types: dict[str, str], how: str) -> list[str]:
    """What a statement gives for some arguments, in a transaction that leaves nothing; `how`: it, or its plan."""
    order = statement.distributed.decode()
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


def test_citus_carries_out_every_statement(distributed):
    _, superuser_url = distributed
    with as_the_service_is(superuser_url) as connection:
        said = {
            name: refusal(connection, statement, types_of(name, statement))
            for name, statement in statements().items()
        }
    assert all(said.pop(name) is not None for name in ONE_BY_ONE)
    assert {name: reason for name, reason in said.items() if reason is not None} == {}


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
_OF_ONE = {
    "save_views": {"marks": "text[]"},
    "delete_campaign": {"campaign": "uuid"},
    "restore_campaign": {"campaign": "uuid"},
}


def new_batch() -> EventBatch:
    """Three events of a new campaign, with a timer."""
    made = batch_after(new_campaign(), events=3, texts=b'{"event.text":"x"}')
    return replace(made, timers=[owed(made)], seeds=[SealedSeeds(1, b"sealed")])


@pytest.fixture
async def batch(distributed) -> EventBatch:
    """What was appended to the shards."""
    urls, _ = distributed
    written = new_batch()
    async with Database(urls.service, readers=1) as connections:
        [outcome] = await PostgresEventStore(connections).append([written])
    assert outcome.status == "committed"
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
        assert await log.events_with_texts(campaign, 1, 10) == batch.events[1:]
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
        seed = "INSERT INTO dice_seeds (campaign_id, epoch, sealed) VALUES (%s, 7, '')"
        with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
            service.execute(seed, [batch.campaign_id])


async def test_several_campaigns_that_are_named_at_once_are_found_in_their_shards(distributed, batch):
    """Where only the coordinator had the names, as from set_config, all would be empty, and nobody told."""
    urls, _ = distributed
    async with Database(urls.service, readers=1) as connections:
        log, deletions = PostgresEventStore(connections), PostgresDeletionStore(connections)
        written = [batch, *(new_batch() for _ in range(5))]
        assert [each.status for each in await log.append(written[1:])] == ["committed"] * 5
        for each in written:
            await deletions.delete(each.campaign_id, None, f"Of {each.campaign_id}", 0, rested=True)
        mine = {each.campaign_id for each in written}
        listed = await connections.execute(
            SQL["read_all_campaigns"], tuple, after=UUID(int=0), most=1000, member=None, only_deleted=True
        )
        assert {row[0]: row[4] for row in listed if row[0] in mine} == {each: f"Of {each}" for each in mine}
    with psycopg.connect(urls.service) as service:
        name_campaigns(service)
        assert service.execute("SELECT count(DISTINCT campaign_id) FROM events").fetchall() >= [(6,)]
    with psycopg.connect(urls.service, autocommit=True) as service:
        assert first_sealed(service) is not None
        service.execute("SELECT set_config('fieldlog.campaigns', %s, false)", [f"{{{batch.campaign_id}}}"])
        found = service.execute("SELECT count(*) FROM events").fetchall()
        assert found == [(0,)], "negative control: shards do not hear of this"


def calls_of(connections: Database, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is carried out on connections for appends from now on."""
    carried_out: list[object] = []
    execute = connections.writers.execute

    async def counted(statement, *rest):
        carried_out.append(statement)
        return await execute(statement, *rest)

    monkeypatch.setattr(connections.writers, "execute", counted)
    return carried_out


async def test_campaigns_of_one_node_are_appended_by_one_call(distributed, monkeypatch):
    urls, _ = distributed
    async with Database(urls.service, readers=1) as connections:
        log = PostgresEventStore(connections)
        written = [new_batch() for _ in range(9)]
        calls = calls_of(connections, monkeypatch)
        assert [each.status for each in await log.append(written)] == ["committed"] * 9
        assert calls == [WHOLE.statement]
        shards = await connections.execute(SHARDS, tuple)
        assert len(shards) > 1, "else they lay together anyway"
        monkeypatch.setattr(event_store, "NODE_BATCHES_MAX", 4)
        following = [batch_after(each.campaign_id, head_at(each.events[-1])) for each in written]
        assert [each.status for each in await log.append(following)] == ["committed"] * 9
        assert len(calls) == 1 + 3


async def test_each_node_has_a_call_of_its_own_and_what_was_moved_meanwhile_is_found(distributed, monkeypatch):
    """Nodes that are told here by chance have no part in what is written."""
    urls, _ = distributed
    monkeypatch.setattr(event_store, "READ_NODES", Statement(BY_CHANCE))
    async with Database(urls.service, readers=1) as connections:
        log = PostgresEventStore(connections)
        written = [new_batch() for _ in range(24)]
        stale = written[7]
        assert (await log.append([stale]))[0].status == "committed"
        calls = calls_of(connections, monkeypatch)
        outcomes = await log.append(written)
        told = {each.campaign_id for each, one in zip(written, outcomes, strict=True) if one.status == "committed"}
        assert told == {each.campaign_id for each in written if each is not stale}
        assert len(calls) == 2
        assert [await log.tail(each.campaign_id, 0) for each in written] == [each.events for each in written]


SHARDS = Statement(
    "SELECT DISTINCT get_shard_id_for_distribution_column('campaign_heads', campaign_id) FROM campaign_heads"
)
BY_CHANCE = "SELECT c.id, get_byte(uuid_send(c.id), 0) % 2 FROM unnest(:campaigns) AS c (id)"

CARELESS = {
    "what cannot be written is written": ("WHERE good[a.place]", "WHERE true"),
    "hashes are not compared": ("(head.hash <> batch.expected_hash) IS TRUE", "false"),
    "keys are of any batch": ("answer_batches[nth] = batch.place", "answer_batches[nth] > 0"),
    "what is deleted goes on": ("head.gone_at IS NOT NULL", "false"),
}


@pytest.mark.parametrize("flaw", CARELESS)
async def test_a_careless_append_of_several_campaigns_is_found_out(server, flaw):
    """Negative control of the test of mixed groups."""
    urls = server.new_database()
    put_append(urls, *CARELESS[flaw])
    async with Database(urls.service, readers=1) as connections:
        try:
            wrong = await MixedGroups(1).differences(connections)
        except (errors.IntegrityError, DatabaseUnavailable, PartlyAppended) as refused:
            wrong = [str(refused)]
    assert wrong != []
    server.drop_database(urls)


def test_a_node_waits_for_a_lock_as_long_as_the_service_does(distributed):
    urls, _ = distributed
    with psycopg.connect(urls.owner) as owner:
        [[settings]] = owner.execute("SELECT proconfig FROM pg_proc WHERE proname = 'append_batches'").fetchall()
    assert f"lock_timeout={SETTINGS['lock_timeout']}" in settings


async def test_an_append_of_several_campaigns_passes_no_wall(server):
    """What is no campaign of the call is not written, nor seen by what comes after the call."""
    urls = server.new_database()
    written = [new_batch() for _ in range(3)]
    async with Database(urls.service, readers=1) as connections:
        log = PostgresEventStore(connections)
        assert [each.status for each in await log.append(written)] == ["committed"] * 3
        seen = await connections.writers.execute(Statement("SELECT count(*) FROM events"), [], tuple)
        assert seen == [(0,)]
        put_append(urls, "named text := campaigns;", "named text := campaigns[1:1];")
        with pytest.raises(PartlyAppended) as partly:
            await log.append([new_batch() for _ in range(3)])
    assert all(isinstance(each, LockTimeout) for each in partly.value.outcomes), "as if their shards had moved"
    assert "row-level security" in str(partly.value.outcomes[0])
    server.drop_database(urls)


async def test_of_several_calls_one_may_fail_and_it_is_said_what_the_others_wrote(distributed):
    urls, _ = distributed
    batches = sorted((new_batch() for _ in range(NODE_BATCHES_MAX + 2)), key=lambda each: each.campaign_id)
    batches[-1] = replace(batches[-1], seeds=[SealedSeeds(-1, b"no such epoch")])
    async with Database(urls.service, readers=1) as connections:
        log = PostgresEventStore(connections)
        with pytest.raises(PartlyAppended) as partly:
            await log.append(batches)
        heads = [await log.head(each.campaign_id) for each in batches]
    written = [not isinstance(each, Exception) for each in partly.value.outcomes]
    assert written == [True] * NODE_BATCHES_MAX + [False] * 2
    assert [head is not None for head in heads] == written
    assert isinstance(partly.value.outcomes[-1], errors.CheckViolation)


def put_append(urls: DatabaseUrls, right: str, wrong: str) -> None:
    """Replace the function of a database by one that has something wrong."""
    sound = source("distributed/append_batches")
    assert sound.count(right) == 1
    with psycopg.connect(urls.owner, autocommit=True) as owner:
        owner.execute(sound.replace(right, wrong).replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1))


def test_triggers_and_walls_are_those_of_every_shard(distributed):
    urls, superuser_url = distributed
    with psycopg.connect(superuser_url) as superuser:
        superuser.execute("SET citus.override_table_visibility = off")
        triggers = superuser.execute(
            "SELECT regexp_replace(tgname, '_[0-9]+$', ''), tgenabled::text, count(*) FROM pg_trigger "
            "WHERE NOT tgisinternal AND tgname ~ '^(events|seen)_.*_[0-9]+$' GROUP BY 1, 2 ORDER BY 1"
        ).fetchall()
        unguarded = superuser.execute(
            "SELECT relname FROM pg_class "
            "WHERE relname ~ '^(events|personal_text|dice_seeds|view_segments)_[0-9]+$' "
            "AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity)"
        ).fetchall()
    assert triggers == [
        ("events_are_append_only", "A", 3),
        ("events_go_with_their_campaign", "A", 3),
        ("seen_deletions_end_with_the_deletion", "A", 3),
    ]
    assert unguarded == []
    with psycopg.connect(urls.service) as service, pytest.raises(errors.InsufficientPrivilege):
        service.execute("UPDATE events SET body = ''")


async def test_a_database_in_use_is_shared_out_in_place(server):
    urls = server.empty_database()
    migrate(urls.owner, urls.service)
    with pytest.raises(MigrationFailed, match="CREATE EXTENSION citus"):
        distribute(urls.owner)
    written = [new_batch() for _ in range(6)]
    async with Database(urls.service, readers=1) as connections:
        log = PostgresEventStore(connections)
        assert {each.status for each in await log.append(written)} == {"committed"}
    server.add_citus(urls)
    told: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        distribute(urls.owner, lambda name: told.append(name) if len(told) < 4 else interrupt())
    assert [told[0], len(told)] == ["campaign_heads", 4]
    assert len({*told, *distribute(urls.owner)}) == 15
    assert distribute(urls.owner) == []
    async with Database(urls.service, readers=1) as connections:
        log, timers = PostgresEventStore(connections), PostgresTimerStore(connections)
        for each in written:
            assert await log.tail(each.campaign_id, 0) == each.events
            assert await log.sealed_seeds(each.campaign_id, 1) == b"sealed"
        _, due = await timers.claim(100)
        assert {each.campaign_id for each in due} == {each.campaign_id for each in written}
    with psycopg.connect(urls.owner) as owner:
        left = owner.execute("SELECT pg_relation_size('events')").fetchone()
        assert left == (0,), "what was copied to shards is not kept twice"
    server.drop_database(urls)


def interrupt() -> None:
    raise KeyboardInterrupt
