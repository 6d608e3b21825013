"""A real browser at a running service, and recorded stories to look at in it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.chromium import WANTED, launched, missing, windowless
from tests.browser.gallery import Gallery
from tests.browser.screen import Screen
from tests.engines import DatabaseUrls, PostgresServer
from tests.services.conftest import Person, Table, table_at
from tests.services.live_api import Api, api


@pytest.fixture(scope="package")
def chrome() -> Iterator[Any]:
    """The browser. It ends with these tests: Playwright's loop runs in this thread, which others want."""
    lacking = missing()
    if lacking is not None:
        print(f"Pages were not tested in a browser: {lacking}.")  # noqa: T201
        assert WANTED != "required", lacking
        pytest.skip(lacking)
    with launched() as found:
        yield found


@pytest.fixture(scope="package")
def windowless_chrome(chrome: Any) -> Iterator[Any]:
    """The browser without its windows, for those who go through many pages."""
    with windowless(chrome) as found:
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


@pytest.fixture
def screens(chrome: Any, running: Api, table: Table) -> Iterator[Callable[..., Screen]]:
    """Makes screens for people; in the end nothing went wrong on any."""
    made: list[Screen] = []

    def screen(person: Person, **more: Any) -> Screen:
        made.append(Screen(chrome, running, person.name, **more))
        made[-1].path += f"/c/{table.campaign_id}"
        return made[-1]

    yield screen
    assert given_back(made) == []


@pytest.fixture(scope="package")
def gallery(windowless_chrome: Any, postgres_server: PostgresServer) -> Iterator[Gallery]:
    """Every page of a campaign in each system, on one service."""
    urls = postgres_server.new_database()
    with api(urls.service) as running:
        gallery = Gallery(windowless_chrome, running, urls)
        yield gallery
        gallery.close()
    postgres_server.give_back(urls)
