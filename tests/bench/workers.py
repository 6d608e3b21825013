"""Worker processes that share the work: how late timers are, how even shares are, and who has what in memory."""

import asyncio
import os
import re
import signal
import statistics
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import msgspec
import psycopg

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, CreateCampaign
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import ScheduleTimer
from domain.campaign.storage.snapshot import FORM
from domain.ids import AccountId, CampaignId, SystemId
from infra.embedded.child_process import free_port, start_child, stop_child
from services.application import Application
from services.commands.submit import submit_command
from services.lifecycle.membership import create_campaign
from tests.bench.campaigns import a_script, write
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import HOST, ROOT, START_SECONDS_MAX
from tests.bench.stage import PASSWORD_KIB, Stage, a_house
from tests.bench.timers import LATE_MS_MAX
from tests.engines import DICE_KEY, DatabaseUrls, a_redis_server

EVERY_SECONDS = 10
"""How often a timer falls due in each busy campaign."""

FOUNDED_AT_ONCE = 8
FOUNDED_PER_SECOND = 8
"""Campaigns and their timers, made beside workers that are starting; what falls due waits for so many."""

CHECKED_SECONDS_MAX = 120
NOTES_PER_SECOND = 20
TOKEN = "t" * 20
COUNTED = re.compile(r"^fieldlog_(\w+)_total (\S+)$", re.MULTILINE)
QUIET_SECONDS = 1
"""So that views of busy campaigns are stored between two of their timers."""

SHARED = {"timers_fired": "timers", "followed_events": "events", "ledgers_checked": "ledgers"}
"""What the jobs of a worker count, and in what."""

SLEEP = (
    # What they have is stored, and their ledgers are checked.
    "UPDATE campaign_heads SET caught_up = seq, form = %(form)s",
    "INSERT INTO ledger_checks SELECT campaign_id, seq, 0, '{}', '[]', false FROM campaign_heads",
    """
    INSERT INTO timers
    SELECT campaign_id, gen_random_uuid(), 'timer-000000000000', 'real', due.at, due.at FROM campaign_heads,
    (SELECT (extract(EPOCH FROM now() + interval '30 days') * 1000000)::bigint AS at) AS due
    """,
    "ANALYZE",
)


async def workers(stage: Stage) -> list[Row]:
    """How late timers of busy campaigns are, how evenly workers share all jobs, and how many load a campaign."""
    scale = stage.scale
    late = Rounds(
        f"timers of {scale.busy:,} campaigns, {scale.asleep:,} asleep, {scale.workers} workers: lateness p99",
        "ms",
        "one second",
        Goal(1.0, better="less"),
    )
    loads = Rounds(
        "workers that load a busy campaign, on average", "workers", "one of them", Goal(1.5, better="less")
    )
    with stage.database() as urls, ExitStack() as stack:
        await _asleep(urls, scale.asleep)
        redis = stack.enter_context(a_redis_server())
        ports = [stack.enter_context(working(urls, redis)) for _ in range(scale.workers)]
        async with a_house(urls) as application:
            begins = time.time() + 5 + scale.busy // FOUNDED_PER_SECOND
            busy = await _busy(application, scale.busy, begins, scale.worker_seconds)
            require(time.time() < begins, "the campaigns were not founded in time")
            await asyncio.sleep(begins - time.time())
            for second in range(scale.worker_seconds):
                some = (busy[(second * NOTES_PER_SECOND + nth) % len(busy)] for nth in range(NOTES_PER_SECOND))
                await asyncio.gather(*(_note(application, *each) for each in some), asyncio.sleep(1))
            await asyncio.sleep(2 * LATE_MS_MAX / 1000)
            lates = [each for campaign_id, _ in busy for each in await _lateness(application, campaign_id)]
            await _all_checked(application)
        owed = sum(len(moments(nth, scale.worker_seconds)) for nth in range(scale.busy))
        require(len(lates) == owed, f"{len(lates)} of {owed} timers fired")
        counted = [counted_by(port) or {} for port in ports]
    late.add(statistics.quantiles(lates, n=100)[98], LATE_MS_MAX)
    loads.add(sum(each["campaigns_loaded"] for each in counted) / len(busy), 1)
    stage.say(f"{len(lates)} timers, the latest {max(lates):.0f} ms; by each worker:")
    for what in (*SHARED, "campaigns_loaded", "tails_folded", "reloads", "stale_appends"):
        stage.say(f"{what.replace('_', ' ')}: {sorted(int(each[what]) for each in counted)}")
    return [late.row(), *(_evenness(what, unit, counted) for what, unit in SHARED.items()), loads.row()]


