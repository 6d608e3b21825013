"""Whole actions beside another library's application on the same server: pyeventsourcing, where it is installed.

It does whole actions: gets an aggregate from its repository, has it decide (it folds a counter, no rules), saves
it; without idempotency keys, a hash chain or answers. Once it runs as it comes, once with the fastest settings
that lose no event: PostgreSQL functions instead of several round trips, aggregates cached and trusted, a pool with
a connection per thread. The table lock that serialises its inserts stays, because its followers would miss events
without.
"""

import asyncio
import importlib.util
import json
import subprocess
import sys
import threading
import time
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from domain.ids import AccountId, CampaignId
from tests.bench.actions import keep_acting
from tests.bench.campaigns import a_script, write
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import ROOT
from tests.bench.stage import Stage, a_house, load_hot

IN_FLIGHT = 16
PEER = "eventsourcing"
BODY = "x" * 250


async def against_peers(stage: Stage) -> list[Row]:
    """16 in flight, each in campaigns of its own."""
    if importlib.util.find_spec(PEER) is None:
        stage.say(f"{PEER} is not installed (uv pip install --group bench), so there is no peer to compare with")
        return []
    tuned = Rounds("actions, 16 in flight", "/s", "pyeventsourcing's application, tuned", Goal(7.0))
    untuned = Rounds("actions, 16 in flight", "/s", "pyeventsourcing's application, as it comes", Goal(7.0))
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), stretches=1)
    campaigns = [CampaignId(uuid4()) for _ in range(stage.scale.campaigns)]
    with stage.database() as urls, stage.database() as theirs:
        await write(urls, script, dict.fromkeys(campaigns))
        async with a_house(urls) as application:
            for campaign_id in campaigns:
                await load_hot(application, campaign_id)
            for _ in range(stage.scale.rounds):
                slow = await _peers_per_second(theirs.owner, stage.scale.seconds, tuned=False)
                done, seconds = await keep_acting(application, script, campaigns, IN_FLIGHT, stage.scale.seconds)
                fast = await _peers_per_second(theirs.owner, stage.scale.seconds, tuned=True)
                tuned.add(sum(done) / seconds, fast)
                untuned.add(sum(done) / seconds, slow)
    return [tuned.row(), untuned.row()]


async def _peers_per_second(url: str, seconds: float, *, tuned: bool) -> float:
    """In a process of its own, with threads, as that library is used."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.bench.peers",
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    said, _ = await process.communicate(json.dumps([url, seconds, tuned]).encode())
    require(process.returncode == 0, "the peer's process failed")
    return float(said)


def _settings(url: str, *, tuned: bool) -> dict[str, str]:
    parts = urlsplit(url)
    own = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_HOST": parts.hostname or "",
        "POSTGRES_PORT": str(parts.port or 5432),
        "POSTGRES_DBNAME": parts.path.lstrip("/"),
        "POSTGRES_USER": unquote(parts.username or ""),
        "POSTGRES_PASSWORD": unquote(parts.password or ""),
    }
    faster = {
        "POSTGRES_POOL_SIZE": str(IN_FLIGHT),
        "POSTGRES_MAX_OVERFLOW": str(IN_FLIGHT),
        "POSTGRES_ENABLE_DB_FUNCTIONS": "y",
        "AGGREGATE_CACHE_MAXSIZE": "10000",
        "AGGREGATE_CACHE_FASTFORWARD": "n",
        "DEEPCOPY_FROM_AGGREGATE_CACHE": "n",
    }
    return own | faster if tuned else own


def _measure(url: str, seconds: float, *, tuned: bool) -> float:
    application_of = importlib.import_module("eventsourcing.application").Application
    domain = importlib.import_module("eventsourcing.domain")

    class Campaign(domain.Aggregate):  # type: ignore[misc, name-defined]
        rolls = 0

        @domain.event("Rolled")  # type: ignore[untyped-decorator]
        def roll(self, body: str) -> None:
            self.rolls += len(body) > 0

    application: Any = application_of(env=_settings(url, tuned=tuned))
    done = [0] * IN_FLIGHT
    own = []
    for _ in range(IN_FLIGHT):
        campaign = Campaign()
        application.save(campaign)
        own.append(campaign.id)
    end = time.perf_counter() + seconds

    def client(nth: int) -> None:
        while time.perf_counter() < end:
            campaign = application.repository.get(own[nth])
            campaign.roll(body=BODY)
            application.save(campaign)
            done[nth] += 1

    began = time.perf_counter()
    threads = [threading.Thread(target=client, args=(nth,)) for nth in range(IN_FLIGHT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / (time.perf_counter() - began)


if __name__ == "__main__":
    where, how_long, is_tuned = json.loads(sys.stdin.read())
    sys.stdout.write(str(_measure(where, how_long, tuned=is_tuned)))
