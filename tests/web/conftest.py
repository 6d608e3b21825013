"""The pages are read from the service that the API's tests talk to, in the browsers of its table."""

import pytest

from tests.services.conftest import Table, api_redis, client, founded, table
from tests.web.browser import Browser

__all__ = ["api_redis", "client", "founded", "gm", "home", "player", "table"]


@pytest.fixture
def gm(table: Table) -> Browser:
    """The browser of the table's GM."""
    return Browser(table.gm.client).sign_in(table.gm.name)


@pytest.fixture
def player(table: Table) -> Browser:
    """The browser of its player."""
    return Browser(table.player.client).sign_in(table.player.name)


@pytest.fixture
def home(table: Table) -> str:
    """The path of its page."""
    return f"/c/{table.campaign_id}"
