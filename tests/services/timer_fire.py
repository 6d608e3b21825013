"""Timers while everything that fires them is killed: each fires exactly once, none early, none is lost.

`python -m tests.services.timer_fire --kills 200 --timers 10000` is the long form; FIELDLOG_FIRE_SEED plays a seed
again.
"""

import argparse
import asyncio
import os
import secrets
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import msgspec
import psycopg
import redis
from msgspec import Struct

from domain.campaign.command import Span
from domain.campaign.commands import CreateCampaign
from domain.campaign.request import ActRequest
from domain.campaign.timer_commands import ScheduleTimer
from domain.ids import AccountId, ActionId, CampaignId, SystemId
from infra.embedded.postgres import EmbeddedPostgres
from infra.embedded.valkey import EmbeddedValkey
from services.commands.decide_command import PendingCommand
from services.house import House
from services.settings import Settings
from services.wiring.engines import migrate_database
from services.wiring.house import open_house
from tests.engines import DICE_KEY, engine_folder
from tests.infra.log_entries import broken_links
from tests.services.processes import Program, eventually

WORKERS = 3
TIMERS_PER_CAMPAIGN = 100
FIRES = ["worker", "worker", "postgres", "redis"]
SETTLED_SECONDS_MAX = 60.0
CLOCK_MICROS = 20_000
"""How far the time in an event may be from the database's, by which the timer was due."""


class Scheduled(Struct):
    """What should happen: the moment of every timer (microseconds UTC), by its id."""

    campaigns: list[CampaignId]
    due: dict[str, int]


