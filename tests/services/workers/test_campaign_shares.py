"""Workers leave each other's campaigns to each other, and take what is left lying (invariants 13 to 16)."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, CreateCampaign
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import ScheduleTimer
from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId, SystemId
from domain.worker_shares import PORTIONS, WHOLE, holds
from services.application import Application
from services.commands.submit import submit_command
from services.lifecycle.membership import create_campaign
from services.settings import Settings
from services.wiring.application import open_application
from services.workers import ledger_audit_worker, projection_worker, timer_worker
from services.workers.campaign_shares import Shares
from services.workers.ledger_audit_worker import LedgerAuditWorker
from services.workers.projection_worker import ProjectionWorker
from services.workers.projector import Projector
from services.workers.queues import SHARED
from services.workers.timer_worker import TimerWorker
from tests.applications import an_application
from tests.doubles.worker_directory import MemoryWorkerDirectory
from tests.engines import DICE_KEY
from tests.services.conftest import Table, table_at
from tests.services.processes import eventually, worker

HOUR = 3_600_000_000
FIRST_ID = UUID(int=0)
CAMPAIGNS = 12
BELL = ScheduleTimer("Bell", Span(seconds=1), clock="real")
EVERY_QUEUE = frozenset(SHARED)


# --- who is there --------------------------------------------------------------------------------------------


async def of_three() -> tuple[MemoryWorkerDirectory, Shares]:
    directory = MemoryWorkerDirectory()
    directory.connected = {"me": EVERY_QUEUE, "another": EVERY_QUEUE, "third": frozenset({"timers"})}
    return directory, Shares("me", directory)


@pytest.mark.anyio
async def test_a_worker_has_everything_until_it_knows_of_others_and_again_once_they_are_gone():
    directory, shares = await of_three()
    assert [shares.of(queue) for queue in SHARED] == [WHOLE] * 3
    await shares.look()
    parts = {queue: sum(byte.bit_count() for byte in shares.of(queue)) for queue in SHARED}
    assert parts["catch_up"] == parts["accounting"] == PORTIONS // 2
    assert PORTIONS // 3 <= parts["timers"] <= PORTIONS // 3 + 1
    directory.connected = {}  # a worker whose own connection is not found counts itself all the same
    await shares.look()
    assert [shares.of(queue) for queue in SHARED] == [WHOLE] * 3


@pytest.mark.anyio
async def test_a_worker_that_cannot_look_goes_on_with_the_share_it_has():
    class Away(MemoryWorkerDirectory):
        async def queues(self) -> dict[str, frozenset[str]]:
            raise DatabaseUnavailable("away")

    shares = Shares("me", Away())
    async with shares.keep_current():
        assert shares.of("timers") == WHOLE


# --- what each takes, in this process ------------------------------------------------------------------------


class Working:
    """A worker with a memory of its own, of a database that it has looked for others in."""

    def __init__(self, application: Application, name: str) -> None:
        self.application = application
        self.shares = Shares(name, application.workers)

    def share(self, queue: str) -> Callable[[], bytes]:
        return partial(self.shares.of, queue)

    def holds(self, campaign_id: CampaignId) -> bool:
        return holds(self.shares.of("timers"), campaign_id)

    def timers(self) -> TimerWorker:
        return TimerWorker(self.application.timers, self.application.handler, self.share("timers"))

    def catch_up(self) -> ProjectionWorker:
        application = self.application
        projector = Projector(application.log, application.views, application.handler)
        parts = application.views, projector, application.entropy, application.database.check
        return ProjectionWorker(*parts, share=self.share("catch_up"))

    def accounting(self) -> LedgerAuditWorker:
        application = self.application
        stores = application.log, application.views, application.ledger_checks
        return LedgerAuditWorker(*stores, application.entropy, self.share("accounting"))


@pytest.fixture
async def workers(database: Any) -> AsyncIterator[list[Working]]:
    """Two workers that know of each other."""
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
    async with AsyncExitStack() as stack:
        both = [
            Working(await stack.enter_async_context(open_application(settings, name, SHARED)), name)
            for name in ("one", "two")
        ]
        for each in (*both, *both):  # the first one looks before the second has connected
            await each.shares.look()
        yield both


async def founded(application: Application, *commands: Any) -> list[CampaignId]:
    """Twelve campaigns, in which GMs do this, and which nobody has in memory."""
    gm = AccountId(application.entropy.new_id())
    made = []
    for _ in range(CAMPAIGNS):
        founding = CreateCampaign("Herd", [SystemId("frame_state")])
        made.append(await create_campaign(application.for_campaigns, gm, founding))
        for command in commands:
            await submit_command(application, made[-1], gm, ActRequest(command=command))
        application.cache.evict(made[-1])
    return made


async def all_due(application: Application, count: int = CAMPAIGNS) -> None:
    async with asyncio.timeout(30):
        while (await application.timers.backlog()).due < count:  # noqa: ASYNC110 - a clock rings no bell
            await asyncio.sleep(0.001)


async def delays(application: Application, campaign_id: CampaignId) -> list[int]:
    """How long after its moment each timer of a campaign was fired."""
    return [
        row.recorded_at - msgspec.json.decode(row.body)["due"]
        for row in await application.log.tail(campaign_id, 0)
        if row.kind == "campaign.timer_fired"
    ]


@pytest.mark.anyio
async def test_two_workers_fire_everything_once_and_each_loads_only_its_own_campaigns(workers, monkeypatch):
    monkeypatch.setattr(timer_worker, "LEFT_MICROSECONDS", HOUR)
    monkeypatch.setattr(timer_worker, "LEFT_BY_BUSY_MICROSECONDS", HOUR)
    one, two = workers
    campaigns = await founded(one.application, BELL)
    await all_due(one.application)
    counts = await asyncio.gather(*(each.timers().once() for each in workers))
    assert sum(counts) == CAMPAIGNS
    for each in workers:
        assert {*each.application.cache.campaigns()} == {*filter(each.holds, campaigns)}
    assert not any(one.holds(campaign_id) and two.holds(campaign_id) for campaign_id in campaigns)
    for campaign_id in campaigns:
        [late] = await delays(one.application, campaign_id)
        assert late >= 0, "never early"


@pytest.mark.anyio
async def test_a_worker_takes_timers_of_others_once_they_are_late_and_waits_for_that(workers, monkeypatch):
    one, two = workers
    monkeypatch.setattr(timer_worker, "LEFT_MICROSECONDS", HOUR)
    monkeypatch.setattr(timer_worker, "LEFT_BY_BUSY_MICROSECONDS", HOUR)
    campaigns = await founded(one.application, BELL)
    await all_due(one.application)
    while await one.timers().once():
        pass
    left = [campaign_id for campaign_id in campaigns if two.holds(campaign_id)]
    assert (await one.application.timers.backlog()).due == len(left)
    assert await one.timers().round() == 1.0, "it does not ask all the time for what is another's"
    monkeypatch.setattr(timer_worker, "LEFT_MICROSECONDS", 0)
    assert await one.timers().once() == len(left)
    assert [len(await delays(one.application, campaign_id)) for campaign_id in campaigns] == [1] * CAMPAIGNS


@pytest.mark.anyio
@pytest.mark.parametrize("left_by_busy", [HOUR, 0])
async def test_a_worker_that_always_has_work_of_its_own_leaves_the_others_for_longer_but_not_for_ever(
    workers, monkeypatch, left_by_busy
):
    one, two = workers
    monkeypatch.setattr(timer_worker, "LEFT_MICROSECONDS", 0)
    monkeypatch.setattr(timer_worker, "LEFT_BY_BUSY_MICROSECONDS", left_by_busy)
    campaigns = await founded(one.application, BELL)
    while all(map(two.holds, campaigns)):
        campaigns += await founded(one.application, BELL)
    await all_due(one.application, len(campaigns))
    own = [campaign_id for campaign_id in campaigns if one.holds(campaign_id)]
    assert await one.timers().once() == (len(own) if left_by_busy else len(campaigns))


@pytest.mark.anyio
async def test_a_worker_follows_and_checks_its_own_campaigns_and_those_that_were_left(workers, monkeypatch):
    one, two = workers
    campaigns = await founded(one.application, AddNote("So it was."))
    monkeypatch.setattr(projection_worker, "LEFT_MICROSECONDS", HOUR)
    await one.catch_up().round()
    left = [campaign_id for campaign_id in sorted(campaigns) if two.holds(campaign_id)]
    views, checks = one.application.views, one.application.ledger_checks
    assert await views.lagging(FIRST_ID, CAMPAIGNS) == left
    monkeypatch.setattr(projection_worker, "LEFT_MICROSECONDS", 0)
    await one.catch_up().round()
    assert await views.lagging(FIRST_ID, CAMPAIGNS) == []

    accountant = one.accounting()
    monkeypatch.setattr(ledger_audit_worker, "LEFT_MICROSECONDS", HOUR)
    assert await accountant.once() == CAMPAIGNS - len(left)
    assert await checks.unchecked(FIRST_ID, CAMPAIGNS) == left
    assert await accountant.again() == CAMPAIGNS - len(left), "and from the beginning only its own"
    monkeypatch.setattr(ledger_audit_worker, "LEFT_MICROSECONDS", 1)
    assert await accountant.once() == len(left)


# --- as processes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_others_take_what_was_left_to_a_worker_that_is_killed_or_hangs(database, tmp_path, how):
    settings = Settings(database_url=database.service, dice_key=DICE_KEY, password_kib=64)
    with (
        an_application(settings) as app,
        TestClient(app) as client,
        worker(tmp_path, database.service) as lost,
        worker(tmp_path, database.service) as other,
    ):
        first = table_at(client)
        tables = [first, *(at_another_table(first) for _ in range(7))]
        for each in tables:
            each.act(each.gm, "campaign.schedule_timer", title="Now", after={"seconds": 1}, clock="real")
        lost.process.send_signal(how)
        assert eventually(lambda: all(fired_at(each) for each in tables))
        assert [fired_at(each) for each in tables] == [1] * 8
        assert other.stop() == 0, other.said()


def at_another_table(table: Table) -> Table:
    founded = table.gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()
    return Table(table.gm, table.player, founded["campaign_id"])


def fired_at(table: Table) -> int:
    actions = table.gm.get(f"{table.path}/actions", params={"limit": 500}).json()["actions"]
    return [kind for each in actions for kind in each["events"]].count("campaign.timer_fired")
