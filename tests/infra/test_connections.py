import asyncio
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from domain.event_store_types import DatabaseBusy, DatabaseUnavailable, LockTimeout
from infra.postgres.database_url_servers import url_for_writing
from infra.postgres.driver import connection_pool
from infra.postgres.driver.connector import SETTINGS
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import Statement

pytestmark = pytest.mark.anyio

ONE = Statement("SELECT 1")
SETTING = Statement("SELECT current_setting(:name)")
SLEEP = Statement("SELECT pg_sleep(:seconds)::text")


def first(row):
    return row[0]


async def test_a_read_survives_that_its_kept_connection_was_killed(database):
    async with Database(database.service, readers=1, application_name="kept") as connections:
        assert await connections.read(ONE, first) == [1]
        end_sessions(database, "kept")
        assert await connections.read(ONE, first) == [1]


def end_sessions(database, name):
    with psycopg.connect(database.service, autocommit=True) as killer:
        killer.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE application_name LIKE %s AND datname = current_database()",
            [f"{name}%"],
        )


async def test_a_database_that_cannot_be_reached_is_away(database):
    nowhere = urlunsplit(urlsplit(database.service)._replace(netloc="somebody:x@127.0.0.1:1"))
    async with Database(nowhere, readers=1) as connections:
        with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
            await connections.read(ONE, first)
        with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
            await connections.writers.execute(ONE, [], first)


@pytest.mark.one_database("its URL has options already")
async def test_connections_bring_the_settings_the_log_relies_on(database):
    """The writer's retry safety needs READ COMMITTED; a stuck lock holder must not stop it for ever."""
    url = f"{database.service}?options=-c%20work_mem%3D5MB%20-c%20default_transaction_isolation%3Dserializable"
    async with Database(url, readers=1, application_name="mine") as connections:
        expected = {
            "transaction_isolation": "read committed",
            "lock_timeout": "400ms",
            "statement_timeout": "5s",
            "application_name": "mine reader",
            "TimeZone": "UTC",
            "work_mem": "5MB",
        }
        for name, value in expected.items():
            assert await connections.read(SETTING, first, name=name) == [value]


async def test_what_the_login_brings_is_not_set_again(database, postgres_server):
    """As a pooler needs it that gives a session to another client: none of ours is left in it."""
    whence = Statement("SELECT setting, source FROM pg_settings WHERE name = :name")
    login = sql.Identifier(urlsplit(database.service).username or "")

    async def found(name):
        async with Database(database.service, readers=1) as connections:
            return await connections.read(whence, tuple, name=name)

    def tell(words, **values):
        with psycopg.connect(postgres_server.superuser_url, autocommit=True) as superuser:
            superuser.execute(sql.SQL(words).format(login=login, **values))

    tell("ALTER ROLE {login} RESET ALL")
    try:
        assert await found("lock_timeout") == [("400", "session")]
        tell("ALTER ROLE {login} SET lock_timeout = '7s'")
        assert await found("lock_timeout") == [("400", "session")], "an old version's"
        tell("ALTER ROLE {login} SET lock_timeout = '400ms'")
        assert await found("lock_timeout") == [("400", "user")]
    finally:
        for name, value in SETTINGS.items():
            tell("ALTER ROLE {login} SET {name} TO {value}", name=sql.Identifier(name), value=sql.Literal(value))


@pytest.mark.parametrize(
    ("url", "attributes"),
    [
        ("postgresql://u@a:5432,b:5432/db", "read-write"),
        ("postgresql:///db?host=a,b", "read-write"),
        ("postgresql://u@a,b/db?target_session_attrs=any", "any"),
        ("postgresql://u@a:5432/db", None),
    ],
)
def test_of_several_hosts_the_one_is_meant_that_takes_writes(url, attributes):
    assert psycopg.conninfo.conninfo_to_dict(url_for_writing(url)).get("target_session_attrs") == attributes


async def test_a_session_that_takes_no_writes_is_given_up_for_another(database):
    """What a pooler left read-only, or a primary that was demoted: 25006 is no defect."""
    write = Statement("UPDATE campaign_heads SET gone_at = NULL WHERE false")
    async with Database(database.service) as connections:
        await connections.writers.execute(Statement("SET default_transaction_read_only = on"), [], first)
        with pytest.raises(DatabaseUnavailable, match="read-only transaction"):
            await connections.writers.execute(write, [], first)
        assert await connections.writers.execute(write, [], first) == []


async def test_sessions_that_lose_all_they_had_in_the_middle_of_load_lose_no_statement_and_no_limit(database):
    """DISCARD ALL takes prepared statements and settings."""
    limit = Statement("SELECT current_setting('lock_timeout')")
    async with Database(database.service, readers=4) as connections:
        for _ in range(5):
            forgetting = [connections.execute(Statement("DISCARD ALL"), first) for _ in range(4)]
            asking = [connections.execute(limit, first) for _ in range(40)]
            await asyncio.gather(*forgetting)
            assert await asyncio.gather(*asking) == [["400ms"]] * 40


async def test_more_questions_than_connections_wait_their_turn(database):
    async with Database(database.service, readers=2) as connections:
        answers = await asyncio.gather(*(connections.read(ONE, first) for _ in range(20)))
        assert answers == [[1]] * 20


async def test_a_statement_of_somebody_who_left_leaves_the_connection_usable(database):
    async with Database(database.service, readers=1) as connections:
        asking = asyncio.create_task(connections.execute(SLEEP, first, seconds=30.0))
        await asyncio.sleep(0.3)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await connections.read(ONE, first) == [1]