class Town:
    """PostgreSQL, Valkey and some workers; any of them may be killed and comes back."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._homes = [stack.enter_context(engine_folder()) for _ in range(2)]
        self._postgres = EmbeddedPostgres.start(self._homes[0])
        self._valkey = EmbeddedValkey.start(self._homes[1])
        stack.callback(self._stop)
        self.database_url = self._postgres.service_url
        migrate_database(self._postgres.owner_url, self.database_url)
        self._workers: list[Program] = []
        self.fires: Counter[str] = Counter()

    def _stop(self) -> None:
        self._valkey.stop()
        self._postgres.stop()

    def start_workers(self) -> None:
        self._workers = [self._worker() for _ in range(WORKERS)]

    def _worker(self) -> Program:
        program = Program(self._folder, "worker", database_url=self.database_url, redis_url=self._valkey.url)
        self._stack.callback(program.kill)
        return program

    def fire(self, kind: str, chance: Random) -> None:
        self.fires[kind] += 1
        match kind:
            case "worker":
                at = chance.randrange(WORKERS)
                self._workers[at].kill()
                self._workers[at] = self._worker()
            case "postgres":
                self._postgres.process.kill()
                self._postgres.process.wait()
                self._postgres.stop()
                self._postgres = EmbeddedPostgres.start(self._homes[0])
                assert self._postgres.service_url == self.database_url
            case _:
                with redis.Redis.from_url(self._valkey.url) as client:
                    client.flushall()
                self._valkey.process.kill()
                self._valkey.stop()
                time.sleep(chance.uniform(0.0, 0.5))
                self._valkey = EmbeddedValkey.start(self._homes[1])

    def said(self) -> str:
        return "".join(path.read_text("utf-8") for path in sorted(self._folder.glob("*.txt")))[-5_000:]


async def schedule(database_url: str, timers: int, seconds: int, chance: Random) -> Scheduled:
    """Campaigns with timers that are due at random within so many seconds."""
    wanted = Scheduled([], {})
    async with open_house(Settings(database_url=database_url, dice_key=DICE_KEY)) as house:
        for first in range(0, timers, TIMERS_PER_CAMPAIGN):
            campaign_id, gm = CampaignId(uuid4()), AccountId(uuid4())
            wanted.campaigns.append(campaign_id)
            await _asked(house, campaign_id, gm, CreateCampaign("Under fire", [SystemId("frame_state")]))
            made = [
                _asked(house, campaign_id, gm, ScheduleTimer("Now", _after(chance, seconds), clock="real"))
                for _ in range(min(TIMERS_PER_CAMPAIGN, timers - first))
            ]
            for answer in await asyncio.gather(*made):
                [event] = answer["events"]
                wanted.due[event["timer_id"]] = event["due"]
    return wanted


def _after(chance: Random, seconds: int) -> Span:
    return Span(seconds=chance.randint(5, 5 + seconds))


async def _asked(house: House, campaign_id: CampaignId, gm: AccountId, command: Any) -> Any:
    ask = PendingCommand(
        campaign_id=campaign_id,
        account=gm,
        request=ActRequest(command=command),
        action_id=ActionId(uuid4()),
        answered=asyncio.get_running_loop().create_future(),
    )
    return msgspec.json.decode(await house.handler.act(ask))


def violations(due: dict[str, int], fired: list[tuple[str, int]]) -> list[str]:
    """What is wrong with what fired, and when: the checker of every run, and of its control."""
    times = Counter(timer for timer, _ in fired)
    wrong = [f"13: {timer} fired {times[timer]} times" for timer in due if times[timer] != 1]
    wrong += [f"13: {timer} was never scheduled" for timer in times if timer not in due]
    return wrong + [
        f"13: {timer} fired {due[timer] - at} µs too early"
        for timer, at in fired
        if timer in due and at < due[timer] - CLOCK_MICROS
    ]


async def what_is_wrong(database_url: str, wanted: Scheduled) -> tuple[list[str], list[float]]:
    """Every invariant that does not hold, and how late each timer was in seconds."""
    wrong: list[str] = []
    fired: list[tuple[str, int]] = []
    async with open_house(Settings(database_url=database_url, dice_key=DICE_KEY)) as house:
        for campaign_id in wanted.campaigns:
            rows = await house.log.tail(campaign_id, 0)
            wrong += broken_links(campaign_id, rows)
            fired += [
                (msgspec.json.decode(row.body)["timer_id"], row.recorded_at)
                for row in rows
                if row.kind == "campaign.timer_fired"
            ]
    late = [(at - wanted.due[timer]) / 1_000_000 for timer, at in fired if timer in wanted.due]
    return wrong + violations(wanted.due, fired), late


async def burn(kills: int, timers: int, seconds: int) -> Counter[str]:
    """Kill so often while so many timers fire; AssertionError where anything is wrong."""
    seed = int(os.environ.get("FIELDLOG_FIRE_SEED") or secrets.randbelow(10**6))
    chance = Random(seed)  # noqa: S311 - a fire that can be lit again
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fieldlog-fire-")))
        town = await asyncio.to_thread(Town, stack, folder)
        wanted = await schedule(town.database_url, timers, seconds, chance)
        await asyncio.to_thread(town.start_workers)
        pending: list[str] = []
        for _ in range(kills):
            pending = pending or chance.sample(FIRES, len(FIRES))
            await asyncio.to_thread(town.fire, pending.pop(), chance)
            await asyncio.sleep(chance.uniform(0.05, 2 * seconds / kills))
        assert await asyncio.to_thread(all_fired, town.database_url), town.said()
        wrong, late = await what_is_wrong(town.database_url, wanted)
        said = f"seed {seed}: {len(late)} timers, {town.fires.total()} kills {dict(town.fires)}"
        print(f"{said}; late by {_percentiles(late)}")  # noqa: T201 - what the command is for
        assert wrong == [], (seed, wrong[:20])
        return town.fires


def all_fired(database_url: str) -> bool:
    """Whether no timer is left, before long."""

    def none_left() -> bool:
        try:
            with psycopg.connect(database_url, autocommit=True, connect_timeout=2) as connection:
                return connection.execute(b"SELECT count(*) FROM due_timers").fetchone() == (0,)
        except psycopg.OperationalError:
            return False

    return eventually(none_left, SETTLED_SECONDS_MAX + 30)


def _percentiles(late: list[float]) -> str:
    cuts = statistics.quantiles(late, n=100)
    return f"{cuts[49]:.2f} s at the median, {cuts[98]:.2f} s at p99, {max(late):.2f} s at most"


def main() -> None:
    """The long form."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--timers", type=int, default=10_000)
    options.add_argument("--seconds", type=int, default=240)
    told = options.parse_args(sys.argv[1:])
    asyncio.run(burn(told.kills, told.timers, told.seconds))


if __name__ == "__main__":
    main()
