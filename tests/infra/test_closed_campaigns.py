"""The second wall: row-level security holds every statement to the campaigns that it named (invariant 21)."""

import re

import psycopg
import pytest
from msgspec import structs
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import SealedSeeds, Timer
from domain.stored_view_types import StoredFold, ViewRow
from infra.postgres import row_level_security
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import SQL, Statement, source
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.ledger_check_store import PostgresLedgerCheckStore
from infra.postgres.projection_store import PostgresProjectionStore
from tests.infra.log_entries import answer_to, batch_after, new_account, new_campaign

pytestmark = pytest.mark.anyio

SEEN_FOR_ALL = {"timers": "due_timers", "ledger_checks": "checked_ledgers"}
"""What looking for work sees of a table, which its owner must be able to show."""

GUARDED = [
    "events",
    "personal_text",
    "idempotency_keys",
    "stored_folds",
    "kept_folds",
    "view_segments",
    "dice_seeds",
    *SEEN_FOR_ALL,
]
LOOKED_THROUGH = pytest.mark.one_database("those who look for work have no view of the owner's")


@pytest.fixture
async def campaigns(database):
    """Two campaigns with something in every table."""
    made = [new_campaign(), new_campaign()]
    async with Database(database.service, readers=1) as connections:
        log, views = PostgresEventStore(connections), PostgresProjectionStore(connections)
        for campaign in made:
            batch = batch_after(
                campaign,
                events=2,
                texts=b'{"event.text":"x"}',
                answers=[answer_to(new_account(), "key")],
                seeds=[SealedSeeds(1, b"sealed")],
            )
            owed = Timer(batch.events[0].action_id, "payout", "real", 7, 7)
            await log.append([structs.replace(batch, timers=[owed])])
            await PostgresLedgerCheckStore(connections).save(campaign, 2, b"{}", b'["drift"]')
            rows = {"gm": [ViewRow("chronicle", 1, 0, (), b"{}")]}
            assert await views.save(campaign, (0, 2), [StoredFold("gm", 2, FORM, b"{}")], rows, keep=True)
    return made


def count(connection, table):
    return connection.execute(f"SELECT count(DISTINCT campaign_id), count(*) FROM {table}").fetchone()  # noqa: S608


def name_campaigns(connection, *campaigns):
    row_level_security.name_campaigns(connection, sql.SQL("SELECT {}").format(sql.Literal([*campaigns])))


@pytest.mark.parametrize(
    "table", [pytest.param(each, marks=[LOOKED_THROUGH] if each in SEEN_FOR_ALL else []) for each in GUARDED]
)
async def test_a_statement_sees_the_campaigns_that_it_named_and_otherwise_nothing(campaigns, database, table):
    one, other = campaigns
    with psycopg.connect(database.service) as connection:
        assert count(connection, table) == (0, 0)
        name_campaigns(connection, one)
        found, rows = count(connection, table)
        assert (found, rows > 0) == (1, True)
        seen = connection.execute(f"SELECT DISTINCT campaign_id FROM {table}").fetchall()  # noqa: S608
        assert seen == [(one,)]
        name_campaigns(connection, one, other)
        assert count(connection, table)[0] == 2
        connection.rollback()
        assert count(connection, table) == (0, 0), "what was named is forgotten with its transaction"


@pytest.mark.one_database("an append names few campaigns at once")
@pytest.mark.parametrize("table", ["events", "personal_text", "idempotency_keys", "timers", "dice_seeds"])
def test_what_an_append_of_hundreds_writes_is_looked_for_in_a_set_of_its_campaigns(database, table):
    with psycopg.connect(database.service) as connection:
        plan = connection.execute(f"EXPLAIN SELECT FROM {table}").fetchall()
    assert any("hashed SubPlan" in line for (line,) in plan), "each row would be compared with every campaign"


