"""What happens while the database cannot be used, and how soon it is noticed that it can."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import structlog
from psycopg import sql

from domain.event_store_types import DatabaseBusy, DatabaseUnavailable
from infra.postgres.driver import connection_pool, server_watchdog
from infra.postgres.driver.database import Database
from infra.postgres.driver.sqlstates import BY_SQLSTATE, Meaning, meaning_of, meaning_of_refusal
from infra.postgres.driver.statements import Statement
from tests.infra.dead_line import a_line_that_can_go_dead

pytestmark = pytest.mark.anyio

ONE = Statement("SELECT 1")
SLEEP = Statement("SELECT pg_sleep(:seconds)::text")


def first(row):
    return row[0]


@pytest.fixture(autouse=True)
def lines() -> Iterator[list[Any]]:
    with structlog.testing.capture_logs() as said:
        yield said


@pytest.fixture
def quick(monkeypatch):
    """Suspicious sooner than in real life."""
    monkeypatch.setattr(server_watchdog, "SUSPECT_SECONDS", 0.1)
    monkeypatch.setattr(server_watchdog, "SILENCE_SECONDS_MAX", 0.3)
    monkeypatch.setattr(server_watchdog, "QUIET_SECONDS", 0.1)


def now() -> float:
    return asyncio.get_running_loop().time()


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(5):
        while True:
            if await holds():
                return
            await asyncio.sleep(0.01)


async def well(connections: Database) -> None:
    """Wait until the database can be used."""

    async def is_well() -> bool:
        return await connections.check(1) is None

    await until(is_well)


async def test_a_silent_server_costs_the_calls_that_wait_and_no_others(database, quick, lines):
    """A stopped server, or a line that is cut: nothing comes, not even an error."""
    async with (
        a_line_that_can_go_dead(database.service) as (url, dead),
        Database(url, readers=2) as connections,
    ):
        await asyncio.gather(*(connections.execute(SLEEP, first, seconds=0.05) for _ in range(2)))
        assert await connections.check(1) is None
        dead.set()
        began = now()
        told = await asyncio.gather(*(connections.read(ONE, first) for _ in range(9)), return_exceptions=True)
        assert {type(each) for each in told} == {DatabaseUnavailable}
        assert 0.4 <= now() - began < 2
        began = now()
        for _ in range(10):
            with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
                await connections.writers.execute(ONE, [], first)
            assert await connections.check(1) == "database_away"
        assert now() - began < 0.1, "it is known, and nothing waits"
        dead.clear()
        await well(connections)
        assert await connections.read(ONE, first) == [1]
        assert [line["event"] for line in lines] == ["database_away", "database_back"]


async def test_a_slow_statement_is_not_taken_for_a_silent_server(database, quick, lines):
    async with Database(database.service, readers=1) as connections:
        assert await connections.execute(SLEEP, first, seconds=1.0) == [""]
    assert lines == []


async def test_a_call_that_is_never_answered_ends_though_the_server_answers_others(database, quick, monkeypatch):
    """A half-open line, or a commit that waits for a disk that hangs."""
    monkeypatch.setattr("infra.postgres.driver.database.CALL_SECONDS_MAX", 0.5)
    async with Database(database.service, readers=1) as connections:
        began = now()
        with pytest.raises(DatabaseUnavailable, match="did not answer in time"):
            await connections.read(SLEEP, first, seconds=3.0)
        assert now() - began < 1
        assert await connections.read(ONE, first) == [1]


async def test_readiness_is_told_in_time_though_nobody_answers(database):
    async with (
        a_line_that_can_go_dead(database.service) as (url, dead),
        Database(url, readers=1) as connections,
    ):
        assert await connections.check(1) is None
        dead.set()
        began = now()
        assert await connections.check(0.2) == "database_away"
        assert now() - began < 0.5
        dead.clear()


async def test_a_connection_that_is_ended_in_the_middle_of_a_statement_is_away_and_the_next_call_served(database):
    async with Database(database.service, readers=1, application_name="ended") as connections:
        for _ in range(20):
            asking = asyncio.create_task(connections.execute(SLEEP, first, seconds=4.0))
            await until(partial(ended, database))
            with pytest.raises(DatabaseUnavailable, match="broke off"):
                await asking
            assert await connections.execute(ONE, first) == [1]


async def ended(database) -> bool:
    """Whether a backend was found that sleeps, and told to end."""
    with psycopg.connect(database.service, autocommit=True) as killer:
        found = killer.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ended reader' "
            "AND state = 'active' AND query LIKE '%pg_sleep%' AND datname = current_database()"
        )
        return bool(found.fetchall())


async def test_after_a_break_every_kept_connection_is_opened_again(database, lines):
    """Idle ones broke as well, mostly: one call notices, and not each connection by a call that fails."""
    async with Database(database.service, readers=4, writers=2, application_name="kept") as connections:
        await asyncio.gather(
            *(connections.execute(SLEEP, first, seconds=0.1) for _ in range(4)),
            *(connections.writers.execute(SLEEP, [0.1], first) for _ in range(2)),
        )
        with psycopg.connect(database.service, autocommit=True) as killer:
            killer.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE application_name LIKE 'kept%' AND datname = current_database()"
            )
        with pytest.raises(DatabaseUnavailable):
            await connections.writers.execute(ONE, [], first)
        both = (connections.writers.execute(SLEEP, [0.1], first) for _ in range(2))
        readers = (connections.execute(SLEEP, first, seconds=0.1) for _ in range(4))
        assert await asyncio.gather(*both, *readers) == [[""]] * 6
    assert not any(line["event"] == "database_probe_refused" for line in lines), "our login may ask all of it"


@contextmanager
def superuser(postgres_server) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_server.superuser_url, autocommit=True) as connection:
        yield connection


async def test_a_database_that_takes_no_writes_is_known_until_it_takes_them_again(
    database, postgres_server, quick, lines
):
    """As on a standby: the connection is given up, so that the next may find another server."""
    name = sql.Identifier(urlsplit(database.service).path.lstrip("/"))
    async with Database(database.service, readers=1, writers=1) as connections:
        with superuser(postgres_server) as admin:
            admin.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(name))
            touch = Statement("UPDATE campaign_heads SET gone_at = NULL WHERE false")
            with pytest.raises(DatabaseUnavailable, match="read-only transaction"):
                await connections.writers.execute(touch, [], first)
            assert await connections.check(1) == "database_read_only"
            assert await connections.read(ONE, first) == [1], "reading goes on"
            with pytest.raises(DatabaseUnavailable, match="read-only transaction"):
                await connections.writers.execute(touch, [], first)
            admin.execute(sql.SQL("ALTER DATABASE {} RESET default_transaction_read_only").format(name))
        await well(connections)
        assert await connections.writers.execute(touch, [], first) == []
    assert [(line["event"], line.get("code")) for line in lines] == [
        ("database_away", "database_read_only"),
        ("database_back", None),
    ]


async def test_a_request_that_the_database_failed_has_it_asked_by_a_write(database, postgres_server, quick):
    """Of a commit that waits for a standby others only know its locks: no call fails that says more."""
    name = sql.Identifier(urlsplit(database.service).path.lstrip("/"))
    async with Database(database.service, readers=1) as connections:
        assert await connections.check(1) is None
        with superuser(postgres_server) as admin:
            admin.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(name))
            assert await connections.check(1) is None, "the session that is asked is of before"
            connections.missed(DatabaseUnavailable("This took too long."))
            assert await connections.check(1) == "database_read_only"
            admin.execute(sql.SQL("ALTER DATABASE {} RESET default_transaction_read_only").format(name))
        await well(connections)


async def test_that_no_connection_is_free_while_the_server_is_silent_is_no_overload(database, quick, monkeypatch):
    monkeypatch.setattr(connection_pool, "WAIT_SECONDS_MAX", 0.1)
    monkeypatch.setattr(connection_pool, "CHECK_SECONDS_MAX", 0.1)
    async with (
        a_line_that_can_go_dead(database.service) as (url, dead),
        Database(url, readers=1) as connections,
    ):
        assert await connections.read(ONE, first) == [1]
        assert await connections.check(1) is None
        dead.set()
        busy = asyncio.create_task(connections.read(ONE, first))
        await asyncio.sleep(0)
        with pytest.raises(DatabaseUnavailable, match=r"was free for 0.1 s: no answer within 0.1 s") as silence:
            await connections.read(ONE, first)
        assert not isinstance(silence.value, DatabaseBusy)
        await asyncio.gather(busy, return_exceptions=True)
        dead.clear()


async def test_an_overload_is_told_until_requests_have_connections_again_and_is_no_outage(database, quick, lines):
    async with Database(database.service, readers=1) as connections:
        for _ in range(3):
            connections.missed(DatabaseBusy("no connection was free"))
        assert await connections.check(1) == "overloaded"
        assert not connections.is_away()
        assert await connections.read(ONE, first) == [1]
        await well(connections)
    begun, over = lines
    assert (begun["event"], over["event"], over["failed"]) == ("overloaded", "overload_over", 3)


@pytest.mark.parametrize(("wants_standby", "said"), [(True, ["standby_missing"]), (False, [])])
async def test_a_server_that_confirms_alone_is_warned_of_where_a_standby_is_wanted(
    database, lines, wants_standby, said
):
    async with Database(database.service, readers=1, wants_standby=wants_standby) as connections:
        assert await connections.check(1) is None
        assert await connections.read(ONE, first) == [1]
    assert [line["event"] for line in lines] == said


def either_of(url: str, other: str) -> str:
    """The URL of whichever of two servers takes writes."""
    parts = urlsplit(url)
    hosts = f"{parts.netloc},{urlsplit(other).netloc.rpartition('@')[2]}"
    return urlunsplit(parts._replace(netloc=hosts, query="target_session_attrs=read-write"))


@pytest.mark.slow
async def test_when_the_first_of_two_servers_goes_silent_the_second_is_found(database, quick):
    async with (
        a_line_that_can_go_dead(database.service) as (url, dead),
        Database(either_of(url, database.service), readers=1) as connections,
    ):
        assert await connections.read(ONE, first) == [1]
        assert await connections.check(1) is None
        dead.set()
        with pytest.raises(DatabaseUnavailable):
            await connections.read(ONE, first)
        await well(connections)
        assert await connections.read(ONE, first) == [1]


async def test_where_no_server_takes_writes_that_is_what_is_said(database, postgres_server, quick):
    name = sql.Identifier(urlsplit(database.service).path.lstrip("/"))
    url = either_of(database.service, database.service)
    with superuser(postgres_server) as admin:
        admin.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(name))
        async with Database(url, readers=1) as connections:
            assert await connections.check(1) == "database_read_only"
            admin.execute(sql.SQL("ALTER DATABASE {} RESET default_transaction_read_only").format(name))
            await well(connections)


async def test_no_room_for_another_connection_is_known_and_those_that_are_there_go_on(
    database, postgres_server, quick, lines
):
    role = sql.Identifier(urlsplit(database.service).username or "")
    async with Database(database.service, readers=1, writers=1) as connections:
        assert await connections.execute(ONE, first) == [1]
        assert await connections.check(1) is None
        with superuser(postgres_server) as admin:
            admin.execute(sql.SQL("ALTER ROLE {} CONNECTION LIMIT 2").format(role))
            try:
                with pytest.raises(DatabaseUnavailable, match="too many connections"):
                    await connections.writers.execute(ONE, [], first)
                assert await connections.check(1) == "too_many_connections"
                assert await connections.execute(ONE, first) == [1]
            finally:
                admin.execute(sql.SQL("ALTER ROLE {} CONNECTION LIMIT -1").format(role))
        await well(connections)
        assert await connections.writers.execute(ONE, [], first) == [1]


@pytest.mark.slow
async def test_an_outage_is_logged_when_it_begins_and_with_its_count_when_it_is_over(database, quick, lines):
    async with (
        a_line_that_can_go_dead(database.service) as (url, dead),
        Database(url, readers=1) as connections,
    ):
        await connections.read(ONE, first)
        dead.set()
        for _ in range(50):
            try:
                await connections.read(ONE, first)
            except DatabaseUnavailable as away:
                connections.missed(away)
        dead.clear()

        async def is_over() -> bool:
            return len(lines) == 2

        await until(is_over)
    gone, back = lines
    assert (gone["event"], gone["code"]) == ("database_away", "database_away")
    assert (back["event"], back["failed"]) == ("database_back", 50)
    assert back["away_seconds"] > 0


def test_a_server_that_refuses_connections_since_its_disk_is_full_says_so():
    words = "connection failed: FATAL:  could not write init file: No space left on device"
    assert meaning_of_refusal(psycopg.OperationalError(words)) is Meaning.DISK_FULL
    assert meaning_of_refusal(psycopg.OperationalError("connection refused")) is Meaning.UNREACHABLE


@pytest.mark.parametrize(
    ("sqlstate", "meaning"),
    [
        ("08006", Meaning.UNREACHABLE),
        ("25006", Meaning.READ_ONLY),
        ("26000", Meaning.UNPREPARED),
        ("53100", Meaning.DISK_FULL),
        ("53200", Meaning.UNREACHABLE),
        ("53300", Meaning.CROWDED),
        ("55P03", Meaning.LOCK_TIMEOUT),
        ("57014", Meaning.TOO_LONG),
        ("57P01", Meaning.UNREACHABLE),
        ("57P02", Meaning.UNREACHABLE),
        ("57P03", Meaning.UNREACHABLE),
        ("58030", Meaning.UNREACHABLE),
        ("22003", Meaning.DEFECT),
        ("23505", Meaning.DEFECT),
        ("42P01", Meaning.DEFECT),
        ("54000", Meaning.DEFECT),
    ],
)
def test_a_sqlstate_says_whether_the_database_is_away_or_something_is_broken(sqlstate, meaning):
    assert meaning_of(psycopg.errors.lookup(sqlstate)("x")) is meaning


ON_ANOTHER = "while executing command on 10.0.0.2:5432\n"
IN_APPEND = "SQL statement ...\nPL/pgSQL function append_batches(uuid,boolean) line 85 at SQL statement\n"


@pytest.mark.parametrize(
    ("context", "meaning"),
    [
        (f"{ON_ANOTHER}{IN_APPEND}while executing command on 10.0.0.1:5432", Meaning.LOCK_TIMEOUT),
        (f"{IN_APPEND}{ON_ANOTHER}", Meaning.DEFECT),
        (ON_ANOTHER, Meaning.DEFECT),
        (None, Meaning.DEFECT),
    ],
)
@pytest.mark.parametrize("sqlstate", ["23505", "42501"])
def test_an_append_whose_shard_moved_meanwhile_is_tried_again(monkeypatch, sqlstate, context, meaning):
    monkeypatch.setattr(psycopg.Error, "diag", SimpleNamespace(sqlstate=sqlstate, context=context))
    assert meaning_of(psycopg.errors.lookup(sqlstate)("x")) is meaning


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("failure on connection marked as essential: 10.0.0.2:5432", Meaning.UNREACHABLE),
        ("server closed the connection unexpectedly", Meaning.UNREACHABLE),
        ("could not find tuple for trigger 16385", Meaning.DEFECT),
    ],
)
def test_a_node_of_citus_that_breaks_off_is_away(said, meaning):
    assert meaning_of(psycopg.errors.InternalError_(said)) is meaning


def test_every_sqlstate_in_the_table_is_one_of_postgresql():
    for sqlstate in BY_SQLSTATE:
        if len(sqlstate) == 5:
            psycopg.errors.lookup(sqlstate)
