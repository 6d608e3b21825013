"""Who stops waiting for an answer stops, at whatever step of the event loop that is.

A feed whose client has hung up is ended so: a question that took the cancelling for an answer would leave the feed
open, with its member here, until the process ends.
"""

import asyncio
import signal
from typing import NamedTuple
from uuid import UUID

import pytest

from domain.ids import AccountId, CampaignId
from domain.presence import Here
from infra.embedded.valkey import EmbeddedValkey
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import Statement
from infra.redis.presence import RedisPresence
from infra.redis.rate_counter import RedisRateCounter
from tests.engines import DatabaseUrls, engine_folder

pytestmark = pytest.mark.anyio

STEPS_MAX = 60
"""Of the event loop, within which each question here is answered more than once."""
SECONDS_MAX = 10.0
CAMPAIGN, ANA = CampaignId(UUID(int=7)), AccountId(UUID(int=1))
ONE = Statement("SELECT 1")


async def asking_presence(engines):
    async with RedisPresence(engines.redis_url) as presence:
        await presence.renew(CAMPAIGN, ANA, "a", 90, 30)
        yield lambda: presence.present(CAMPAIGN)
        yield lambda: presence.renew(CAMPAIGN, ANA, "a", 90, 30)
        yield lambda: presence.close(CAMPAIGN, ANA, "a")


async def asking_rates(engines):
    async with RedisRateCounter(engines.redis_url) as rates:
        yield lambda: rates.count("somebody", 60)
        yield lambda: rates.remembers("somebody")
        yield lambda: rates.remember("somebody", 60)


async def asking_the_database(engines):
    async with Database(engines.database.service, readers=1) as connections:
        yield lambda: connections.read(ONE, list)
        yield lambda: connections.execute(ONE, list)


class Engines(NamedTuple):
    database: DatabaseUrls
    redis_url: str


async def ends_when_cancelled_after(steps, ask):
    async def asking():
        while True:
            await ask()
            await asyncio.sleep(0)  # also where nobody is asked, since Redis is away

    task = asyncio.create_task(asking())
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    done, left = await asyncio.wait({task}, timeout=SECONDS_MAX)
    while left:  # this cancelling may be lost, too
        task.cancel()
        _, left = await asyncio.wait({task}, timeout=0.01)
    return task in done


@pytest.mark.parametrize("questions", [asking_presence, asking_rates, asking_the_database])
async def test_a_question_ends_at_whatever_step_it_is_cancelled(database, redis_url, questions):
    async for ask in questions(Engines(database, redis_url)):
        await ask()
        for steps in range(STEPS_MAX):
            assert await ends_when_cancelled_after(steps, ask), steps


async def test_a_redis_that_falls_silent_is_not_waited_for():
    with engine_folder() as folder, EmbeddedValkey.start(folder) as engine:
        async with RedisPresence(engine.url) as presence, RedisRateCounter(engine.url) as rates:
            await presence.renew(CAMPAIGN, ANA, "a", 90, 30)
            await rates.count("somebody", 3600)
            engine.process.send_signal(signal.SIGSTOP)
            try:
                async with asyncio.timeout(SECONDS_MAX):
                    assert await presence.present(CAMPAIGN) == {ANA: Here(90)}
                    assert (await rates.count("somebody", 3600))[0] == 2
            finally:
                engine.process.send_signal(signal.SIGCONT)
