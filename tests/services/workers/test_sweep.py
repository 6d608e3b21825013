"""The sweep and the waking of workers by themselves: nothing is lost, nothing spins, nothing is said twice."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
import redis
import structlog
from dramatiq.broker import MessageProxy
from dramatiq.errors import ConnectionClosed
from msgspec.structs import replace
from prometheus_client import REGISTRY

from domain.campaign.commands import AddNote
from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import DatabaseUnavailable, LockTimeout
from domain.ids import CampaignId
from domain.stored_view_types import Progress
from infra.machine.entropy import MachineEntropy, machine_clock
from infra.outage_log import Outage
from infra.redis.actors import ACTORS, wake_up
from infra.redis.broker import WAITING_MAX, WAKE_UP_KEY, answer_wake_up, claim_wake_up, make_broker
from infra.redis.worker_notifier import WorkerNotifier
from services.runtime.lag_metrics import BEHIND, measured
from services.settings import Settings
from services.wiring.dramatiq_setup import worker_notifier
from services.workers import projection_worker as sweeping
from services.workers import projector as catching_up
from services.workers.ledger_audit_worker import LedgerAuditWorker
from services.workers.projection_fingerprint import views_digest
from services.workers.projection_worker import ProjectionWorker
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.ledger_check_store import MemoryLedgerCheckStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.services.campaign_followed import CampaignFollowed, followed_in, no_views
from tests.services.processes import eventually

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def lines() -> Iterator[list[Any]]:
    with structlog.testing.capture_logs() as said:
        yield said


class Behind:
    """Stored views of campaigns that are behind, and what happens to who tries to catch each up."""

    def __init__(self, *campaigns: int) -> None:
        self.campaigns = {CampaignId(UUID(int=each << 96)): 1 for each in campaigns}
        self.troubles: dict[CampaignId, Exception] = {}
        self.tried: list[int] = []
        self.away: Exception | None = None
        self.asked = 0

    async def progress(self, _form: str) -> Progress:
        self.asked += 1
        if self.away is not None:
            raise self.away
        return Progress(len(self.campaigns), None)

    async def check(self, _seconds_max: float) -> str | None:
        return None if self.away is None else "database_away"

    async def lagging(self, first: UUID, limit: int, **_: Any) -> list[CampaignId]:
        return sorted(each for each in self.campaigns if each >= first)[:limit]

    async def step(self, campaign_id: CampaignId) -> int:
        self.tried.append(campaign_id.int >> 96)
        if campaign_id in self.troubles:
            raise self.troubles[campaign_id]
        return self.campaigns.pop(campaign_id, 0)

    def poison(self, campaign: int, trouble: Exception) -> None:
        self.troubles[CampaignId(UUID(int=campaign << 96))] = trouble

    def sweep(self, monotonic: Callable[[], float] = time.monotonic) -> Any:
        parts: tuple[Any, Any] = (self, self)
        return ProjectionWorker(*parts, MachineEntropy(), self.check, monotonic)


def fail(away: DatabaseUnavailable) -> None:
    raise away


async def sound(_: float) -> None:
    """What a check of a database finds that is there."""


async def test_a_poisoned_campaign_never_keeps_another_one_waiting():
    """Wherever in the ids a sweep begins, it goes round to where it began."""
    for _ in range(50):
        behind = Behind(1, 2**31, 2**32 - 1)
        behind.poison(2**32 - 1, ValueError("poison"))
        behind.poison(2**31, DatabaseUnavailable("a statement that takes too long"))
        await behind.sweep().once()
        assert {each.int >> 96 for each in behind.campaigns} == {2**31, 2**32 - 1}


async def test_what_fails_is_left_alone_for_longer_and_longer_and_never_for_good():
    now = 0.0
    behind = Behind(1)
    behind.poison(1, ValueError("poison"))
    sweep = behind.sweep(lambda: now)
    tries = []
    for second in range(400):
        now = float(second)
        assert await sweep.once() == 0
        tries.append(len(behind.tried))
    assert [tries[at] for at in (0, 1, 3, 7, 15, 31, 63, 123)] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert tries[-1] == tries[123] + 4  # once a minute from there on
    behind.troubles.clear()
    now += 60
    assert await sweep.once() == 1


async def test_a_lock_that_another_holds_is_one_line_and_no_failure(lines):
    now, failed = 0.0, REGISTRY.get_sample_value("fieldlog_catch_up_failures_total")
    behind = Behind(1)
    behind.poison(1, LockTimeout("PostgreSQL gave up waiting"))
    sweep = behind.sweep(lambda: now)
    assert await sweep.once() == 0
    [line] = lines
    assert (line["event"], line["log_level"]) == ("catch_up_delayed", "warning")
    assert "exc_info" not in line
    assert REGISTRY.get_sample_value("fieldlog_catch_up_failures_total") == failed
    behind.troubles.clear()
    now = 1.0
    assert await sweep.once() == 1
    behind = Behind(1)
    behind.poison(1, DatabaseUnavailable("a statement that takes too long"))
    await behind.sweep().once()
    assert (lines[-1]["event"], "exc_info" in lines[-1]) == ("catch_up_failed", True)


async def test_failures_are_forgotten_once_nothing_is_behind():
    behind = Behind(1)
    behind.poison(1, ValueError("poison"))
    sweep = behind.sweep()
    await sweep.once()
    assert sweep._failures
    behind.campaigns.clear()  # another worker could do it
    await sweep.once()
    assert not sweep._failures


async def test_an_outage_of_the_database_is_reported_each_round_and_outlived(monkeypatch, lines):
    monkeypatch.setattr(ProjectionWorker, "again_seconds", 0.001)
    behind = Behind(1, 2)
    behind.away = DatabaseUnavailable("gone")
    missed: list[DatabaseUnavailable] = []
    sweep = behind.sweep()
    running = asyncio.create_task(sweep.run(missed.append))
    await until(lambda: behind.asked > 20)
    behind.away = None
    await until(lambda: not behind.campaigns)
    sweep.stop()
    await running
    assert len(missed) > 1
    assert lines == []


async def test_a_ring_is_answered_at_once_also_when_it_comes_during_a_sweep(monkeypatch):
    monkeypatch.setattr(ProjectionWorker, "again_seconds", 3_600.0)
    behind = Behind(1)
    sweep = behind.sweep()
    step = behind.step

    async def ring_meanwhile(campaign_id: CampaignId) -> int:
        if behind.tried == []:
            behind.campaigns[CampaignId(UUID(int=7))] = 1
            sweep.wake()
        return await step(campaign_id)

    behind.step = ring_meanwhile  # type: ignore[method-assign]
    running = asyncio.create_task(sweep.run(fail))
    await until(lambda: not behind.campaigns)
    behind.campaigns[CampaignId(UUID(int=8))] = 1
    sweep.wake()
    await until(lambda: not behind.campaigns)
    sweep.stop()
    await running


async def test_stopping_waits_for_the_batch_at_hand_and_not_for_the_whole_campaign(monkeypatch):
    monkeypatch.setattr(catching_up, "BATCH_EVENTS", 1)
    async with followed_in("memory", str) as campaign:
        sweep = ProjectionWorker(campaign.views, campaign.worker.catch_up, MachineEntropy(), Behind().check)
        save = campaign.views.save

        async def save_then_stop(*arguments: Any, **options: Any) -> bool:
            sweep.stop()
            saved: bool = await save(*arguments, **options)
            return saved

        monkeypatch.setattr(campaign.views, "save", save_then_stop)
        await sweep.run(fail)
        reached = await campaign.views.caught_up(campaign.id)
        assert 0 < reached < (await campaign.log.head(campaign.id)).seq
        await follows_from_there(campaign)


@pytest.fixture(params=["memory", "postgres"])
async def campaign(request: pytest.FixtureRequest) -> AsyncIterator[CampaignFollowed]:
    async with followed_in(request.param, lambda: request.getfixturevalue("database").service) as found:
        yield found


async def of_long_ago(campaign: CampaignFollowed) -> None:
    """Another version of the code stored the campaign's views, and then nothing happened any more."""
    folds = await campaign.views.folds(campaign.id)
    at = folds[0].seq
    old = [replace(fold, form="of-long-ago", content=b"not even JSON") for fold in folds]
    erasures = await campaign.views.erasures(campaign.id)
    assert await campaign.views.save(campaign.id, (at, at), old, {}, erasures=erasures)


