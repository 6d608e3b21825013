"""What a light, steady load writes: bytes of PostgreSQL's write-ahead log, and rows of stored views, per event.

An API and a worker as processes of their own, with doorbells between them; a few campaigns, a few actions a
second. At the end stored views are brought to the head of every log, as a worker does once a campaign is quiet:
what was put off is counted too.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import psycopg

from domain.ids import CampaignId
from infra.embedded.child_process import start_child, stop_child
from services.workers.projector import Projector
from tests.bench.campaigns import CALL, NOTE, ROLL, a_script, write
from tests.bench.load import burst
from tests.bench.over_http import acting, sign_up
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import FIELDLOG, ROOT, START_SECONDS_MAX, serving
from tests.bench.stage import Stage, a_house
from tests.engines import DICE_KEY, DatabaseUrls, a_redis_server

CAMPAIGNS = 6
ACTIONS_PER_SECOND = 4
WAL_BYTES_PER_EVENT = 6_144
ROWS_PER_EVENT = 0.2


class Written(NamedTuple):
    """What PostgreSQL has written so far: bytes of its log, rows of stored views, and events."""

    wal_bytes: int
    view_rows: int
    events: int


async def wear(stage: Stage) -> list[Row]:
    """One round: a few actions a second, for as long as the scale says."""
    goal = Goal(1.0, better="less")
    log = Rounds("log written for an event, light load", "bytes", "what it may be", goal)
    views = Rounds("rows of stored views written for an event, light load", "rows", "what it may be", goal)
    with ExitStack() as stack:
        urls = stack.enter_context(stage.database())
        redis_url = stack.enter_context(a_redis_server())
        api = stack.enter_context(serving(urls, FIELDLOG, FIELDLOG_REDIS_URL=redis_url))
        stack.enter_context(_a_worker(urls, redis_url))
        gm, player = await sign_up(api, "Ana"), await sign_up(api, "Mara")
        campaigns = [CampaignId(uuid4()) for _ in range(CAMPAIGNS)]
        script = a_script(gm.account, player.account, stretches=1)
        await write(urls, script, dict.fromkeys(campaigns))
        turns = cycle([(gm, CALL), (player, ROLL), (gm, NOTE)])
        everywhere = cycle(campaigns)
        # Three actions in one campaign, then three in the next; the first of each begins its epoch of dice.
        requests = (
            acting(campaign_id, command, person, key=uuid4().hex)
            for campaign_id in everywhere
            for person, command in islice(turns, 3)
        )
        await burst(api, [list(islice(requests, 3 * CAMPAIGNS))])
        await _follow(urls, campaigns)
        stage.checkpoint()
        before = _written(urls)
        began = time.monotonic()
        for nth in range(stage.scale.wear_seconds * ACTIONS_PER_SECOND):
            await asyncio.sleep(began + nth / ACTIONS_PER_SECOND - time.monotonic())
            await burst(api, [[next(requests)]])
        await _follow(urls, campaigns)
        after = _written(urls)
    events = after.events - before.events
    require(events >= stage.scale.wear_seconds * ACTIONS_PER_SECOND, f"only {events} events were written")
    log.add((after.wal_bytes - before.wal_bytes) / events, WAL_BYTES_PER_EVENT)
    views.add((after.view_rows - before.view_rows) / events, ROWS_PER_EVENT)
    return [log.row(), views.row()]


@contextmanager
def _a_worker(urls: DatabaseUrls, redis_url: str) -> Iterator[None]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")} | {
        "FIELDLOG_DATABASE_URL": urls.service,
        "FIELDLOG_REDIS_URL": redis_url,
        "FIELDLOG_DICE_KEY": DICE_KEY,
    }
    with Path(os.devnull).open("wb") as nowhere:
        process = start_child(
            [sys.executable, "-m", "services.cli", "worker"],
            death_signal=signal.SIGTERM,
            environ=environ,
            folder=ROOT,
            output=nowhere,
        )
    try:
        yield
    finally:
        code = process.poll()
        stop_child(process, signal.SIGTERM, START_SECONDS_MAX)
        require(code is None, f"the worker ended by itself ({code})")


async def _follow(urls: DatabaseUrls, campaigns: list[CampaignId]) -> None:
    async with a_house(urls) as application:
        catch_up = Projector(application.log, application.views, application.handler)
        for campaign_id in campaigns:
            while await application.views.caught_up(campaign_id) < (await _head(application.log, campaign_id)):
                await catch_up.step(campaign_id)


async def _head(log: object, campaign_id: CampaignId) -> int:
    head = await log.head(campaign_id)  # type: ignore[attr-defined]
    return int(head.seq)


def _written(urls: DatabaseUrls) -> Written:
    with psycopg.connect(urls.owner, autocommit=True) as connection:
        found = connection.execute(
            """
            SELECT
                (pg_current_wal_insert_lsn() - '0/0')::bigint,
                (
                    SELECT sum(n_tup_ins + n_tup_upd)::bigint FROM pg_stat_user_tables
                    WHERE relname IN ('view_segments', 'stored_folds', 'kept_folds')
                ),
                (SELECT sum(seq)::bigint FROM campaign_heads)
            """
        ).fetchone()
    assert found is not None
    return Written(*found)
