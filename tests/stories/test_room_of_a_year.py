"""What play takes on the disk once its requests are a month old, as PostgreSQL counts it, indexes and all.

Events are stored packed, as under `up`. The recorded campaigns are played several times over. After each time the
answers to their requests are let go, as the worker does after 30 days, and PostgreSQL vacuums, as it does by
itself. Counted are the tables that grow with the log; folds weigh more here than in a long campaign, which has as
many of them.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from litestar.testing import TestClient

from domain.ids import CampaignId
from services.application import Application
from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story
from services.settings import Settings
from services.workers.answer_retention_worker import AnswerRetentionWorker
from services.workers.projector import Projector
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls

TIMES = 4
BYTES_PER_EVENT_MAX = 880
"""Measured: 843. Ids are random, and so is how full pages of an index are."""
GROWING = ("events", "idempotency_keys", "personal_text", "view_segments", "stored_folds", "kept_folds")
YEAR_DAYS = 365
EVENTS_PER_STORING = 128
"""A table that plays is stored so often."""

ROOM = """
SELECT c.relname, pg_total_relation_size(c.oid)::bigint FROM pg_class AS c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 2 DESC
"""


@pytest.fixture(scope="module")
def client(database: DatabaseUrls) -> Iterator[TestClient[Any]]:
    """A service that lets the same people in again and again."""
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        sign_ups_per_hour=0,
        sign_ins_per_minute=0,
        pack_events=True,
    )
    with an_application(settings) as app, TestClient(app) as running:
        yield running


def play(client: TestClient[Any], application: Application, time: int) -> None:
    """Every recorded campaign, whose views are stored along the way."""
    views = Projector(application.log, application.views, application.handler)
    with client.portal() as portal:
        for name in recorded_names():
            story = Story(recording_of(name), client, suffix=f" of {name} {time}", wait_seconds_max=0)
            told = 0
            for nth, _ in enumerate(story.play()):
                if nth - told >= EVENTS_PER_STORING // 2:
                    told = nth
                    portal.call(views.campaign, CampaignId(UUID(story.campaign_id)))
            portal.call(views.campaign, CampaignId(UUID(story.campaign_id)))


def room(connection: psycopg.Connection) -> tuple[int, dict[str, float]]:
    """How many events there are, and the bytes that each table takes for one of them."""
    connection.execute("VACUUM")
    counted = connection.execute("SELECT count(*) FROM events").fetchone()
    assert counted is not None
    tables = connection.execute(ROOM).fetchall()
    return counted[0], {name: total / counted[0] for name, total in tables if name in GROWING}


@pytest.mark.slow
@pytest.mark.release
def test_an_event_takes_little_room_once_its_answer_has_expired(client, database, request):
    application = client.app.state.application
    fresh: dict[str, float] = {}
    with psycopg.connect(database.owner, autocommit=True) as connection, client.portal() as portal:
        for time in range(TIMES):
            play(client, application, time)
            fresh = fresh or room(connection)[1]
            expired = AnswerRetentionWorker(application.log, application.views, -YEAR_DAYS)
            assert portal.call(expired.once) > 0
            events, aged = room(connection)
    told = [f"{name}: {aged[name]:.0f} (fresh {fresh[name]:.0f})" for name in aged]
    line = f"{events} events, {sum(aged.values()):.0f} bytes each (fresh {sum(fresh.values()):.0f}); " + ", ".join(
        told
    )
    request.config.get_terminal_writer().line(f"\n{line}")
    assert sum(aged.values()) <= BYTES_PER_EVENT_MAX, line
