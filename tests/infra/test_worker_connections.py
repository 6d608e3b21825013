"""Workers find each other by the names of their connections."""

import asyncio

import pytest

from infra.postgres.driver.database import Database
from infra.postgres.worker_directory import NAME_BYTES_MAX, PostgresWorkerDirectory, connection_name
from services.workers.queues import SHARED

pytestmark = pytest.mark.anyio


async def test_a_worker_is_known_with_its_queues_from_its_first_question_on_until_it_goes(database):
    async with (
        Database(database.service, application_name="fieldlog-api") as api,
        Database(database.service, application_name=connection_name("one", ["timers"])) as one,
    ):
        workers, seen_by_api = PostgresWorkerDirectory(one), PostgresWorkerDirectory(api)
        assert await workers.queues() == {"one": {"timers"}}
        async with Database(database.service, application_name=connection_name("two", SHARED)) as two:
            found = await PostgresWorkerDirectory(two).queues()
            assert found == await seen_by_api.queues() == {"one": {"timers"}, "two": {*SHARED}}
        async with asyncio.timeout(10):
            while "two" in await workers.queues():  # noqa: ASYNC110 - a server that lets go rings no bell
                await asyncio.sleep(0.001)


async def test_workers_on_another_database_are_not_seen(database, postgres_server):
    urls = postgres_server.new_database()
    try:
        async with (
            Database(urls.service, application_name=connection_name("elsewhere", ["timers"])) as elsewhere,
            Database(database.service, application_name=connection_name("here", ["timers"])) as here,
        ):
            assert await PostgresWorkerDirectory(elsewhere).queues() == {"elsewhere": {"timers"}}
            assert await PostgresWorkerDirectory(here).queues() == {"here": {"timers"}}
    finally:
        postgres_server.drop_database(urls)


def test_the_longest_name_is_not_cut_off():
    assert len(connection_name("0" * 8, SHARED)) <= NAME_BYTES_MAX