def told_behind() -> float:
    """What the gauge says."""
    [metric] = BEHIND.collect()
    return metric.samples[0].value


async def test_a_quiet_campaign_whose_views_are_of_another_form_is_told_of_and_made_again(campaign):
    for happens in campaign.evening():
        await happens()
    await campaign.worker.catch_up.campaign(campaign.id)
    sound = await views_digest(campaign.views, campaign.id)
    head = await campaign.log.head(campaign.id)
    await of_long_ago(campaign)
    progress = await measured(campaign.views)
    assert progress == Progress(0, None, 1)
    assert told_behind() == 1
    assert await campaign.everything_read(campaign.views) == await campaign.everything_read(no_views())
    sweep = ProjectionWorker(campaign.views, campaign.worker.catch_up, MachineEntropy(), Behind().check)
    assert await sweep.once() == 1  # it is taken back
    assert await campaign.everything_read(campaign.views) == await campaign.everything_read(no_views())
    assert await sweep.once() == 1  # and followed
    assert await sweep.once() == 0
    assert {fold.form for fold in await campaign.views.folds(campaign.id)} == {FORM}
    assert await views_digest(campaign.views, campaign.id) == sound
    assert await campaign.log.head(campaign.id) == head, "nothing had to happen for that"
    assert await measured(campaign.views) == Progress(0, None, 0)
    assert told_behind() == 0
    assert await campaign.everything_read(campaign.views) == await campaign.everything_read(no_views())


