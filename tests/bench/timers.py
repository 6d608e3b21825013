"""Timers: how late they fire when little is to be done, and how fast a herd of them fires."""

import asyncio
import statistics
import time
from uuid import uuid4

import msgspec

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import CreateCampaign
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import ScheduleTimer
from domain.ids import AccountId, CampaignId, SystemId
from services.application import Application
from services.commands.submit import submit_command
from services.lifecycle.membership import create_campaign
from services.workers.timer_worker import TimerWorker
from tests.bench.actions import keep_acting
from tests.bench.campaigns import a_script, write
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.stage import Stage, a_house, load_hot
from tests.engines import DatabaseUrls

PER_CAMPAIGN = 100
IN_FLIGHT_MOST = 256
SPREAD_SECONDS = 4
LATE_MS_MAX = 1_000.0
"""What the reach allows; the floor of the row, as nothing else is as late as that."""


async def timers(stage: Stage) -> list[Row]:
    """An idle worker's lateness, then a herd that is due at once, fired by a worker that has loaded nothing."""
    lateness = Rounds("timer lateness when idle, p99", "ms", "one second", Goal(1.0, better="less"))
    herd = Rounds(f"a herd of {stage.scale.timers:,} timers", "/s", "actions, 256 in flight", Goal(0.3))
    for _ in range(stage.scale.rounds):
        with stage.database() as urls:
            lateness.add(await _p99_ms(urls, PER_CAMPAIGN), LATE_MS_MAX)
        with stage.database() as urls:
            herd.add(await _herd(stage, urls), await _batched(stage, urls))
    return [lateness.row(), herd.row()]


async def _p99_ms(urls: DatabaseUrls, count: int) -> float:
    """How late a worker is that has nothing else to do; another process, as it were, schedules."""
    async with a_house(urls) as application, a_house(urls) as worker:
        firing = TimerWorker(worker.timers, worker.handler)
        running = asyncio.create_task(firing.run(worker.database.missed))
        [campaign_id] = await _scheduled(application, count, spread=SPREAD_SECONDS)
        await asyncio.sleep(SPREAD_SECONDS + 2.5)
        firing.stop()
        await running
        rows = await application.log.tail(campaign_id, 0)
    late = [
        (row.recorded_at - msgspec.json.decode(row.body)["due"]) / 1000
        for row in rows
        if row.kind == "campaign.timer_fired"
    ]
    require(len(late) == count, f"{len(late)} of {count} timers fired")
    p99: float = statistics.quantiles(late, n=100)[98]
    return p99


async def _herd(stage: Stage, urls: DatabaseUrls) -> float:
    """Timers fired each second."""
    count = stage.scale.timers
    async with a_house(urls) as application:
        await _scheduled(application, count, spread=0)
    await asyncio.sleep(1.1)
    stage.checkpoint()
    async with a_house(urls) as worker:
        firing = TimerWorker(worker.timers, worker.handler)
        began = time.perf_counter()
        claimed = 0
        while claimed < count:
            claimed += await firing.once()
        seconds = time.perf_counter() - began
        require((await worker.timers.backlog()).due == 0, "some timers are still due")
    return count / seconds


async def _batched(stage: Stage, urls: DatabaseUrls) -> float:
    """Actions each second when 256 people act at once, whose actions are appended in batches."""
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), stretches=1)
    campaigns = [CampaignId(uuid4()) for _ in range(stage.scale.campaigns)]
    await write(urls, script, dict.fromkeys(campaigns))
    async with a_house(urls) as application:
        for campaign_id in campaigns:
            await load_hot(application, campaign_id)
        done, seconds = await keep_acting(application, script, campaigns, IN_FLIGHT_MOST, stage.scale.seconds)
    return sum(done) / seconds


async def _scheduled(application: Application, count: int, spread: int) -> list[CampaignId]:
    """Campaigns with timers that are due in a second, or within a spread of seconds after that."""
    campaigns = []
    for first in range(0, count, PER_CAMPAIGN):
        gm = AccountId(uuid4())
        founding = CreateCampaign("Herd", [SystemId("frame_state")])
        campaign_id = await create_campaign(application.for_campaigns, gm, founding)
        campaigns.append(campaign_id)
        few = range(min(PER_CAMPAIGN, count - first))
        spans = [Span(seconds=1 + (nth % spread if spread else 0)) for nth in few]
        wanted = [ScheduleTimer(f"Timer {nth}", span, clock="real") for nth, span in zip(few, spans, strict=True)]
        await asyncio.gather(
            *(submit_command(application, campaign_id, gm, ActRequest(command=each)) for each in wanted)
        )
    return campaigns
