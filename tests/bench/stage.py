"""Where everything is measured: a durable PostgreSQL, fresh databases on it, and how much is to be done."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from msgspec import Struct

from domain.ids import CampaignId
from services.application import Application
from services.settings import Settings
from services.wiring.application import open_application
from tests.bench.rows import Row
from tests.engines import DICE_KEY, DatabaseUrls, PostgresServer

PASSWORD_KIB = 64


class Scale(Struct, frozen=True):
    """How much one run does. Ratios are the same at every scale but for noise; lengths are what `--full` adds."""

    rounds: int = 5
    seconds: float = 1.0
    campaigns: int = 256
    requests: int = 1_600
    events_cold: int = 10_000
    events_long: int = 100_000
    undo_actions: int = 10_000
    undo_events: int = 50_000
    rebuild_campaigns: int = 4
    events_followed: int = 40_000
    opened: tuple[int, int] = (200, 1_000)
    timers: int = 10_000
    workers: int = 8
    asleep: int = 10_000
    busy: int = 1_000
    worker_seconds: int = 30
    wear_seconds: int = 120
    stored_actions: int = 1_500
    story_steps: int = 200
    pages: int = 20
    notes: int = 20
    live_actions: int = 500
    reads_events: int = 4_500
    reads_seconds: float = 20.0
    table_actions: int = 20

    @property
    def events_short(self) -> int:
        """The campaign that a long one is compared with."""
        return min(1_000, self.events_long // 5)


DEFAULT = Scale()
FULL = Scale(
    events_long=1_000_000,
    rebuild_campaigns=100,
    events_followed=120_000,
    wear_seconds=1_200,
    stored_actions=20_000,
    asleep=100_000,
)
QUICK = Scale(
    rounds=3,
    seconds=0.4,
    requests=480,
    events_long=10_000,
    undo_actions=2_000,
    undo_events=10_000,
    rebuild_campaigns=2,
    events_followed=10_000,
    timers=2_000,
    workers=4,
    asleep=1_000,
    busy=100,
    worker_seconds=10,
    wear_seconds=30,
    stored_actions=600,
    pages=10,
    notes=8,
    reads_seconds=8.0,
    table_actions=8,
)
TINY = Scale(
    rounds=1,
    seconds=0.1,
    campaigns=32,
    requests=32,
    events_cold=400,
    events_long=1_200,
    undo_actions=100,
    undo_events=500,
    rebuild_campaigns=2,
    events_followed=2_000,
    opened=(5, 25),
    timers=200,
    workers=1,
    asleep=50,
    busy=10,
    worker_seconds=2,
    wear_seconds=1,
    stored_actions=20,
    story_steps=90,
    pages=1,
    notes=1,
    live_actions=20,
    reads_events=200,
    reads_seconds=0.5,
    table_actions=1,
)
"""For the test that everything here still runs."""


class Stage:
    """A server to measure on; `against` is a checkout of another commit, ready to run, to compare with."""

    def __init__(
        self, server: PostgresServer, scale: Scale, say: Callable[[str], None], against: Path | None = None
    ) -> None:
        self.server = server
        self.scale = scale
        self.say = say
        self.against = against

    @contextmanager
    def database(self) -> Iterator[DatabaseUrls]:
        """A fresh database for one group of rows."""
        urls = self.server.new_database()
        try:
            yield urls
        finally:
            self.server.drop_database(urls)

    def checkpoint(self) -> None:
        """Write out what was loaded, so that the server does not do it while something is measured."""
        with psycopg.connect(self.server.superuser_url, autocommit=True) as connection:
            connection.execute("CHECKPOINT")


Group = Callable[[Stage], Coroutine[Any, Any, list[Row]]]
"""What measures one group of rows."""


def settings_for(urls: DatabaseUrls, **others: int) -> Settings:
    """The service's settings on a database of the bench, without Redis."""
    return Settings(database_url=urls.service, dice_key=DICE_KEY, password_kib=PASSWORD_KIB, **others)  # type: ignore[arg-type]


@asynccontextmanager
async def a_house(urls: DatabaseUrls) -> AsyncIterator[Application]:
    """The service's parts in this process."""
    async with open_application(settings_for(urls)) as application:
        yield application


async def load_hot(application: Application, campaign_id: CampaignId) -> None:
    """Have a campaign in the memory that commands are decided in."""
    application.cache.keep(campaign_id, await application.handler.loader.load(campaign_id))