async def test_a_worker_that_dies_while_it_makes_views_again_leaves_them_to_the_next(campaign):
    await campaign.worker.catch_up.campaign(campaign.id)
    await of_long_ago(campaign)
    assert await ProjectionWorker(campaign.views, campaign.worker.catch_up, MachineEntropy(), sound).once() == 1
    assert await campaign.views.lagging(campaign.id, 1) == [campaign.id]
    next_one = ProjectionWorker(campaign.views, campaign.worker.catch_up, MachineEntropy(), sound)
    assert await next_one.once() == 1
    assert {fold.form for fold in await campaign.views.folds(campaign.id)} == {FORM}


async def test_workers_of_two_versions_do_not_take_back_each_others_views_for_ever():
    now = 0.0
    async with followed_in("memory", str) as campaign:
        await campaign.worker.catch_up.campaign(campaign.id)
        await of_long_ago(campaign)
        sweep = ProjectionWorker(campaign.views, campaign.worker.catch_up, MachineEntropy(), sound, lambda: now)
        made_again = 0
        for second in range(2 * 3_600 + 10):
            now = float(second)
            while await sweep.once():
                pass
            if (await campaign.views.folds(campaign.id))[0].form == FORM:
                made_again += 1
                await of_long_ago(campaign)
        assert made_again == 3, "at once, and hourly"


async def test_what_has_news_does_not_wait_until_all_views_of_another_form_are_made_again():
    log = MemoryEventStore(machine_clock)
    views = MemoryProjectionStore(log)
    campaigns = [await CampaignFollowed(log, views).found() for _ in range(12)]
    for each in campaigns:
        await each.worker.catch_up.campaign(each.id)
        await of_long_ago(each)
    sweep = ProjectionWorker(views, campaigns[0].worker.catch_up, MachineEntropy(), sound)
    await sweep.once()
    await campaigns[0].act("ana", AddNote("news"))
    await sweep.once()
    assert campaigns[0].id not in await views.lagging(UUID(int=0), 50)
    assert (await views.progress(FORM)).of_another_form >= 3
    while await sweep.once():
        pass
    assert await views.progress(FORM) == Progress(0, None, 0)


async def test_a_trickle_is_stored_in_batches_and_the_rest_of_it_once_the_campaign_is_quiet(monkeypatch):
    monkeypatch.setattr(sweeping, "LAG_EVENTS", 8)
    late = 0
    log = MemoryEventStore(lambda: machine_clock() + late)
    views = MemoryProjectionStore(log)
    campaign = await CampaignFollowed(log, views).found()
    sweep = ProjectionWorker(views, campaign.worker.catch_up, MachineEntropy(), sound, quiet_seconds=60)
    stored = []
    for _ in range(20):
        await campaign.act("ana", AddNote("news"))
        if await sweep.once():
            stored.append(await views.caught_up(campaign.id))
    assert [after - before for before, after in pairwise(stored)] == [8, 8]
    assert await campaign.everything_read(views) == await campaign.everything_read(no_views())
    assert await sweep.once() == 0
    late = 61_000_000
    assert await sweep.once() == 1
    assert await views.progress(FORM) == Progress(0, None, 0)


async def test_a_new_campaign_is_followed_at_once_so_that_its_ledger_is_checked_in_the_next_round():
    log = MemoryEventStore(machine_clock)
    views = MemoryProjectionStore(log)
    campaign = await CampaignFollowed(log, views).found()
    sweep = ProjectionWorker(views, campaign.worker.catch_up, MachineEntropy(), sound, quiet_seconds=60)
    accountant = LedgerAuditWorker(log, views, MemoryLedgerCheckStore(views, machine_clock), MachineEntropy())
    assert await accountant.once() == 0
    assert await sweep.once() == 1
    assert await accountant.once() == 1
    await campaign.act("ana", AddNote("news"))
    assert await sweep.once() == 0, "and from then on it is left until it is quiet"
    assert accountant.again_seconds <= 30


async def follows_from_there(campaign: CampaignFollowed) -> None:
    await campaign.act("ana", AddNote("goes on"))
    await campaign.worker.catch_up.campaign(campaign.id)
    assert await campaign.views.lagging(campaign.id, 1) == []


