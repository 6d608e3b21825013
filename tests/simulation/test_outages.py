"""Outages of PostgreSQL and Redis end by themselves, whatever clients do. The drivers meet models of servers."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from unittest.mock import patch

import pytest
import structlog
from structlog.testing import capture_logs

from domain.event_store_types import DatabaseUnavailable
from infra.outage_log import Outage
from infra.postgres.driver.database import Database
from infra.postgres.driver.server_watchdog import Watchdog
from infra.postgres.driver.statements import Statement
from infra.postgres.driver.wait_limits import Wait
from infra.redis.circuit_breaker import ANSWER_SECONDS_MAX, UNAVAILABLE_SECONDS, CircuitBreaker
from tests.simulation.loop import SimulatedLoop, a_loop
from tests.simulation.model_server import ModelServer, State, in_place_of_postgres

ONE = Statement("SELECT 1")
BACK_SECONDS_MAX = 1.0
"""From the server's return on, the service has so long to know of it."""

Pause = Callable[[Random], float]

CLIENTS: dict[str, Pause] = {
    "that wait the second they are told": lambda _: 1.0,
    "that wait as they are told, spread out": lambda chance: chance.randint(1, 3),
    "that ask five times a second": lambda chance: chance.uniform(0.1, 0.3),
    "that hardly wait": lambda _: 0.05,
}

OUTAGES: list[State] = ["starting", "silent", "read only"]


async def ask_without_end(
    loop: SimulatedLoop, database: Database, chance: Random, pause: Pause, request_seconds: float
) -> None:
    await asyncio.sleep(chance.uniform(0.0, 1.0))
    while True:
        loop.pass_time(request_seconds)
        try:
            await database.execute(ONE, tuple)
        except DatabaseUnavailable as failure:
            database.missed(failure)
        await asyncio.sleep(pause(chance))


def seconds_until_known(
    seed: int,
    state: State,
    clients: int,
    pause: Pause,
    connections_max: int = 100,
    request_seconds: float = 0.0,
) -> float:
    """How long after the server's return the service takes it for well, and goes on doing so for 2 s.

    `request_seconds`: so long each request keeps the event loop.
    """
    chance = Random(seed)  # noqa: S311 — chance from a seed is what is wanted
    server = ModelServer(chance, connections_max)

    async def play() -> float:
        clock = asyncio.get_running_loop().time
        async with Database("", readers=4, writers=3) as database:
            each = (loop, database, chance, pause, request_seconds)
            asking = [asyncio.create_task(ask_without_end(*each)) for _ in range(clients)]
            try:
                await asyncio.sleep(chance.uniform(1.0, 2.0))
                assert await database.check(1) is None
                server.break_off(state)
                await asyncio.sleep(chance.uniform(0.1, 6.0))
                server.become("up")
                back_at = clock()
                async with asyncio.timeout(30):
                    while await database.check(1) is not None:  # noqa: ASYNC110 — asked as a balancer asks
                        await asyncio.sleep(0.01)
                known_at = clock()
                while clock() < known_at + 2.0:
                    assert await database.check(1) is None, "known to be well, and away again"
                    await asyncio.sleep(0.02)
            finally:
                for client in asking:
                    client.cancel()
                await asyncio.gather(*asking, return_exceptions=True)
        return known_at - back_at

    with a_loop(chance, "as asyncio") as loop, in_place_of_postgres(server), capture_logs():
        return loop.run_until_complete(play())


@pytest.mark.parametrize("state", OUTAGES)
@pytest.mark.parametrize("behaviour", CLIENTS)
def test_the_service_is_back_within_a_second_of_its_database_whatever_asks(state, behaviour):
    assert seconds_until_known(1, state, 1, CLIENTS[behaviour]) <= BACK_SECONDS_MAX
    assert seconds_until_known(2, state, 150, CLIENTS[behaviour]) <= BACK_SECONDS_MAX


@pytest.mark.slow
def test_that_holds_for_outages_and_returns_at_any_moment():
    chance = Random(3)  # noqa: S311
    late = []
    for seed in range(100):
        state, behaviour = chance.choice(OUTAGES), chance.choice([*CLIENTS])
        clients, connections_max = chance.choice([5, 20, 150]), chance.choice([9, 100])
        seconds = seconds_until_known(seed, state, clients, CLIENTS[behaviour], connections_max)
        if seconds > BACK_SECONDS_MAX:
            late.append((seed, state, behaviour, clients, connections_max, seconds))
    assert late == []


