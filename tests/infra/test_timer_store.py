"""Timers: the same promises in PostgreSQL and in memory (invariants 13 to 16)."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.event_store_types import NEVER, EventBatch, KeptTimer, Timer
from domain.ids import ActionId, CampaignId
from domain.worker_shares import WHOLE
from infra.postgres import timer_store as in_postgres
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.timer_store import PostgresTimerStore
from tests.doubles import timer_store as in_memory
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.timer_store import MemoryTimerStore
from tests.infra.log_entries import batch_after, head_at, new_campaign, wall_clock

pytestmark = pytest.mark.anyio
HOUR = 3_600_000_000
CAUSE = ActionId(uuid4())


class Store(NamedTuple):
    log: Any
    timers: Any


@pytest.fixture(params=["memory", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "memory":
        log = MemoryEventStore(wall_clock)
        yield Store(log, MemoryTimerStore(log, wall_clock))
        return
    urls = request.getfixturevalue("database")
    async with Database(urls.service, readers=4, application_name="timers") as connections:
        yield Store(PostgresEventStore(connections), PostgresTimerStore(connections))


def timer(subject: str, wake_at: int | None = None, clock: Any = "real") -> Timer:
    """A timer that is due, or at some other moment."""
    at = wall_clock() - 1 if wake_at is None else wake_at
    return Timer(CAUSE, subject, clock, 7 if clock == "game" else at, at)


async def with_timers(store: Store, *timers: Timer) -> tuple[CampaignId, EventBatch]:
    """A campaign that owes these, and its batch."""
    campaign_id = new_campaign()
    batch = replace(batch_after(campaign_id), timers=list(timers))
    assert [each.status for each in await store.log.append([batch])] == ["committed"]
    return campaign_id, batch


async def claimed(store: Store, limit: int = 10) -> list[str]:
    return [each.subject for each in (await store.timers.claim(limit))[1]]


async def kept(store: Store, campaign_id: CampaignId) -> list[Timer]:
    return [each.timer for each in await store.timers.of(campaign_id)]


async def test_what_an_append_says_is_owed_is_kept_changed_and_taken_out_with_it(store):
    later, never = timer("later", wall_clock() + HOUR), timer("healing", NEVER, "game")
    campaign_id, batch = await with_timers(store, later, never)
    assert await kept(store, campaign_id) == [later, never]
    sooner = timer("later", wall_clock() + HOUR // 2)
    again = batch_after(campaign_id, head_at(batch.events[-1]))
    changed = replace(again, timers=[sooner], fired=[(CAUSE, "healing"), (CAUSE, "not there")])
    assert [each.status for each in await store.log.append([changed])] == ["committed"]
    assert await kept(store, campaign_id) == [sooner]


async def test_a_chunk_that_is_not_written_leaves_timers_as_they_are(store):
    """Invariant 15, the other way round."""
    due = timer("due", wall_clock() + HOUR)
    campaign_id, _ = await with_timers(store, due)
    stale = replace(batch_after(campaign_id), timers=[timer("other")], fired=[(CAUSE, "due")])
    assert [each.status for each in await store.log.append([stale])] == ["version_conflict"]
    assert await kept(store, campaign_id) == [due]


async def test_only_what_is_due_is_given_out_oldest_first_and_to_one_worker_only(store):
    now = wall_clock()
    owed = [timer("third", now - 1), timer("first", now - 3), timer("second", now - 2)]
    waiting = [timer("later", now + HOUR), timer("calendar", NEVER, "game")]
    campaign_id, _ = await with_timers(store, *owed, *waiting)
    seen, due = await store.timers.claim(2)
    assert [(each.campaign_id, each.cause) for each in due] == [(campaign_id, CAUSE)] * 2
    assert [each.subject for each in due] == ["first", "second"]
    assert all(0 < each.late < HOUR for each in due)
    assert abs(seen - now) < HOUR
    assert await claimed(store) == ["third"]
    assert await store.timers.claim(10) == (0, [])


async def test_several_workers_share_a_herd_without_overlap(store):
    await with_timers(store, *(timer(f"timer {nth:03}") for nth in range(200)))
    shares = await asyncio.gather(*(claimed(store, 40) for _ in range(8)))
    found = [subject for share in shares for subject in share]
    assert len(found) == len(set(found)) == 200


async def test_of_a_share_only_what_is_late_enough_is_given_out_and_the_rest_is_left(store):
    now = wall_clock()
    campaign_id, _ = await with_timers(store, timer("later", now - 1), timer("sooner", now - HOUR))
    share = bytearray(WHOLE)
    share[campaign_id.bytes[-1] // 8] &= ~(1 << campaign_id.bytes[-1] % 8)
    assert await store.timers.claim(10, bytes(share)) == (0, [])
    backlog = await store.timers.backlog(bytes(share))
    assert (backlog.due, backlog.next_in_share) == (2, None)
    assert (await store.timers.backlog()).next_in_share <= -HOUR
    other, _ = await with_timers(store, timer("another", now - 2))
    only_it = bytearray(len(WHOLE))
    only_it[other.bytes[-1] // 8] |= 1 << other.bytes[-1] % 8
    assert (await store.timers.backlog(bytes(only_it))).next_in_share < 0
    _, late = await store.timers.claim(10, late=HOUR)
    assert [each.subject for each in late] == ["sooner"]
    _, own = await store.timers.claim(10, bytes(only_it))
    assert "another" in {each.subject for each in own}
    assert {each.campaign_id for each in own} <= {other, campaign_id}


async def test_what_a_dead_worker_had_claimed_is_given_out_again(store, monkeypatch):
    for module in (in_memory, in_postgres):
        monkeypatch.setattr(module, "LEASE_MICROSECONDS", 0)
    await with_timers(store, timer("due"))
    assert await claimed(store) == ["due"]
    assert await claimed(store) == ["due"]


async def test_a_timer_that_fails_five_times_is_parked_until_somebody_retries_it(store, monkeypatch):
    for module in (in_memory, in_postgres):
        monkeypatch.setattr(module, "AGAIN_MICROSECONDS", 0)
    campaign_id, _ = await with_timers(store, timer("poison"))
    for attempt in range(1, 5):
        assert await claimed(store) == ["poison"]
        assert await store.timers.failed(campaign_id, CAUSE, "poison", f"attempt {attempt}") == attempt
    assert (await store.timers.backlog()).parked == 0
    assert await store.timers.failed(campaign_id, CAUSE, "poison", "too often") == 5
    [parked] = await store.timers.of(campaign_id)
    assert (parked.attempts, parked.error, parked.parked_at is not None) == (5, "too often", True)
    assert await claimed(store) == []
    assert await store.timers.failed(campaign_id, CAUSE, "poison", "again") == 0
    backlog = await store.timers.backlog()
    assert (backlog.due, backlog.next_in, backlog.parked) == (0, None, 1)
    assert await store.timers.retry(campaign_id, CAUSE, "poison")
    assert not await store.timers.retry(campaign_id, CAUSE, "poison"), "it has not failed since"
    assert await claimed(store) == ["poison"]
    assert not await store.timers.retry(campaign_id, CAUSE, "nobody's")


async def test_failures_wait_twice_as_long_each_time(store):
    campaign_id, _ = await with_timers(store, timer("poison"))
    for seconds in (1, 2, 4, 8):
        await store.timers.failed(campaign_id, CAUSE, "poison", "no")
        [now] = await kept(store, campaign_id)
        assert abs(now.wake_at - wall_clock() - seconds * 1_000_000) < 500_000


async def test_the_backlog_tells_what_is_due_and_how_long_until_the_next(store):
    assert (await store.timers.backlog()).next_in is None
    await with_timers(store, timer("later", wall_clock() + HOUR), timer("calendar", NEVER, "game"))
    backlog = await store.timers.backlog()
    assert (backlog.due, backlog.parked) == (0, 0)
    assert HOUR - 5_000_000 < backlog.next_in <= HOUR
    await with_timers(store, timer("due", wall_clock() - HOUR))
    backlog = await store.timers.backlog()
    assert backlog.due == 1
    assert -HOUR - 5_000_000 < backlog.next_in <= -HOUR


async def test_timers_are_rebuilt_only_while_the_log_ends_where_they_were_worked_out(store):
    stays, goes = timer("stays", wall_clock() + HOUR), timer("goes", wall_clock() + HOUR)
    campaign_id, batch = await with_timers(store, stays, goes)
    await store.timers.failed(campaign_id, CAUSE, "stays", "once")
    seq = batch.events[-1].seq
    new = timer("new", wall_clock() + 2 * HOUR)
    assert not await store.timers.replace(campaign_id, seq + 1, [new])
    assert await store.timers.replace(campaign_id, seq, [stays, new])
    found: dict[str, KeptTimer] = {each.timer.subject: each for each in await store.timers.of(campaign_id)}
    assert {subject: each.attempts for subject, each in found.items()} == {"stays": 1, "new": 0}
    assert await store.timers.replace(campaign_id, seq, [])
    assert await store.timers.of(campaign_id) == []


async def test_what_sleeps_though_it_is_due_is_woken_by_a_rebuild(store):
    asleep, awake = timer("due", NEVER, "game"), timer("due", wall_clock() - HOUR, "game")
    campaign_id, batch = await with_timers(store, replace(asleep, due=awake.due))
    assert (await store.timers.claim(9))[1] == []
    assert await store.timers.replace(campaign_id, batch.events[-1].seq, [awake])
    assert [each.subject for each in (await store.timers.claim(9))[1]] == ["due"]
