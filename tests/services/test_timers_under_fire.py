"""Timers survive kill -9 of workers, PostgreSQL and Redis (invariants 13 to 16); delayed messages do not."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from dramatiq.brokers.redis import RedisBroker

from infra.embedded.child import free_port
from tests.services.delay_in_dramatiq import NAMESPACE, declare
from tests.services.processes import ROOT, eventually, worker
from tests.services.timer_fire import all_fired, burn, schedule, violations, what_is_wrong

LATE_SECONDS_MAX = 5.0
"""A worker looks every second; this leaves room for a slow machine, and none for a wait for Redis."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.slow
@pytest.mark.anyio
async def test_every_timer_fires_once_and_none_early_while_everything_is_killed():
    """The short form of `python -m tests.services.timer_fire`."""
    fires = await burn(kills=16, timers=600, seconds=20)
    assert set(fires) == {"worker", "postgres", "redis"}


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize(
    "is_named", [False, True], ids=["no Redis is named", "the one that is named never answers"]
)
async def test_without_redis_for_the_whole_run_every_timer_fires_once_and_on_time(database, tmp_path, is_named):
    redis_url = f"redis://127.0.0.1:{free_port()}/0" if is_named else None
    wanted = await schedule(database.service, timers=120, seconds=3, chance=Random(16))  # noqa: S311
    with worker(tmp_path, database.service, redis_url), worker(tmp_path, database.service, redis_url):
        assert await asyncio.to_thread(all_fired, database.service)
    wrong, late = await what_is_wrong(database.service, wanted)
    assert (wrong, len(late)) == ([], 120)
    assert max(late) < LATE_SECONDS_MAX


def test_the_checker_finds_what_is_lost_doubled_early_and_made_up():
    due = {"a": 1_000_000, "b": 2_000_000, "c": 3_000_000}
    assert violations(due, [("a", 1_000_100), ("b", 2_500_000), ("c", 3_000_000)]) == []
    assert violations(due, [("a", 1_000_000), ("a", 1_000_001), ("b", 1_000_000), ("d", 9)]) == [
        "13: a fired 2 times",
        "13: c fired 0 times",
        "13: d was never scheduled",
        "13: b fired 1000000 µs too early",
    ]


@pytest.mark.slow
def test_delays_that_are_kept_in_dramatiq_are_lost_with_the_worker_and_the_checker_says_so(redis_url, tmp_path):
    """Negative control: timers as delayed messages of Dramatiq as it comes, and one kill -9 of the worker."""
    fired = tmp_path / "fired.txt"
    fired.touch()
    broker = RedisBroker(url=redis_url, namespace=NAMESPACE)
    fire = declare(broker, fired)
    due = {}
    for nth in range(40):
        delay = 1_500 + 50 * nth
        due[f"timer-{nth}"] = time.time_ns() // 1000 + delay * 1000
        broker.enqueue(fire.message(f"timer-{nth}"), delay=delay)
    first = _worker(redis_url, fired)
    time.sleep(0.5)  # long enough to have fetched them all, and too short for any to be due
    _kill(first)
    second = _worker(redis_url, fired)
    try:
        late = 1.5 + 40 * 0.05 + 2
        eventually(lambda: not violations(due, _lines(fired)), late)
        wrong = violations(due, _lines(fired))
    finally:
        _kill(second)
        broker.flush("delayed")
        broker.close()
    assert len(wrong) > 10
    assert all("fired 0 times" in each for each in wrong)


def _worker(redis_url: str, fired: Path) -> "subprocess.Popen[bytes]":
    program = subprocess.Popen(  # noqa: S603 - this file's own words
        [sys.executable, "-m", "tests.services.delay_in_dramatiq", redis_url, str(fired)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == b"ready\n"
    return program


def _kill(program: "subprocess.Popen[bytes]") -> None:
    program.kill()
    program.communicate()


def _lines(fired: Path) -> list[tuple[str, int]]:
    pairs = [line.split() for line in fired.read_text("utf-8").splitlines()]
    return [(timer, int(at)) for timer, at in pairs]