def _evenness(what: str, unit: str, counted: list[dict[str, float]]) -> Row:
    """How much more than an even share of one job the busiest worker did."""
    done = [each[what] for each in counted]
    share = Rounds(
        f"most {what.replace('_', ' ')} by one of these workers", unit, "an even share", Goal(1.5, better="less")
    )
    share.add(max(done), sum(done) / len(done))
    return share.row()


async def _asleep(urls: DatabaseUrls, count: int) -> None:
    """Campaigns in which nothing is to be done for a month, and then one timer each."""
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), stretches=1)
    await write(urls, script, {CampaignId(uuid4()): 1 for _ in range(count)})
    async with await psycopg.AsyncConnection.connect(urls.owner, autocommit=True) as owner:
        for statement in SLEEP:
            await owner.execute(statement, {"form": FORM})


async def _busy(
    application: Application, count: int, begins: float, seconds: int
) -> list[tuple[CampaignId, AccountId]]:
    """Campaigns with their GMs, whose timers fall due within so many seconds after a moment, spread evenly."""

    async def one(nth: int) -> tuple[CampaignId, AccountId]:
        gm = AccountId(uuid4())
        founding = CreateCampaign("Herd", [SystemId("frame_state")])
        campaign_id = await create_campaign(application.for_campaigns, gm, founding)
        for offset in moments(nth, seconds):
            after = Span(seconds=max(1, round(begins + offset - time.time())))
            timer = ActRequest(command=ScheduleTimer("Bell", after, clock="real"))
            await submit_command(application, campaign_id, gm, timer)
        return campaign_id, gm

    made: list[tuple[CampaignId, AccountId]] = []
    for first in range(0, count, FOUNDED_AT_ONCE):
        made += await asyncio.gather(*(one(nth) for nth in range(first, min(count, first + FOUNDED_AT_ONCE))))
    return made


def moments(nth: int, seconds: int) -> range:
    """When a busy campaign's timers fall due, in seconds."""
    return range(nth % EVERY_SECONDS, seconds, EVERY_SECONDS)


async def _all_checked(application: Application) -> None:
    """Wait until views have followed and all ledgers are checked: workers look for these every 30 seconds."""
    until = time.monotonic() + CHECKED_SECONDS_MAX
    while (await application.views.progress(FORM)).campaigns_behind or await application.ledger_checks.unchecked(
        UUID(int=0), 1
    ):
        require(time.monotonic() < until, "the ledgers were not checked in time")
        await asyncio.sleep(0.5)


async def _note(application: Application, campaign_id: CampaignId, gm: AccountId) -> None:
    await submit_command(application, campaign_id, gm, ActRequest(command=AddNote("So it was.")))


async def _lateness(application: Application, campaign_id: CampaignId) -> list[float]:
    """How late a campaign's timers were, in milliseconds."""
    return [
        (row.recorded_at - msgspec.json.decode(row.body)["due"]) / 1000
        for row in await application.log.tail(campaign_id, 0)
        if row.kind == "campaign.timer_fired"
    ]


@contextmanager
def working(urls: DatabaseUrls, redis: str) -> Iterator[int]:
    """A worker process; the port of its metrics."""
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")} | {
        "FIELDLOG_DATABASE_URL": urls.service,
        "FIELDLOG_REDIS_URL": redis,
        "FIELDLOG_DICE_KEY": DICE_KEY,
        "FIELDLOG_PASSWORD_KIB": str(PASSWORD_KIB),
        "FIELDLOG_HOST": HOST,
        "FIELDLOG_VIEWS_QUIET_SECONDS": str(QUIET_SECONDS),
        "FIELDLOG_METRICS_TOKEN": TOKEN,
        "FIELDLOG_WORKER_METRICS_PORT": str(port),
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
        until = time.monotonic() + START_SECONDS_MAX
        while counted_by(port) is None:
            require(process.poll() is None and time.monotonic() < until, "a worker did not start")
            time.sleep(0.05)
        yield port
    finally:
        stop_child(process, signal.SIGTERM, START_SECONDS_MAX)


def counted_by(port: int) -> dict[str, float] | None:
    """What a worker has counted; None while it does not answer."""
    request = urllib.request.Request(f"http://{HOST}:{port}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - this file's own address
            return {name: float(count) for name, count in COUNTED.findall(answer.read().decode())} or None
    except OSError:
        return None