async def test_a_statement_is_prepared_once_for_each_combination_of_types(database):
    text = Statement("SELECT pg_typeof(:value)::text")
    prepared = Statement("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%pg_typeof%::text'")
    async with Database(database.service, readers=1) as connections:
        for value, name in [(True, "boolean"), (0.5, "double precision"), (False, "boolean")]:
            assert await connections.read(text, first, value=value) == [name]
        assert await connections.read(prepared, first) == [2]


async def test_a_statement_that_failed_can_be_run_again(database):
    inverse = Statement("SELECT 1 / :number::float")
    nonsense = Statement("SELECT nonsense")
    async with Database(database.service, readers=1) as connections:
        for _ in range(2):
            with pytest.raises(psycopg.errors.DivisionByZero):
                await connections.execute(inverse, first, number=0.0)
            with pytest.raises(psycopg.errors.UndefinedColumn, match="nonsense"):
                await connections.execute(nonsense, first)
        assert await connections.execute(inverse, first, number=2.0) == [0.5]


async def test_a_statement_whose_commit_fails_after_its_rows_came_has_failed(database):
    """Two answers to one statement, as a connection that is killed under load may give them, too."""
    create = Statement("CREATE TABLE pairs (number int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    insert = Statement("INSERT INTO pairs VALUES (1), (1) RETURNING number")
    async with Database(database.owner, readers=1) as connections:
        await connections.execute(create, first)
        with pytest.raises(psycopg.errors.UniqueViolation):
            await connections.execute(insert, first)
        assert await connections.read(Statement("SELECT count(*) FROM pairs"), first) == [0]


async def test_who_closes_at_once_leaves_nobody_signing_in(database, postgres_server):
    """Whoever drops any database of the server waits for those."""
    for _ in range(5):
        async with Database(database.service, readers=1) as connections:
            assert await connections.read(ONE, first) == [1]
    with psycopg.connect(postgres_server.superuser_url, autocommit=True) as superuser:
        superuser.execute("CREATE DATABASE dropped")
        superuser.execute("SET statement_timeout = '3s'")
        superuser.execute("DROP DATABASE dropped")


async def test_a_statement_that_takes_too_long_is_stopped(database):
    async with Database(database.service, readers=1) as connections:
        await connections.execute(Statement("SET statement_timeout = 100"), first)
        with pytest.raises(DatabaseUnavailable, match="statement timeout") as away:
            await connections.execute(SLEEP, first, seconds=5.0)
        assert not isinstance(away.value, LockTimeout), "it would be tried again, and take as long"
        assert await connections.read(Statement("SHOW statement_timeout"), first) == ["100ms"]


async def test_a_caller_waits_for_a_free_connection_for_a_bounded_time(database, monkeypatch):
    monkeypatch.setattr(connection_pool, "WAIT_SECONDS_MAX", 0.1)
    async with Database(database.service, readers=1) as connections:
        busy = asyncio.create_task(connections.execute(SLEEP, first, seconds=1.0))
        await asyncio.sleep(0)
        with pytest.raises(DatabaseBusy, match="no connection to PostgreSQL was free"):
            await connections.read(ONE, first)
        await busy
        assert await connections.read(ONE, first) == [1]


async def test_a_lock_that_another_holds_is_waited_for_a_bounded_time(database):
    lock = Statement("SELECT pg_advisory_xact_lock(1)::text")
    with psycopg.connect(database.service) as holder:
        holder.execute("SELECT pg_advisory_lock(1)")
        async with Database(database.service, readers=1) as connections:
            with pytest.raises(LockTimeout):
                await connections.execute(lock, first)
            assert await connections.check(1) is None


async def test_statements_that_are_not_prepared_any_more_are_prepared_again(database):
    """As behind a pooler, or after DISCARD ALL: nothing was executed, so that a write may be tried again, too."""
    count = Statement("SELECT count(*) FROM pg_prepared_statements")
    written = "coalesce(current_setting('fieldlog.written', true), '')"
    write = Statement(f"SELECT set_config('fieldlog.written', {written} || 'x', false)")
    forget = Statement("DEALLOCATE ALL")
    async with Database(database.service, readers=1) as connections:
        assert await connections.execute(write, first) == ["x"]
        await connections.execute(forget, first)
        assert await connections.execute(write, first) == ["x"], "on a fresh connection, once"
        assert await connections.execute(count, first) == [2]
        assert await connections.writers.execute_together([(write, []), (write, [])]) == [[("x",)], [("xx",)]]
        await connections.writers.execute(forget, [], first)
        assert await connections.writers.execute_together([(write, []), (write, [])]) == [[("x",)], [("xx",)]]


async def test_connections_that_nobody_uses_are_closed_and_opened_again_when_needed(database):
    sessions = Statement("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'spare reader'")

    async def closed(pool, seconds_max=5.0):
        """How many are left besides the one that asks."""
        await pool.close_unused()
        until = asyncio.get_running_loop().time() + seconds_max
        while (left := (await connections.read(sessions, first))[0]) > 1:
            if asyncio.get_running_loop().time() > until:
                break
        return left - 1

    async with Database(database.service, readers=3, application_name="spare") as connections:
        busy = [connections.read(SLEEP, first, seconds=0.05) for _ in range(3)]
        await asyncio.gather(*busy)
        pool = connections._readers
        assert await closed(pool, 0) == 2, "each was used"
        assert await closed(pool) == 0
        assert await asyncio.gather(*(connections.read(ONE, first) for _ in range(3))) == [[1]] * 3
