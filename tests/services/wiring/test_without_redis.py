"""A Redis that was named and never answers keeps nobody waiting (invariant 16)."""

import time

import pytest

from infra.embedded.child_process import free_port
from tests.services.conftest import table_at
from tests.services.processes import eventually, running

pytestmark = pytest.mark.slow


@pytest.fixture
def api_redis() -> str:
    return f"redis://127.0.0.1:{free_port()}/0"


def test_nobody_waits_for_a_redis_that_is_not_there(client):
    seat = table_at(client)
    began = time.monotonic()
    for _ in range(50):
        seat.act(seat.gm, "campaign.add_note", text="x")
    assert time.monotonic() - began < 5


def test_serve_stops_at_once_though_redis_never_answered(database, api_redis, tmp_path):
    port = str(free_port())
    settings = {"database_url": database.service, "redis_url": api_redis, "port": port}
    with running(tmp_path, "serve", **settings) as program:
        assert eventually(lambda: program.has_said("redis_away")), program.said()
        began = time.monotonic()
        assert program.stop() == 0, program.said()
        assert time.monotonic() - began < 5
        assert program.said().count("redis_away") == 1
        assert "Traceback" not in program.said()
