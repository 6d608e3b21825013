"""One database and one service for all stories of a module: a story takes a second, most tests only look at it."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls, PostgresServer
from tests.services.conftest import METRICS_TOKEN


@pytest.fixture(scope="module")
def database(postgres_server: PostgresServer) -> Iterator[DatabaseUrls]:
    urls = postgres_server.new_database()
    yield urls
    postgres_server.give_back(urls)


@pytest.fixture(scope="module")
def client(database: DatabaseUrls) -> Iterator[TestClient[Any]]:
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        metrics_token=METRICS_TOKEN,
        pack_events=True,
    )
    with an_application(settings) as app, TestClient(app) as running:
        yield running
