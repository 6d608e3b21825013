"""Whole actions per second: what it costs to decide, chain, answer and commit, above the bare statement.

The floor replays exactly what the handler sent: the same statement, the same rows in the same groups, as many
of them at a time, laid out beforehand. It goes to campaigns of its own, whose heads lie an hour ahead: there
the log takes events of that very time, so that rows made beforehand are neither too old nor too new.
"""

import asyncio
import time
from itertools import count, cycle
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.event_store_types import AppendResult, EventBatch
from domain.ids import AccountId, CampaignId
from infra.postgres.append_statement import append_of
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from services.application import Application
from services.commands.submit import submit_command
from tests.bench.campaigns import CALL, NOTE, ROLL, Script, a_script, write
from tests.bench.raw_loop import CLIENTS, make_raw_table, raw_inserts_per_second
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.stage import Stage, a_house
from tests.engines import DatabaseUrls

HOUR_MICROS = 3_600_000_000
SAME_SQL = "the same SQL, prebuilt arguments"
RAW_LOOP = "raw INSERT per commit, 16 clients"
IN_FLIGHT = {1: (Goal(0.7), None), 16: (Goal(0.6), Goal(0.7, 1.0)), 256: (Goal(0.8), Goal(1.0, 1.5))}


class KeptChunks:
    """A log that keeps what it was given and wrote, so that the floor can replay it.

    `at_a_time` is how many groups were under way at once, at most.
    """

    def __init__(self, log: PostgresEventStore) -> None:
        self._log = log
        self._under_way = 0
        self.begin()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def begin(self) -> None:
        """Forget what was kept."""
        self.groups: list[list[EventBatch]] = []
        self.at_a_time = 1

    async def append(self, chunks: list[EventBatch]) -> list[AppendResult]:
        """Append, and remember."""
        group: list[EventBatch] = []
        self.groups.append(group)
        self._under_way += 1
        self.at_a_time = max(self.at_a_time, self._under_way)
        try:
            outcomes = await self._log.append(chunks)
        finally:
            self._under_way -= 1
        group += [chunk for chunk, outcome in zip(chunks, outcomes, strict=True) if outcome.status == "committed"]
        return outcomes


async def actions(stage: Stage) -> list[Row]:
    """1, 16 and 256 in flight, many campaigns, every action under an idempotency key."""
    scale = stage.scale
    same_sql = {n: Rounds(f"actions, {n} in flight", "/s", SAME_SQL, goal) for n, (goal, _) in IN_FLIGHT.items()}
    raw_loop = {
        n: Rounds(f"actions, {n} in flight", "/s", RAW_LOOP, goal) for n, (_, goal) in IN_FLIGHT.items() if goal
    }
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), stretches=1)
    with stage.database() as urls:
        make_raw_table(urls)
        campaigns = [CampaignId(uuid4()) for _ in range(scale.campaigns)]
        await write(urls, script, dict.fromkeys(campaigns))
        async with a_house(urls) as application:
            log = KeptChunks(application.log)  # type: ignore[arg-type]
            application.handler._groups._log = log
            await asyncio.gather(*(_begin_epoch(application, campaign_id, script) for campaign_id in campaigns))
            for _ in range(scale.rounds):
                raw = await raw_inserts_per_second(urls, scale.seconds)
                for in_flight in IN_FLIGHT:
                    log.begin()
                    done, seconds = await keep_acting(application, script, campaigns, in_flight, scale.seconds)
                    figure = sum(done) / seconds
                    same_sql[in_flight].add(figure, await replayed_per_second(urls, log))
                    if in_flight in raw_loop:
                        raw_loop[in_flight].add(figure, raw)
    return [rounds.row() for rounds in (*same_sql.values(), *raw_loop.values())]


async def one_campaign(stage: Stage) -> list[Row]:
    """16 people act in one campaign as fast as they can."""
    throughput = Rounds("one hot campaign, 16 clients", "/s", RAW_LOOP, Goal(0.5))
    fairness = Rounds("slowest of these clients", "/s", "the mean of them", Goal(0.5))
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), stretches=1)
    with stage.database() as urls:
        make_raw_table(urls)
        campaign_id = CampaignId(uuid4())
        await write(urls, script, {campaign_id: None})
        async with a_house(urls) as application:
            await _begin_epoch(application, campaign_id, script)
            for _ in range(stage.scale.rounds):
                raw = await raw_inserts_per_second(urls, stage.scale.seconds)
                done, seconds = await keep_acting(application, script, [campaign_id], CLIENTS, stage.scale.seconds)
                throughput.add(sum(done) / seconds, raw)
                fairness.add(min(done) / seconds, sum(done) / len(done) / seconds)
    return [throughput.row(), fairness.row()]