@pytest.mark.one_database("rows of another table come in by COPY, which is refused anyway")
@pytest.mark.parametrize("table", GUARDED)
async def test_nothing_is_written_into_a_campaign_that_was_not_named(campaigns, database, table):
    one, other = campaigns
    with psycopg.connect(database.service) as connection:
        name_campaigns(connection, other)
        connection.execute(f"CREATE TEMPORARY TABLE taken AS SELECT * FROM {table}")  # noqa: S608
        connection.execute("UPDATE taken SET campaign_id = gen_random_uuid()")
        with pytest.raises(InsufficientPrivilege, match="row-level security"):
            connection.execute(f"INSERT INTO {table} SELECT * FROM taken")  # noqa: S608
    assert one != other


@pytest.mark.parametrize("table", GUARDED)
async def test_every_guarded_table_is_guarded_from_its_owner_too(campaigns, database, table):
    with psycopg.connect(database.service) as connection:
        flags = connection.execute(
            "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = %s::regclass", [table]
        ).fetchone()
    assert flags == (True, table not in SEEN_FOR_ALL)


@LOOKED_THROUGH
@pytest.mark.parametrize(("table", "view"), SEEN_FOR_ALL.items())
async def test_who_looks_for_work_sees_all_campaigns_and_no_content(campaigns, database, table, view):
    with psycopg.connect(database.service) as connection:
        assert count(connection, view) == (2, 2)
        seen = {column.name for column in connection.execute(f"SELECT * FROM {view}").description or ()}  # noqa: S608
        assert seen <= {"campaign_id", "cause", "subject", "wake_at", "parked_at", "seq", "drifting"}
        for order in (f"DELETE FROM {view}", f"UPDATE {view} SET campaign_id = campaign_id"):  # noqa: S608
            with pytest.raises(InsufficientPrivilege), connection.transaction():
                connection.execute(order)
        connection.execute("UPDATE due_timers SET wake_at = 8")
        assert count(connection, table) == (0, 0)


@LOOKED_THROUGH
async def test_a_handler_that_forgets_to_say_which_campaign_reads_nothing(campaigns, database):
    """A statement without its check, on the way that every handler takes."""
    careless = Statement("SELECT seq, body FROM events WHERE seq >= :first ORDER BY seq")
    every_timer = Statement("SELECT subject, error FROM timers")
    every_check = Statement("SELECT balances FROM ledger_checks")
    every_seed = Statement("SELECT sealed FROM dice_seeds")
    careful = Statement("SELECT seq FROM events WHERE campaign_id = :campaign AND seq >= :first ORDER BY seq")
    async with Database(database.service, readers=1) as connections:
        assert await connections.read(careless, tuple, first=1) == []
        assert len(await connections.read(careful, tuple, campaign=campaigns[0], first=1)) == 2
        assert await connections.read(careless, tuple, first=1) == [], "the connection has not kept what was named"
        assert await connections.read(every_timer, tuple) == []
        assert await connections.read(every_check, tuple) == []
        assert await connections.read(every_seed, tuple) == []
    with psycopg.connect(database.owner) as owner:
        for table in ("events", "timers", "ledger_checks", "dice_seeds"):
            owner.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    async with Database(database.service, readers=1) as connections:
        found = await connections.read(careless, tuple, first=1)
        assert len(found) == 4, "negative control: without the wall it would have read both campaigns"
        for careless in (every_timer, every_check, every_seed):
            assert len(await connections.read(careless, tuple)) == 2


async def test_a_statement_about_one_campaign_cannot_be_turned_to_another(campaigns, database):
    one, other = campaigns
    sly = Statement(
        "SELECT e.campaign_id FROM events AS e WHERE e.campaign_id = :campaign "
        "UNION ALL SELECT e.campaign_id FROM events AS e WHERE e.campaign_id = :wanted"
    )
    async with Database(database.service, readers=1) as connections:
        assert {row[0] for row in await connections.read(sly, tuple, campaign=one, wanted=other)} == {one}


def test_every_statement_on_a_guarded_table_names_its_campaigns():
    named_before = {"collect_aborted_imports", "read_first_seed"}  # by `name_campaigns`, in the same transaction
    for name, statement in SQL.items():
        if name not in named_before and re.search(
            rf"\b(FROM|JOIN|INTO|UPDATE) ({'|'.join(GUARDED)})\b", source(name)
        ):
            assert b"set_config('fieldlog.campaigns'" in statement.text, name
