"""Tails of many campaigns are read in groups, and each is what its campaign has."""

import asyncio

import pytest

from domain.event_store_types import DatabaseUnavailable
from services.campaign.tail_reader import EVENTS_MAX, GROUP_MAX, TailReader
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import batch_after, new_campaign, wall_clock

pytestmark = pytest.mark.anyio


class GatedLog(MemoryEventStore):
    """Notes what is read together, and lets nothing be read before the gate is open."""

    def __init__(self):
        super().__init__(wall_clock)
        self.gate = asyncio.Event()
        self.groups = []
        self.is_away = False

    async def tails(self, wanted, limit):
        self.groups.append([campaign for campaign, _ in wanted])
        await self.gate.wait()
        if self.is_away:
            raise DatabaseUnavailable("PostgreSQL cannot be reached")
        return await super().tails(wanted, limit)


async def turns():
    """Let everything go on that can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def wanting(log, lengths):
    """New campaigns of so many events, and a task for each that reads all of them."""
    batches = [batch_after(new_campaign(), events=length) for length in lengths]
    await log.append(batches)
    reader = TailReader(log)
    tasks = []
    for batch in batches:
        tasks.append(asyncio.create_task(reader.tail(batch.campaign_id, 0)))
        await turns()
    return batches, tasks


async def test_what_is_wanted_during_a_reading_is_read_together_afterwards():
    log = GatedLog()
    batches, tasks = await wanting(log, [1, 2, 3, 4])
    log.gate.set()
    assert await asyncio.gather(*tasks) == [batch.events for batch in batches]
    first, *others = [batch.campaign_id for batch in batches]
    assert log.groups == [[first], others]


async def test_no_group_is_larger_than_its_limit():
    log = GatedLog()
    batches, tasks = await wanting(log, [1] * (GROUP_MAX + 2))
    log.gate.set()
    assert await asyncio.gather(*tasks) == [batch.events for batch in batches]
    assert [len(group) for group in log.groups] == [1, GROUP_MAX, 1]


@pytest.mark.parametrize("length", [EVENTS_MAX - 1, EVENTS_MAX, EVENTS_MAX + 1, 3 * EVENTS_MAX])
async def test_a_tail_longer_than_a_group_reads_comes_whole(length):
    log = GatedLog()
    log.gate.set()
    [batch], [task] = await wanting(log, [length])
    assert await task == batch.events


async def test_a_failure_reaches_all_of_its_group_and_nobody_else():
    log = GatedLog()
    log.is_away = True
    batches, tasks = await wanting(log, [1, 2, 3])
    log.gate.set()
    failures = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(failure) for failure in failures] == [DatabaseUnavailable] * 3
    log.is_away = False
    assert await TailReader(log).tail(batches[0].campaign_id, 0) == batches[0].events


async def test_who_gives_up_waiting_holds_nobody_back():
    log = GatedLog()
    batches, tasks = await wanting(log, [1, 2, 3])
    tasks[0].cancel()
    tasks[1].cancel()
    log.gate.set()
    assert await tasks[2] == batches[2].events
