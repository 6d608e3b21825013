"""A real browser at a running service, and recorded stories to look at in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import WANTED, driver, missing, windowed, windowless
from tests.browser.gallery import Gallery
from tests.browser.screen import Screen
from tests.engines import DatabaseUrls, PostgresServer
from tests.services.conftest import Person, Table, table_at
from tests.services.live_api import Api, api

LONGEST = (
    "test_stories_on_pages",
    "test_forms_as_used",
    "test_undo_and_downtime_on_pages",
    "test_long_searches",
)
Screens = Callable[..., Screen]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, dealt out to the workers: none of them is left alone with a story.

    xdist gives each worker a piece of the list, and who is done takes from the end of another's.
    """
    if any(each.path.parent != Path(__file__).parent for each in items):
        return
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    dealt = sorted(items, key=lambda each: each.path.stem not in LONGEST)
    items[:] = [each for nth in range(workers) for each in dealt[nth::workers]]


@pytest.fixture(scope="package")
def launcher() -> Iterator[Any]:
    """What launches browsers. It ends with these tests: its loop runs in this thread, which others want."""
    lacking = missing()
    if lacking is not None:
        print(f"Pages were not tested in a browser: {lacking}.")  # noqa: T201
        assert WANTED != "required", lacking
        pytest.skip(lacking)
    with driver() as found:
        yield found


@pytest.fixture(scope="package")
def chrome(launcher: Any) -> Iterator[Any]:
    """The browser, without its windows."""
    with windowless(launcher) as found:
        yield found


@pytest.fixture(scope="package")
def windowed_chrome(launcher: Any) -> Iterator[Any]:
    """The browser as people have it, for those whose feed loses its connection."""
    with windowed(launcher) as found:
        yield found


@pytest.fixture
def running(chrome: Any, database: DatabaseUrls) -> Iterator[Api]:
    """The service on a real server; it is only started where there is a browser."""
    assert chrome
    with api(database.service) as running:
        yield running


@pytest.fixture
def table(running: Api) -> Table:
    """A campaign with its GM and one player."""
    return table_at(running.client)


def given_back(made: list[Screen]) -> list[str]:
    """Close screens; what went wrong on them."""
    for each in made:
        each.close()
    return [wrong for each in made for wrong in each.wrong]


@contextmanager
def screens_of(chrome: Any, running: Api, table: Table) -> Iterator[Screens]:
    """Makes screens for people at a table; in the end nothing went wrong on any."""
    made: list[Screen] = []

    def screen(person: Person, **more: Any) -> Screen:
        made.append(Screen(chrome, running, person.name, **more))
        made[-1].path += f"/c/{table.campaign_id}"
        return made[-1]

    yield screen
    assert given_back(made) == []


@pytest.fixture
def screens(chrome: Any, running: Api, table: Table) -> Iterator[Screens]:
    """Makes screens for people."""
    with screens_of(chrome, running, table) as found:
        yield found


@pytest.fixture
def windowed_screens(windowed_chrome: Any, running: Api, table: Table) -> Iterator[Screens]:
    """The same in the browser as people have it."""
    with screens_of(windowed_chrome, running, table) as found:
        yield found


@pytest.fixture(scope="package")
def gallery(chrome: Any, postgres_server: PostgresServer) -> Iterator[Gallery]:
    """Every page of a campaign in each system, on one service."""
    urls = postgres_server.new_database()
    with api(urls.service) as running:
        gallery = Gallery(chrome, running, urls)
        yield gallery
        gallery.close()
    postgres_server.give_back(urls)
