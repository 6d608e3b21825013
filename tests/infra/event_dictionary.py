"""`python -m tests.infra.event_dictionary FILE`: train a dictionary for packing events on the recorded stories.

The one in use stays as it is, since rows are packed with it. Ids are random, so no two trainings are the same.
"""

import sys
from pathlib import Path

import psycopg
from litestar.testing import TestClient
from zstandard import train_dictionary

from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls, a_postgres_server

DICTIONARY_BYTES = 8_192
"""Twice as much saves 4 bytes of the 120 that an event and its request take then."""


def samples(database: DatabaseUrls) -> list[bytes | bytearray | memoryview[int]]:
    """Every request and body of all stories, which are played."""
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64, sign_ups_per_hour=0)
    with an_application(settings) as app, TestClient(app) as client:
        for name in recorded_names():
            for _ in Story(recording_of(name), client, suffix=f" of {name}", wait_seconds_max=0).play():
                pass
    with psycopg.connect(database.owner) as connection:
        rows = connection.execute("SELECT command, body FROM events ORDER BY campaign_id, seq")
        return [each for row in rows for each in row if each is not None]


if __name__ == "__main__":
    with a_postgres_server() as server:
        trained = train_dictionary(DICTIONARY_BYTES, samples(server.new_database()))
    Path(sys.argv[1]).write_bytes(trained.as_bytes())
