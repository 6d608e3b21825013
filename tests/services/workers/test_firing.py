"""What is owed happens once, whoever does it; what cannot happen is parked and let alone (invariants 13 to 16)."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from domain.campaign import aggregate as campaign_rules
from domain.campaign.commands import AddNote
from domain.rejection import Rejection
from services.workers.timer_worker import TimerWorker
from tests.doubles import timer_store
from tests.services.campaign_followed import CampaignFollowed, Worker, followed_in, timers_beside

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "postgres"])
async def campaign(request: pytest.FixtureRequest) -> AsyncIterator[CampaignFollowed]:
    async with followed_in(request.param, lambda: request.getfixturevalue("database").service) as found:
        yield found


@pytest.fixture
async def in_memory() -> AsyncIterator[CampaignFollowed]:
    async with followed_in("memory", str) as found:
        yield found


def firing(campaign: CampaignFollowed) -> TimerWorker:
    """A worker process of its own."""
    worker = Worker(campaign.log, campaign.views)
    return TimerWorker(timers_beside(campaign.log), worker.handler)


async def fired(worker: TimerWorker) -> int:
    """How many timers a worker finds. The service's clock may be a millisecond ahead of the database's."""
    async with asyncio.timeout(5):
        while not (count := await worker.once()):  # noqa: ASYNC110 - a clock rings no bell
            await asyncio.sleep(0.001)
    return count


async def paid(campaign: CampaignFollowed) -> list[int]:
    return sorted(amount for _, _, amount in await campaign.payouts())


async def test_a_worker_finds_what_is_owed_by_itself_and_leaves_nothing_behind(campaign):
    await campaign.mission("Salvage", mara=400, ines=300, olaf=200)
    timers = timers_beside(campaign.log)
    assert len(await timers.of(campaign.id)) == 3
    assert await fired(firing(campaign)) == 3
    assert await paid(campaign) == [200, 300, 400]
    assert await timers.of(campaign.id) == []


async def test_four_workers_that_race_make_each_thing_happen_once(campaign):
    workers = [firing(campaign) for _ in range(4)]
    for number in range(5):
        await campaign.mission(f"Mission {number}", mara=100 + number, ines=10 + number)
        await asyncio.gather(*(worker.once() for worker in workers))
    while await timers_beside(campaign.log).of(campaign.id):
        await asyncio.gather(*(worker.once() for worker in workers))
    await campaign.worker.catch_up.campaign(campaign.id)
    assert await paid(campaign) == [10, 11, 12, 13, 14, 100, 101, 102, 103, 104]
    assert await timers_beside(campaign.log).of(campaign.id) == []


async def test_what_cannot_happen_is_parked_after_five_attempts_and_tried_again_when_asked(in_memory, monkeypatch):
    monkeypatch.setattr(timer_store, "AGAIN_MICROSECONDS", 0)
    await in_memory.mission("Salvage", mara=400, ines=300)
    decide = campaign_rules.decide

    def poisoned(state: Any, asked: Any, dice: Any) -> Any:
        if getattr(asked.command, "pilot", None) == in_memory.pilots["mara"]:
            raise Rejection("not_now", "The rules say no.")
        return decide(state, asked, dice)

    monkeypatch.setattr(campaign_rules, "decide", poisoned)
    timers, worker = timers_beside(in_memory.log), firing(in_memory)
    for _ in range(20):
        await worker.once()
        await worker._handler.close()  # failures are counted in the background
    assert await paid(in_memory) == [300], "one that fails does not stop the others"
    [parked] = await timers.of(in_memory.id)
    assert (parked.attempts, parked.error) == (5, "The rules say no.")
    await in_memory.act("ana", AddNote("people go on"))
    monkeypatch.setattr(campaign_rules, "decide", decide)
    assert await worker.once() == 0
    assert await timers.retry(in_memory.id, parked.timer.cause, parked.timer.subject)
    assert await worker.once() == 1
    assert await paid(in_memory) == [300, 400]


async def test_a_timer_that_nothing_is_owed_for_is_taken_out(campaign):
    """An old backup of one table, or a rule that changed: the state decides what is owed."""
    concluded = await campaign.mission("Salvage", mara=400)
    timers = timers_beside(campaign.log)
    [kept] = await timers.of(campaign.id)
    await fired(firing(campaign))
    assert await timers.replace(campaign.id, concluded["seq"] + 1, [kept.timer])
    assert await fired(firing(campaign)) == 1
    assert await timers.of(campaign.id) == []
    assert await paid(campaign) == [400]


async def test_a_timer_that_is_missing_comes_back_when_the_campaign_is_loaded_and_goes_on(campaign):
    concluded = await campaign.mission("Salvage", mara=400)
    timers = timers_beside(campaign.log)
    assert await timers.replace(campaign.id, concluded["seq"], [])
    campaign.worker = Worker(campaign.log, campaign.views)
    await campaign.act("ana", AddNote("the next evening"))
    assert await fired(firing(campaign)) == 1
    assert await paid(campaign) == [400]