async def _begin_epoch(application: Application, campaign_id: CampaignId, script: Script) -> None:
    """Load it, and commit to dice, which campaigns that are not written past the log do when they are founded."""
    await submit_command(application, campaign_id, script.gm, ActRequest(command=NOTE))


async def keep_acting(
    application: Application, script: Script, campaigns: list[CampaignId], in_flight: int, seconds: float
) -> tuple[list[int], float]:
    """So many clients act one after another, each in campaigns of its own where there are enough.

    They call a test, roll it and write a note, in turns; in a shared campaign they only write notes, since
    one client's test would be rolled by another. What each got done, and how long it took.
    """
    alone = len(campaigns) >= in_flight
    run = uuid4().hex
    keys = (f"{run}-{number}" for number in count())
    done = [0] * in_flight
    end = time.perf_counter() + seconds

    async def client(nth: int) -> None:
        own = campaigns[nth::in_flight] if alone else campaigns
        turns = [(script.gm, CALL), (script.player, ROLL), (script.gm, NOTE)] if alone else [(script.gm, NOTE)]
        requests = [(account, ActRequest(command=command)) for account, command in turns]
        for campaign_id in cycle(own):
            if time.perf_counter() >= end:
                return
            for account, request in requests:
                await submit_command(application, campaign_id, account, request, key=next(keys))
                done[nth] += 1

    began = time.perf_counter()
    await asyncio.gather(*(client(nth) for nth in range(in_flight)))
    return done, time.perf_counter() - began


async def replayed_per_second(urls: DatabaseUrls, kept: KeptChunks) -> float:
    """Actions per second when the same groups are sent again, laid out beforehand, as many of them at a time."""
    groups = await _elsewhere(urls, kept.groups)
    queue = iter([(*append_of(group), turn) for group, turn in zip(groups, _turns(groups), strict=True)])
    async with Database(urls.service, writers=kept.at_a_time) as connections:

        async def send() -> None:
            for append, given, turn in queue:
                for earlier in turn.after:
                    await earlier.wait()
                statuses = await connections.writers.execute(append.statement, given, _status)
                require(all(status == "committed" for status in statuses), "the floor was not written")
                turn.over.set()

        nothing, none = append_of([])
        everywhere = range(kept.at_a_time)
        await asyncio.gather(*(connections.writers.execute(nothing.statement, none, _status) for _ in everywhere))
        began = time.perf_counter()
        await asyncio.gather(*(send() for _ in everywhere))
        seconds = time.perf_counter() - began
    return sum(len(chunk.answers) for group in groups for chunk in group) / seconds


class _Turn(NamedTuple):
    """When a group is sent: after those before it that hold one of its campaigns, since its rows follow theirs."""

    after: set[asyncio.Event]
    over: asyncio.Event


def _turns(groups: list[list[EventBatch]]) -> list[_Turn]:
    turns = []
    last: dict[CampaignId, asyncio.Event] = {}
    for group in groups:
        turn = _Turn({last[chunk.campaign_id] for chunk in group if chunk.campaign_id in last}, asyncio.Event())
        last |= {chunk.campaign_id: turn.over for chunk in group}
        turns.append(turn)
    return turns


async def _elsewhere(urls: DatabaseUrls, groups: list[list[EventBatch]]) -> list[list[EventBatch]]:
    """The same groups for other campaigns, which stand where these stood, an hour ahead."""
    then = time.time_ns() // 1000 + HOUR_MICROS
    stands_in: dict[CampaignId, tuple[CampaignId, int, bytes]] = {}
    for chunk in (chunk for group in groups for chunk in group):
        stands_in.setdefault(chunk.campaign_id, (CampaignId(uuid4()), chunk.expected_seq, chunk.expected_hash))
    async with (
        await psycopg.AsyncConnection.connect(urls.owner, autocommit=True) as connection,
        connection.cursor() as cursor,
        cursor.copy(_COPY_HEADS) as copy,
    ):
        for campaign_id, seq, expected_hash in stands_in.values():
            await copy.write_row((campaign_id, seq, then, expected_hash))
    return [
        [
            structs.replace(
                chunk,
                campaign_id=stands_in[chunk.campaign_id][0],
                events=[structs.replace(event, recorded_at=then) for event in chunk.events],
            )
            for chunk in group
        ]
        for group in groups
    ]


_COPY_HEADS = "COPY campaign_heads (campaign_id, seq, recorded_at, hash) FROM STDIN"


def _status(row: Any) -> str:
    status: str = row[0]
    return status
