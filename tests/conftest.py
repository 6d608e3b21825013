"""Fixtures for every test; engines start with the first test that asks for one."""

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Generator, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from services.runtime.freed_memory import NEW_OBJECTS_MAX
from tests import engines
from tests.engines import DatabaseUrls, PostgresServer
from tests.root import ROOT
from tests.sampling import RELEASE

BYTECODE = ROOT / ".pytest_cache" / "bytecode"

if os.environ.get("PYTHONDONTWRITEBYTECODE") == "1":
    # Whoever wants no bytecode beside the sources has it out of their way here: without any, thousands of asserts
    # are taken apart, and Fieldlog is compiled, in each process of each run.
    del os.environ["PYTHONDONTWRITEBYTECODE"]
    os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)


# The same code is tried with the same examples, so that no run is red by what another one did not try; others are
# sought before a release. Settings that are made later inherit this.
# No example is refused for taking long: that depends on what else the machine does.
settings.register_profile(
    "same_examples",
    derandomize=not RELEASE,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("same_examples")

ENGINES = {"postgres_server", "redis_server"}
"""The fixtures that are an engine; every place in one is asked for through them."""
PLACES = ENGINES | {"database", "empty", "redis_url"}
"""The fixtures that are an engine, or a place in one."""
COMMON = {"tests", "tests/services"}
"""Folders whose own fixtures are everybody's: over them the API is asked, which asks the engines for all alike."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--with-engines", action="store_true", help="only tests that ask PostgreSQL or Redis")


@cache
def _looks_fixtures_up(module: Path) -> bool:
    return "getfixturevalue" in module.read_text("utf-8")


def has_engine(item: pytest.Item) -> bool:
    """Whether a test has PostgreSQL or Redis, itself or by its fixtures.

    A module that looks fixtures up while its tests run is taken to have one: nothing tells before.
    """
    named = isinstance(item, pytest.Function) and not ENGINES.isdisjoint(item.fixturenames)
    return named or _looks_fixtures_up(item.path)


def asks_engine(item: pytest.Item) -> bool:
    """Whether a test asks for an engine by its own arguments, or by a fixture of its own folder or module.

    A module that looks fixtures up while its tests run is taken to ask: nothing tells before.
    """
    if not isinstance(item, pytest.Function) or _looks_fixtures_up(item.path):
        return True
    asked = set(item._fixtureinfo.argnames)
    for fixtures in item._fixtureinfo.name2fixturedefs.values():
        if fixtures[-1].baseid not in COMMON:
            asked.update(fixtures[-1].argnames)
    return not PLACES.isdisjoint(asked)


def those_with_engines(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Tests that ask for an engine, and one of each module whose tests have one by what all have in common."""
    spoken_for: set[Path] = set()
    for item in items:
        if has_engine(item) and (asks_engine(item) or item.path not in spoken_for):
            if not asks_engine(item):
                spoken_for.add(item.path)
            yield item


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Look for no garbage among the tests, which stay, and for that of tests as seldom as the service does."""
    gc.disable()
    try:
        _import_in_turn(session)
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(NEW_OBJECTS_MAX)
        gc.enable()


def _import_in_turn(session: pytest.Session) -> None:
    """Have each worker import its own part of all tests first, and the others' after that.

    Where no bytecode is left from before, all would else take the asserts of the same module apart at once.
    """
    workers = getattr(session.config, "workerinput", None)
    if workers is None or session.config.args != session.config.getini("testpaths"):
        return
    modules = sorted(path.relative_to(ROOT).with_suffix("") for path in ROOT.glob("tests/**/test_*.py"))
    nth, count = int(workers["workerid"].removeprefix("gw")), workers["workercount"]
    begins = len(modules) * nth // count
    for module in modules[begins:] + modules[:begins]:
        with contextlib.suppress(Exception, pytest.skip.Exception):  # collecting it says so
            importlib.import_module(".".join(module.parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out those for a release, and what no engine need answer again; skip what does not go with Citus."""
    chosen = [item for item in items if RELEASE or item.get_closest_marker("release") is None]
    if config.getoption("with_engines"):
        chosen = [*those_with_engines(chosen)]
    if len(chosen) < len(items):
        config.hook.pytest_deselected(items=[*{*items} - {*chosen}])
        items[:] = chosen
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
