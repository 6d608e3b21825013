"""How fast the log appends and reads, as ratios to a raw loop on the same server: python -m tests.bench.append.

The floor is what a program without a log could do: 16 connections, each one INSERT per commit of a
300-byte body under a (campaign, seq) key. The log appends one-event actions of many campaigns, each with
its idempotency key, through one connection. All figures are medians of five rounds in one run.
"""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from uuid import uuid4

import msgspec
import psycopg

from domain.chain import GENESIS
from domain.ids import AccountId, ActionId, CampaignId
from domain.stored import Chunk, Head, KeyedAnswer, StoredEvent
from infra.postgres.append import append_arguments
from infra.postgres.connections import Connections
from infra.postgres.event_log import PostgresEventLog
from tests.engines import DatabaseUrls, a_postgres_server

ROUNDS = 5
SECONDS_PER_ROUND = 1.5
RAW_CLIENTS = 16
BODY = msgspec.json.encode({"type": "tests.rolled", "dice": [6] * 40, "why": "x" * 150})
COMMAND = b"{" + b" " * 118 + b"}"
LONG_LOG_EVENTS = 10_000


async def raw_inserts_per_second(url: str) -> float:
    """The floor: one INSERT, one commit, 16 clients."""
    done = 0

    async def client() -> None:
        nonlocal done
        campaign_id, seq = uuid4(), 0
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            cursor = connection.cursor()
            end = time.perf_counter() + SECONDS_PER_ROUND
            while time.perf_counter() < end:
                seq += 1
                await cursor.execute("INSERT INTO raw VALUES (%s, %s, %s)", (campaign_id, seq, BODY))
                done += 1

    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(RAW_CLIENTS)))
    return done / (time.perf_counter() - began)


async def appends_per_second(log: PostgresEventLog, campaigns: int) -> float:
    """So many one-event chunks per call, each of a campaign of its own."""
    heads = {CampaignId(uuid4()): Head(seq=0, hash=GENESIS, recorded_at=0) for _ in range(campaigns)}
    done = 0
    began = time.perf_counter()
    while time.perf_counter() - began < SECONDS_PER_ROUND:
        chunks = [_chunk(campaign_id, head) for campaign_id, head in heads.items()]
        outcomes = await log.append(chunks)
        if any(outcome.status != "written" for outcome in outcomes):
            raise RuntimeError(f"not written: {outcomes}")
        for chunk in chunks:
            last = chunk.events[-1]
            heads[chunk.campaign_id] = Head(seq=last.seq, hash=last.hash, recorded_at=last.recorded_at)
        done += campaigns
    return done / (time.perf_counter() - began)


async def read_per_second(log: PostgresEventLog, campaign_id: CampaignId) -> float:
    """Events read in one go."""
    began = time.perf_counter()
    events = await log.tail(campaign_id, 0)
    return len(events) / (time.perf_counter() - began)


async def lookups_per_second(log: PostgresEventLog, campaign_id: CampaignId) -> float:
    """Heads asked for that have not moved, one after another."""
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS_PER_ROUND / 3:
        await log.since(campaign_id, LONG_LOG_EVENTS)
        done += 1
    return done / (time.perf_counter() - began)


async def arguments_per_second(campaigns: int) -> float:
    """Events laid out for the statement, without sending them."""
    chunks = [_chunk(CampaignId(uuid4()), Head(0, GENESIS, 0)) for _ in range(campaigns)]
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS_PER_ROUND / 3:
        append_arguments(chunks)
        done += campaigns
    return done / (time.perf_counter() - began)


def _chunk(campaign_id: CampaignId, head: Head, events: int = 1) -> Chunk:
    action_id, now = ActionId(uuid4()), time.time_ns() // 1000
    account = AccountId(action_id)
    made = [
        StoredEvent(
            seq, action_id, "tests.rolled", 1, now, 0, account, "request", "all", COMMAND, BODY, bytes(16), GENESIS
        )
        for seq in range(head.seq + 1, head.seq + 1 + events)
    ]
    answer = KeyedAnswer(account, str(action_id), GENESIS, action_id, bytes(90))
    return Chunk(campaign_id, head.seq, made, [answer])


async def measure(urls: DatabaseUrls) -> None:
    """Print a table: per second, and as a ratio to the raw loop."""
    with psycopg.connect(urls.owner, autocommit=True) as owner:
        owner.execute(
            "CREATE TABLE raw (campaign_id uuid, seq bigint, body bytea, PRIMARY KEY (campaign_id, seq))"
        )
    async with Connections(urls.service) as connections:
        log = PostgresEventLog(connections)
        long_log = CampaignId(uuid4())
        await log.append([_chunk(long_log, Head(0, GENESIS, 0), LONG_LOG_EVENTS)])
        measures: dict[str, Callable[[], Awaitable[float]]] = {
            "raw INSERT per commit, 16 clients": lambda: raw_inserts_per_second(urls.owner),
            "append, 1 in flight": lambda: appends_per_second(log, 1),
            "append, 16 in flight": lambda: appends_per_second(log, 16),
            "append, 256 in flight": lambda: appends_per_second(log, 256),
            "laying out 256 alone": lambda: arguments_per_second(256),
            "tail of 10,000 events": lambda: read_per_second(log, long_log),
            "since, nothing new": lambda: lookups_per_second(log, long_log),
        }
        figures: dict[str, list[float]] = {name: [] for name in measures}
        for _ in range(ROUNDS):
            for name, run in measures.items():
                figures[name].append(await run())
    medians = {name: statistics.median(values) for name, values in figures.items()}
    floor = next(iter(medians.values()))
    for name, median in medians.items():
        print(f"{name:36}{median:12,.0f}/s{median / floor:8.2f} x")  # noqa: T201 - a measurement is for reading


def main() -> None:
    """Measure on the server that the environment names, or an embedded one."""
    with a_postgres_server() as server:
        asyncio.run(measure(server.new_database()))


if __name__ == "__main__":
    main()
