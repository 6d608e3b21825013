"""The floor of everything that writes: what a program without a log could do."""

import asyncio
import time
from uuid import uuid4

import msgspec
import psycopg

from tests.engines import DatabaseUrls

CLIENTS = 16
BODY = msgspec.json.encode({"type": "tests.rolled", "dice": [6] * 40, "why": "x" * 150})
"""About 300 bytes."""


def make_raw_table(urls: DatabaseUrls) -> None:
    """A table with nothing but a key and a body, which the service's login may use too."""
    with psycopg.connect(urls.owner, autocommit=True) as owner:
        owner.execute(
            "CREATE TABLE raw (campaign_id uuid, seq bigint, body bytea, PRIMARY KEY (campaign_id, seq))"
        )
        owner.execute("GRANT INSERT ON raw TO fieldlog_service")


async def raw_inserts_per_second(urls: DatabaseUrls, seconds: float) -> float:
    """16 connections, each one INSERT per commit of a 300-byte body under a (campaign, seq) key."""
    done = 0
    everyone_is_connected = asyncio.Barrier(CLIENTS + 1)

    async def client() -> None:
        nonlocal done
        campaign_id, seq = uuid4(), 0
        async with await psycopg.AsyncConnection.connect(urls.owner, autocommit=True) as connection:
            cursor = connection.cursor()
            await everyone_is_connected.wait()
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                seq += 1
                await cursor.execute("INSERT INTO raw VALUES (%s, %s, %s)", (campaign_id, seq, BODY))
                done += 1

    clients = [asyncio.create_task(client()) for _ in range(CLIENTS)]
    await everyone_is_connected.wait()
    began = time.perf_counter()
    await asyncio.gather(*clients)
    return done / (time.perf_counter() - began)
