"""Events cannot be changed: the service has no right to, and triggers stop its owner and even a superuser."""

from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.row_level_security import name_campaigns
from tests.infra.log_entries import answer_to, batch_after, new_account, new_campaign

pytestmark = pytest.mark.anyio

CHANGES = [
    "UPDATE events SET body = '\\x00'",
    pytest.param(
        "UPDATE events SET body = '\\x00' WHERE false",
        marks=pytest.mark.one_database("where there can be no row, no shard is asked"),
    ),
    "DELETE FROM events",
    "TRUNCATE events",
    "INSERT INTO events SELECT * FROM events ON CONFLICT (campaign_id, seq) DO UPDATE SET body = '\\x00'",
]
FORBIDDEN_TO_THE_SERVICE = [
    *CHANGES,
    "DROP TABLE events",
    "ALTER TABLE events DISABLE TRIGGER ALL",
    "ALTER TABLE events ADD COLUMN mine text",
    "CREATE TABLE mine (id integer)",
    "DROP TRIGGER events_are_append_only ON events",
    "DROP FUNCTION refuse_change_of_events() CASCADE",
    "SET session_replication_role = replica",
    "DELETE FROM campaign_heads",
    pytest.param(
        "UPDATE campaign_heads SET campaign_id = gen_random_uuid()",
        marks=pytest.mark.one_database("nobody moves a row to another shard"),
    ),
    "UPDATE idempotency_keys SET action_id = account_id",
    "DELETE FROM idempotency_keys",
    "UPDATE personal_text SET salt = '\\x00'",
    "UPDATE dice_seeds SET sealed = '\\x00'",
    "DELETE FROM dice_seeds",
    "UPDATE dice_key SET fingerprint = '0123456789abcdef'",
    "DELETE FROM dice_key",
    "UPDATE accounts SET created_at = now()",
    "UPDATE accounts SET account_id = gen_random_uuid()",
    "UPDATE tokens SET account_id = gen_random_uuid()",
    "UPDATE tokens SET token_hash = '\\x00'",
    "UPDATE invites SET role = 'gm'",
    "DELETE FROM schema_migrations",
    "INSERT INTO schema_migrations (name, checksum) VALUES ('9', '\\x00')",
]


@pytest.fixture
async def entries(database):
    async with Database(database.service, readers=1) as connections:
        log = PostgresEventStore(connections)
        campaign_id = new_campaign()
        batch = batch_after(campaign_id, events=2, texts=b"{}", answers=[answer_to(new_account(), "k")])
        await log.append([batch])
        yield batch.events
        assert await log.tail(campaign_id, 0) == batch.events


@pytest.mark.parametrize("change", FORBIDDEN_TO_THE_SERVICE)
async def test_the_service_has_no_right_to(entries, database, change):
    """Invariant 1."""
    with psycopg.connect(database.service) as service, pytest.raises(InsufficientPrivilege):
        service.execute(change)


@pytest.mark.parametrize("change", CHANGES)
async def test_triggers_stop_the_owner(entries, database, change):
    """Invariant 1."""
    with psycopg.connect(database.owner) as owner, pytest.raises(RestrictViolation, match="append-only"):
        owner.execute(change)


@pytest.mark.parametrize("change", CHANGES)
async def test_triggers_stop_a_superuser_even_in_replica_mode(entries, database, postgres_server, change):
    """Invariant 1."""
    path = urlsplit(database.owner).path
    url = urlunsplit(urlsplit(postgres_server.superuser_url)._replace(path=path))
    with (
        psycopg.connect(url, options="-c session_replication_role=replica") as superuser,
        pytest.raises(RestrictViolation, match="append-only"),
    ):
        superuser.execute(change)


@pytest.mark.one_database("a trigger of shards is not dropped")
async def test_without_the_trigger_the_owner_could(entries, database):
    """Negative control: it is the trigger that stops the owner."""
    with psycopg.connect(database.owner) as owner:
        owner.execute("DROP TRIGGER events_are_append_only ON events")
        owner.execute("ALTER TABLE events DISABLE ROW LEVEL SECURITY")
        assert owner.execute("DELETE FROM events").rowcount == 2
        owner.rollback()


async def test_the_readable_view_shows_json_and_times_but_no_personal_text(entries, database):
    with psycopg.connect(database.service) as service:
        service.execute("SET timezone = 'UTC'")
        name_campaigns(service)
        cursor = service.execute("SELECT * FROM readable_events ORDER BY seq")
        assert cursor.description is not None
        columns = [column.name for column in cursor.description]
        row = dict(zip(columns, cursor.fetchall()[0], strict=True))
    event = entries[0]
    assert row["body"] == {}
    assert row["command"] == {}
    assert row["hash"] == event.hash.hex()
    assert round(row["recorded_at"].timestamp() * 1_000_000) == event.recorded_at
    assert row["game_time"].total_seconds() == event.game_time
    assert not {"texts", "salt"} & set(columns)
