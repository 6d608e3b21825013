"""Fixtures for every test; engines start with the first test that asks for one."""

import os
import sys
from collections.abc import Iterator

import pytest

from tests import engines
from tests.engines import DatabaseUrls, PostgresServer
from tests.root import ROOT

BYTECODE = ROOT / ".pytest_cache" / "bytecode"

if os.environ.get("PYTHONDONTWRITEBYTECODE") == "1":
    # Whoever wants no bytecode beside the sources has it out of their way here: without any, thousands of asserts
    # are taken apart, and Fieldlog is compiled, in each process of each run.
    del os.environ["PYTHONDONTWRITEBYTECODE"]
    os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip, where databases have Citus, what is about those that have not."""
    for item in items:
        mark = item.get_closest_marker("one_database")
        if mark is not None and os.environ.get("FIELDLOG_TEST_CITUS_URL"):
            item.add_marker(pytest.mark.skip(reason=f"on Citus: {mark.args[0]}"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One PostgreSQL for this process; under xdist each worker has its own."""
    with engines.a_postgres_server() as server:
        yield server


@pytest.fixture
def database(postgres_server: PostgresServer) -> Iterator[DatabaseUrls]:
    """A fresh, migrated database for one test."""
    urls = postgres_server.new_database()
    yield urls
    postgres_server.give_back(urls)


@pytest.fixture
def empty(postgres_server: PostgresServer) -> Iterator[DatabaseUrls]:
    """A fresh database without a schema for one test."""
    urls = postgres_server.empty_database()
    yield urls
    postgres_server.drop_database(urls)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """One Redis or Valkey for this process."""
    with engines.a_redis_server() as url:
        yield url


@pytest.fixture
def redis_url(redis_server: str) -> str:
    """An empty Redis database for one test."""
    engines.flush(redis_server)
    return redis_server


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What asynchronous tests run on."""
    return "asyncio"