async def until(holds: Callable[[], bool], seconds_max: float = 10.0) -> None:
    async with asyncio.timeout(seconds_max):
        while not holds():  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(0.001)


# --- waking workers -------------------------------------------------------------------------------------------


class Sender:
    """Counts what is sent; while `held`, sending takes until it is let go."""

    def __init__(self) -> None:
        self.sent = 0
        self.failure: Exception | None = None
        self.free = threading.Event()
        self.free.set()

    def __call__(self) -> None:
        assert self.free.wait(10)
        if self.failure is not None:
            raise self.failure
        self.sent += 1


def notifier_to(sender: Sender) -> WorkerNotifier:
    return WorkerNotifier(sender, Outage(structlog.get_logger(), "doorbell_silent", "doorbell_heard"))


async def test_rings_that_come_while_one_is_sent_are_one_more():
    sender = Sender()
    notifier = notifier_to(sender)
    sender.free.clear()
    for _ in range(1_000):
        notifier.notify()
        await asyncio.sleep(0)
    sender.free.set()
    await notifier.close()
    assert sender.sent == 2


async def test_rings_soon_after_a_message_are_one_more():
    sender = Sender()
    notifier = notifier_to(sender)
    notifier.notify()
    await until(lambda: sender.sent == 1)
    for _ in range(1_000):
        notifier.notify()
        await asyncio.sleep(0)
    await notifier.close()
    assert sender.sent == 2


async def test_the_last_ring_before_closing_is_sent():
    sender = Sender()
    notifier = notifier_to(sender)
    notifier.notify()
    await notifier.close()
    assert sender.sent == 1


async def test_closing_does_not_try_for_long_when_nobody_hears():
    sender = Sender()
    notifier = notifier_to(sender)
    sender.failure = redis.ConnectionError("gone")
    sender.free.clear()
    notifier.notify()
    await asyncio.sleep(0)
    notifier.notify()
    sender.free.set()
    async with asyncio.timeout(5):
        await notifier.close()
    assert sender.sent == 0


async def test_an_outage_is_told_once_and_rings_are_heard_after_it(lines):
    sender = Sender()
    notifier = notifier_to(sender)
    for failure in (redis.ConnectionError("gone"), redis.TimeoutError("slow"), None):
        sender.failure = failure
        notifier.notify()
        await until(lambda: notifier._sending is None)
    assert [line["event"] for line in lines] == ["doorbell_silent", "doorbell_heard"]
    assert lines[-1]["failed"] == 2
    assert sender.sent == 1
    await notifier.close()


def test_one_message_is_on_its_way_at_a_time_in_each_queue(redis_url):
    with closing(make_broker(redis_url)) as broker:
        for queue in ACTORS:
            assert [claim_wake_up(broker, queue) for _ in range(3)] == [True, False, False]
        answer_wake_up(broker, "timers")
        assert [claim_wake_up(broker, queue) for queue in ("catch_up", "timers")] == [False, True]


async def test_a_service_that_stops_hangs_up_its_wake_up(redis_url):
    def lines() -> set[str]:
        own = client.connection_pool.connection_kwargs["db"]
        return {each["id"] for each in client.client_list() if each["db"] == str(own)}

    with redis.Redis.from_url(redis_url) as client:
        before = lines()
        async with worker_notifier(Settings(redis_url=redis_url)) as notifier:
            notifier.notify()
            await notifier.close()
            assert lines() > before
        assert eventually(lambda: lines() == before)


def test_a_worker_that_stops_while_redis_is_away_gives_back_nothing_and_says_nothing():
    with closing(make_broker("redis://127.0.0.1:1/0")) as broker:
        consumer = broker.consume("timers")
        held = MessageProxy(wake_up("timers").copy(options={"redis_message_id": "1"}))
        consumer.requeue([held])
        with pytest.raises(ConnectionClosed):
            consumer.ack(held)


def test_a_wake_up_message_names_its_actor_and_carries_nothing():
    sent = [wake_up(queue) for queue in ACTORS]
    assert [(each.queue_name, each.actor_name) for each in sent] == [
        ("catch_up", "campaign.catch_up"),
        ("timers", "campaign.fire_timers"),
    ]
    assert all((each.args, each.kwargs, each.options) == ((), {}, {}) for each in sent)


def test_wake_up_messages_that_nobody_takes_do_not_fill_redis(redis_url):
    """No worker runs for days, and people play."""
    with closing(make_broker(redis_url)) as broker:
        broker.declare_queue("catch_up")
        for _ in range(100):
            broker.client.delete(WAKE_UP_KEY.format(queue="catch_up"))  # a second has passed
            if claim_wake_up(broker, "catch_up"):
                broker.enqueue(wake_up("catch_up"))
        assert broker.do_qsize("catch_up") == WAITING_MAX
        broker.flush("catch_up")
