"""Followers while others write: a log whose followers miss an event is worse than a slow one."""

import asyncio
import time
from collections.abc import Iterable
from itertools import islice
from typing import Any
from uuid import uuid4

from msgspec import structs

from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import EventBatch, StoredEvent, UnsealedEvent
from domain.hash_chain import GENESIS
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from services.application import Application
from services.workers.projection_worker import ProjectionWorker
from services.workers.projector import Projector
from tests.bench.campaigns import Script, a_script
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.stage import Stage, a_house
from tests.engines import DatabaseUrls

WRITERS = 8
CAMPAIGNS_PER_WRITER = 4
EVENTS_PER_CHUNK = 8


class Seen:
    """A log that notes what its follower was given."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self.seqs: dict[CampaignId, list[int]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def unsealed(self, campaign_id: CampaignId, *place: Any) -> list[UnsealedEvent]:
        """The events, noted."""
        rows: list[UnsealedEvent] = await self._log.unsealed(campaign_id, *place)
        self.seqs.setdefault(campaign_id, []).extend(row.seq for row in rows)
        return rows


async def followers(stage: Stage) -> list[Row]:
    """8 connections commit as fast as they can while a worker's sweep follows. One round: its count is exact."""
    seen_rounds = Rounds("events seen by followers, 8 writers", "events", "events committed", Goal(1.0))
    script = a_script(AccountId(uuid4()), AccountId(uuid4()))
    each = max(len(script.beginning) + 1, stage.scale.events_followed // (WRITERS * CAMPAIGNS_PER_WRITER))
    with stage.database() as urls:
        async with a_house(urls) as application:
            log = Seen(application.log)
            writing = asyncio.gather(*(_write(urls, script, each) for _ in range(WRITERS)))
            while not writing.done():
                await _follow(application, log)
            await writing
            await _follow(application, log)
            written = WRITERS * CAMPAIGNS_PER_WRITER * each
            progress = await application.views.progress(FORM)
            require(progress.campaigns_behind == 0, f"{progress.campaigns_behind} campaigns are still behind")
        whole = list(range(1, each + 1))
        seen = sum(len(set(seqs)) for seqs in log.seqs.values())
        missed = [campaign_id for campaign_id, seqs in log.seqs.items() if sorted(set(seqs)) != whole]
        require(not missed, f"followers missed events of {len(missed)} campaigns")
        seen_rounds.add(seen, written)
    return [seen_rounds.row()]


async def _follow(application: Application, log: Seen) -> None:
    """What a worker does when its bell rings."""
    sweep = ProjectionWorker(
        application.views,
        Projector(log, application.views, application.handler),
        application.entropy,
        application.database.check,
    )
    while await sweep.once():
        pass
    await asyncio.sleep(0.01)


async def _write(urls: DatabaseUrls, script: Script, events: int) -> None:
    """One writer with campaigns of its own, a chunk for each of them in every commit."""
    campaigns = [CampaignId(uuid4()) for _ in range(CAMPAIGNS_PER_WRITER)]
    pasts = {campaign_id: script.rows(campaign_id, events) for campaign_id in campaigns}
    async with Database(urls.service) as connections:
        log = PostgresEventStore(connections)
        heads = dict.fromkeys(campaigns, (0, GENESIS))
        while heads:
            chunks = [
                EventBatch(campaign_id, *head, rows)
                for campaign_id, head in heads.items()
                if (rows := _now(islice(pasts[campaign_id], EVENTS_PER_CHUNK)))
            ]
            outcomes = await log.append(chunks)
            require(all(outcome.status == "committed" for outcome in outcomes), f"not written: {outcomes}")
            last = {chunk.campaign_id: chunk.events[-1] for chunk in chunks}
            heads = {campaign_id: (row.seq, row.hash) for campaign_id, row in last.items() if row.seq < events}


def _now(rows: Iterable[StoredEvent]) -> list[StoredEvent]:
    """The log takes no times that lie behind; what this does to the hashes, no follower looks at."""
    at = time.time_ns() // 1000
    return [structs.replace(row, recorded_at=at) for row in rows]
