"""Applications for tests: making one takes longer than most tests, so those that stopped are started again."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.testing import TestClient

from services.http.api.app import DEFAULT_PACE
from services.http.middleware.time_limit import TimeLimit
from services.http.screen.app import create_app
from services.reading.live_feed import Pace
from services.settings import Settings
from tests.engines import DICE_KEY, DatabaseUrls

_stopped: defaultdict[tuple[int, str], list[Litestar]] = defaultdict(list)
"""Applications of this process that nobody runs, by what the making of one depends on."""


@contextmanager
def an_application(settings: Settings, pace: Pace = DEFAULT_PACE) -> Iterator[Litestar]:
    """One with these settings, to be started and stopped within; whatever fails within, is not used again."""
    stopped = _stopped[settings.body_bytes_max, settings.base_path]
    app = stopped.pop() if stopped else create_app(settings)
    routes = list(app.routes)
    for name in list(app.state):
        del app.state[name]
    app.state.settings, app.state.pace = settings, pace
    yield app
    if app.routes == routes:
        stopped.append(app)


@contextmanager
def service(database: DatabaseUrls, home: Path) -> Iterator[TestClient[Any]]:
    """A service on a database, with a home of its own."""
    settings = Settings(database_url=database.service, home=home, dice_key=DICE_KEY, password_kib=64)
    with an_application(settings) as app, TestClient(app) as client:
        yield client


def limit_around(app: Any) -> TimeLimit:
    """The time limit among the layers of an application. Raises AttributeError where there is none."""
    layer: Any = app.asgi_handler
    while not isinstance(layer, TimeLimit):
        layer = layer._rest
    return layer
