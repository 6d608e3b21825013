"""Applications for tests: making one takes longer than most tests, so those that stopped are started again."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from litestar import Litestar

from services.api.app import DEFAULT_PACE
from services.queries.live_feed import Pace
from services.settings import Settings
from services.web.app import create_app

_stopped: defaultdict[int, list[Litestar]] = defaultdict(list)
"""Applications of this process that nobody runs, by what the making of one depends on."""


@contextmanager
def an_application(settings: Settings, pace: Pace = DEFAULT_PACE) -> Iterator[Litestar]:
    """One with these settings, to be started and stopped within; whatever fails within, is not used again."""
    stopped = _stopped[settings.body_bytes_max]
    app = stopped.pop() if stopped else create_app(settings)
    routes = list(app.routes)
    for name in list(app.state):
        del app.state[name]
    app.state.settings, app.state.pace = settings, pace
    yield app
    if app.routes == routes:
        stopped.append(app)
