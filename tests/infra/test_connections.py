import asyncio
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from domain.stored import DatabaseAway
from infra.postgres import connections as module
from infra.postgres.connections import Blocked, Connections
from infra.postgres.statements import Statement

pytestmark = pytest.mark.anyio

ONE = Statement("SELECT 1")
SETTING = Statement("SELECT current_setting(:name)")
SLEEP = Statement("SELECT pg_sleep(:seconds)::text")


def first(row):
    return row[0]


async def test_a_read_survives_that_its_kept_connection_was_killed(database):
    async with Connections(database.service, readers=1, application_name="kept") as connections:
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
    async with Connections(nowhere, readers=1) as connections:
        with pytest.raises(DatabaseAway, match="cannot be reached"):
            await connections.read(ONE, first)
        with pytest.raises(DatabaseAway, match="cannot be reached"):
            await connections.writers.rows(ONE, [], first)


async def test_lanes_bring_the_settings_the_log_relies_on(database):
    """The writer's retry safety needs READ COMMITTED; a stuck lock holder must not stop it for ever."""
    url = f"{database.service}?options=-c%20work_mem%3D5MB%20-c%20default_transaction_isolation%3Dserializable"
    async with Connections(url, readers=1, application_name="mine") as connections:
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


async def test_more_questions_than_lanes_wait_their_turn(database):
    async with Connections(database.service, readers=2) as connections:
        answers = await asyncio.gather(*(connections.read(ONE, first) for _ in range(20)))
        assert answers == [[1]] * 20


async def test_a_statement_of_somebody_who_left_leaves_the_lane_usable(database):
    async with Connections(database.service, readers=1) as connections:
        asking = asyncio.create_task(connections.rows(SLEEP, first, seconds=30.0))
        await asyncio.sleep(0.3)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await connections.read(ONE, first) == [1]


async def test_a_statement_is_prepared_once_for_each_combination_of_types(database):
    text = Statement("SELECT pg_typeof(:value)::text")
    prepared = Statement("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%pg_typeof%::text'")
    async with Connections(database.service, readers=1) as connections:
        for value, name in [(True, "boolean"), (0.5, "double precision"), (False, "boolean")]:
            assert await connections.read(text, first, value=value) == [name]
        assert await connections.read(prepared, first) == [2]


async def test_a_statement_that_failed_can_be_run_again(database):
    inverse = Statement("SELECT 1 / :number::float")
    nonsense = Statement("SELECT nonsense")
    async with Connections(database.service, readers=1) as connections:
        for _ in range(2):
            with pytest.raises(psycopg.errors.DivisionByZero):
                await connections.rows(inverse, first, number=0.0)
            with pytest.raises(psycopg.errors.UndefinedColumn, match="nonsense"):
                await connections.rows(nonsense, first)
        assert await connections.rows(inverse, first, number=2.0) == [0.5]


async def test_a_statement_that_takes_too_long_is_stopped(database):
    async with Connections(database.service, readers=1) as connections:
        await connections.rows(Statement("SET statement_timeout = 100"), first)
        with pytest.raises(Blocked):
            await connections.rows(SLEEP, first, seconds=5.0)
        assert await connections.read(ONE, first) == [1]


async def test_a_server_that_goes_silent_is_given_up(database, monkeypatch):
    """A stopped server or a half-open line: nothing comes, not even an error."""
    monkeypatch.setattr(module, "SILENCE_SECONDS_MAX", 0.5)
    async with (
        a_line_that_can_go_dead(database.service) as (url, dead),
        Connections(url, readers=1) as connections,
    ):
        assert await connections.rows(ONE, first) == [1]
        dead.set()
        began = asyncio.get_running_loop().time()
        with pytest.raises(DatabaseAway):
            await connections.rows(ONE, first)
        assert asyncio.get_running_loop().time() - began < 5
        dead.clear()
        assert await connections.rows(ONE, first) == [1]


@asynccontextmanager
async def a_line_that_can_go_dead(url):
    """A relay to the server; while `dead` is set it swallows what either side says."""
    parts = urlsplit(url)
    dead = asyncio.Event()
    relays: set[asyncio.Task[None]] = set()

    async def pour(reader, writer):
        while data := await reader.read(65536):
            if not dead.is_set():
                writer.write(data)
                await writer.drain()
        writer.close()

    async def relay(reader, writer):
        task = asyncio.current_task()
        assert task is not None
        relays.add(task)
        server_reader, server_writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            await asyncio.gather(pour(reader, server_writer), pour(server_reader, writer))
        except OSError:
            pass
        finally:
            server_writer.close()
            writer.close()

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    login = parts.netloc.rpartition("@")[0]
    try:
        yield urlunsplit(parts._replace(netloc=f"{login}@127.0.0.1:{port}")), dead
    finally:
        server.close()
        for task in relays:
            task.cancel()
        await asyncio.gather(*relays, return_exceptions=True)