@pytest.mark.parametrize("state", OUTAGES)
def test_five_hundred_clients_do_not_keep_a_server_away_that_has_little_room(state):
    pause = CLIENTS["that ask five times a second"]
    assert seconds_until_known(7, state, 500, pause, connections_max=9) <= BACK_SECONDS_MAX


TURN_SECONDS = 1.0
TURNS_MAX = 20
"""Connecting and one answer take about ten."""


def seconds_until_known_by_a_full_loop(seed: int, state: State) -> float:
    """The same for a loop that has more to do than there is time: one turn of it takes a second."""
    pause = CLIENTS["that ask five times a second"]
    return seconds_until_known(seed, state, 500, pause, request_seconds=TURN_SECONDS / 500)


@pytest.mark.parametrize("state", ["starting", "silent"])
def test_a_loop_that_is_full_of_refusals_keeps_no_server_away(state):
    assert seconds_until_known_by_a_full_loop(8, state) <= BACK_SECONDS_MAX + TURNS_MAX * TURN_SECONDS


def test_a_full_loop_is_told_as_an_overload_and_not_as_a_server_that_is_away():
    chance = Random(9)  # noqa: S311
    server = ModelServer(chance, connections_max=100)

    async def codes(loop: SimulatedLoop) -> set[str | None]:
        async def keep_the_loop() -> None:
            while True:
                loop.pass_time(0.5)
                await asyncio.sleep(0)

        async with Database("", readers=1, writers=1) as database:
            assert await database.check(0.7) is None
            keeping = asyncio.create_task(keep_the_loop())
            told = {await database.check(0.7) for _ in range(20)}
            keeping.cancel()
        return told

    with a_loop(chance, "as asyncio") as loop, in_place_of_postgres(server), capture_logs() as lines:
        assert loop.run_until_complete(codes(loop)) == {None, "overloaded"}
    assert lines == []


def test_a_loop_whose_lost_time_counts_against_the_server_keeps_it_away():
    """The control."""

    def count_all(self: Wait) -> None:
        self._patience.left -= self._loop.time() - self._began

    with patch.object(Wait, "_count", count_all), pytest.raises(TimeoutError):
        seconds_until_known_by_a_full_loop(8, "starting")


def test_an_outage_that_counts_its_own_refusals_does_not_end():
    """The control: each refusal doubts the server anew."""

    def doubt_always(self: Watchdog, _: DatabaseUnavailable) -> None:
        self._doubt()
        self._recover()

    with patch.object(Watchdog, "missed", doubt_always), suppress(TimeoutError):
        seconds = seconds_until_known(1, "starting", 150, CLIENTS["that ask five times a second"])
        assert seconds > BACK_SECONDS_MAX


class ModelRedis:
    """Answers after a moment, or not at all."""

    def __init__(self) -> None:
        self.answers = True
        self.questions = 0

    async def ask(self) -> bool:
        self.questions += 1
        await asyncio.sleep(0.001 if self.answers else 60)
        return True


def test_while_redis_is_silent_one_question_a_second_tries_it_and_it_is_back_within_another():
    chance = Random(4)  # noqa: S311
    redis = ModelRedis()

    async def play() -> None:
        clock = asyncio.get_running_loop().time
        breaker = CircuitBreaker(Outage(structlog.get_logger(), "away", "back"))

        async def ask_without_end() -> None:
            while True:
                await breaker.ask(redis.ask)
                await asyncio.sleep(chance.uniform(0.0, 0.2))

        asking = [asyncio.create_task(ask_without_end()) for _ in range(200)]
        await asyncio.sleep(2.0)
        redis.answers = False
        await asyncio.sleep(1.0)
        before = redis.questions
        await asyncio.sleep(10.0)
        assert redis.questions - before <= 11
        redis.answers = True
        back_at = clock()
        while not await breaker.ask(redis.ask):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert clock() - back_at <= ANSWER_SECONDS_MAX + UNAVAILABLE_SECONDS
        for client in asking:
            client.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    with a_loop(chance, "as asyncio") as loop, capture_logs():
        loop.run_until_complete(play())


def test_a_question_that_redis_lost_before_it_answered_others_does_not_switch_it_off():
    redis = ModelRedis()

    async def play() -> None:
        breaker = CircuitBreaker(Outage(structlog.get_logger(), "away", "back"))
        redis.answers = False
        lost = asyncio.create_task(breaker.ask(redis.ask))
        await asyncio.sleep(0.1)
        redis.answers = True
        assert await breaker.ask(redis.ask)
        assert await lost is None
        assert await breaker.ask(redis.ask)

    with a_loop(Random(5), "as asyncio") as loop, capture_logs():  # noqa: S311
        loop.run_until_complete(play())
