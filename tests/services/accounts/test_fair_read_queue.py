"""Reads of one reader take turns and are charged, so that those of others and what is played go on."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from random import Random
from threading import get_ident
from typing import Any

import httpx
import pytest

from services.accounts.fair_read_queue import (
    AT_ONCE,
    LENT_MINUTES,
    MINUTE_SECONDS,
    READERS_MAX,
    WAIT_SECONDS_MAX,
    WAITING_MAX,
    Reads,
)
from services.errors import RateLimitExceeded
from services.http.middleware.kept_documents import KeptDocuments
from services.runtime.event_loop_cost import MeteredWork
from services.settings import Settings
from tests.services.conftest import NO_RATES, table_at
from tests.services.live_api import api
from tests.simulation.loop import a_loop

CONNECTIONS = 64
NOTES = 400
ROLLS = 30
SECONDS_PER_MINUTE = 12
LENT = SECONDS_PER_MINUTE * LENT_MINUTES


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop on which waiting takes no time."""
    with a_loop(Random(1), "as asyncio") as made:  # noqa: S311 — not for secrets
        yield made


def reads_of(loop: asyncio.AbstractEventLoop) -> Reads:
    return Reads(SECONDS_PER_MINUTE, loop.time)


def test_a_reader_has_some_places_and_others_wait_for_none_of_them(loop):
    async def read() -> None:
        reads = reads_of(loop)
        first = [await reads.begin("ana") for _ in range(AT_ONCE)]
        waiting = asyncio.create_task(reads.begin("ana"))
        other = await reads.begin("ben")
        assert not waiting.done()
        first[0].end(0)
        (await waiting).end(0)
        other.end(0)

    loop.run_until_complete(read())


def test_a_read_that_would_wait_too_long_is_refused_and_leaves_the_places_as_they_were(loop):
    async def read() -> None:
        reads = reads_of(loop)
        first = [await reads.begin("ana") for _ in range(AT_ONCE)]
        with pytest.raises(RateLimitExceeded) as refusal:
            await reads.begin("ana")
        assert (refusal.value.code, loop.time() >= WAIT_SECONDS_MAX) == ("too_many_reads", True)
        for each in first:
            each.end(0)
        assert all([await reads.begin("ana") for _ in range(AT_ONCE)])

    loop.run_until_complete(read())


def test_more_than_may_wait_are_refused_at_once(loop):
    async def read() -> None:
        reads = reads_of(loop)
        came = [asyncio.create_task(reads.begin("ana")) for _ in range(WAITING_MAX)]
        await asyncio.sleep(0)
        began = loop.time()
        with pytest.raises(RateLimitExceeded):
            await reads.begin("ana")
        assert loop.time() == began
        for each in came:
            each.cancel()
        await asyncio.gather(*came, return_exceptions=True)

    loop.run_until_complete(read())


def test_what_a_read_took_is_paid_off_before_the_next_begins(loop):
    async def read() -> None:
        reads = reads_of(loop)
        (await reads.begin("ana")).end(LENT + 0.5)
        began = loop.time()
        (await reads.begin("ben")).end(0)
        assert loop.time() == began, "another reader owes nothing"
        (await reads.begin("ana")).end(0)
        assert loop.time() - began == pytest.approx(0.5 * MINUTE_SECONDS / SECONDS_PER_MINUTE)
        (await reads.begin("ana")).end(WAIT_SECONDS_MAX)
        began = loop.time()
        with pytest.raises(RateLimitExceeded) as refusal:
            await reads.begin("ana")
        assert (refusal.value.code, refusal.value.seconds) == ("too_many_reads", 20)
        assert loop.time() - began == pytest.approx(WAIT_SECONDS_MAX), (
            "refusals that come at once are asked for again"
        )

    loop.run_until_complete(read())


def test_without_a_rate_nobody_owes_anything(loop):
    async def read() -> None:
        reads = Reads(0, loop.time)
        (await reads.begin("ana")).end(MINUTE_SECONDS)
        began = loop.time()
        (await reads.begin("ana")).end(0)
        assert loop.time() == began

    loop.run_until_complete(read())


@pytest.mark.parametrize("seconds_per_minute", [0, SECONDS_PER_MINUTE])
def test_readers_who_owe_nothing_any_more_are_forgotten(loop, seconds_per_minute):
    async def read() -> None:
        reads = Reads(seconds_per_minute, loop.time)
        for nth in range(READERS_MAX):
            (await reads.begin(f"at:{nth}")).end(0.1)
        await asyncio.sleep(MINUTE_SECONDS)
        (await reads.begin("ana")).end(0)
        assert len(reads._readers) <= 1

    loop.run_until_complete(read())


def test_one_long_read_of_a_reader_is_under_way_at_a_time_beside_the_short_ones(loop):
    async def read() -> None:
        reads = reads_of(loop)
        long, second = await reads.begin("ana"), await reads.begin("ana")
        await long.take_long()
        with pytest.raises(RateLimitExceeded) as refusal:
            await second.take_long()
        assert refusal.value.code == "long_read_under_way"
        second.end(0)
        short = [await reads.begin("ana") for _ in range(AT_ONCE)]
        waiting = asyncio.create_task(short[0].take_long())
        await asyncio.sleep(0)
        assert not waiting.done()
        long.end(0)
        await waiting

    loop.run_until_complete(read())


def test_what_a_long_read_took_keeps_its_reader_from_long_reads_only(loop):
    async def read() -> None:
        reads = reads_of(loop)
        book = await reads.begin("ana")
        await book.take_long()
        book.end(LENT + 6)
        began = loop.time()
        for _ in range(AT_ONCE * 2):
            (await reads.begin("ana")).end(0)
        again = await reads.begin("ana")
        assert loop.time() == began, "ordinary pages owe nothing for the book"
        with pytest.raises(RateLimitExceeded) as refusal:
            await again.take_long()
        again.end(0)
        assert (refusal.value.code, refusal.value.seconds) == ("too_many_reads", 25)
        await asyncio.sleep(25)
        later, began = await reads.begin("ana"), loop.time()
        await later.take_long()
        assert loop.time() == began
        later.end(0)

    loop.run_until_complete(read())


def test_what_keeps_the_loop_is_measured_and_what_is_waited_for_is_not(loop):
    now = 0.0

    async def work() -> str:
        nonlocal now
        now += 2
        await asyncio.sleep(1)
        now += 3
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            now += 5
            raise
        return "done"

    async def measure() -> None:
        nonlocal now
        metered = MeteredWork(work(), lambda: now)
        task = asyncio.ensure_future(metered)
        await asyncio.sleep(0.5)
        now += 1_000
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert metered.spent == 10
        assert await MeteredWork(asyncio.sleep(0, "whole")) == "whole"

    loop.run_until_complete(measure())


def test_a_document_is_made_once_plain_and_once_compressed():
    made: list[Any] = []
    threads: list[int] = []

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        made.append(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"etag", b'W/"1"')]})
        await send({"type": "http.response.body", "body": b"x" * 100_000})

    kept = KeptDocuments(answer, lambda: threads.append(get_ident()))

    def ask(*headers: tuple[bytes, bytes]) -> tuple[int, int]:
        told: list[Any] = []

        async def send(message: Any) -> None:
            told.append(message)

        scope: Any = {
            "type": "http",
            "method": "GET",
            "path": "/api/docs",
            "query_string": b"",
            "headers": [*headers],
        }
        asyncio.run(kept(scope, None, send))  # type: ignore[arg-type]
        return told[0]["status"], sum(len(each["body"]) for each in told[1:])

    known, packed = (b"if-none-match", b'W/"1"'), (b"accept-encoding", b"gzip")
    assert [ask(known), ask(), ask(known)] == [(304, 0), (200, 100_000), (304, 0)]
    assert [ask(packed), ask(packed, known)] == [(200, 100_000), (304, 0)]
    assert made == [[], [packed]]
    [thread] = threads
    assert thread != get_ident(), "it is described on another thread than the event loop's"


def test_the_documents_of_the_api_are_the_same_each_time(client):
    for path in ("/api/docs", "/api/docs/openapi.json"):
        first, again = client.get(path), client.get(path)
        assert first.status_code == 200
        assert first.content == again.content
        assert first.headers["x-request-id"] != again.headers["x-request-id"]
        assert client.get(path, headers={"If-None-Match": first.headers["etag"]}).status_code == 304


@pytest.mark.slow
def test_while_a_member_and_a_stranger_read_on_64_connections_another_campaign_plays_on(database):
    rates = NO_RATES | {"read_seconds_per_minute": Settings().read_seconds_per_minute}
    with api(database.service, rates=rates) as running:
        read, played = table_at(running.client), table_at(running.client, "Noor", "Sam")
        for nth in range(NOTES):
            read.act(read.gm, "campaign.add_note", text=f"Note {nth}: the tow train stops.")
        path = f"/api{read.path}"
        paths = [f"{path}/verify", f"{path}/actions?text=nowhere", f"{path}/statistics"]
        for wanted in (*paths, "/api/docs"):
            headers = {} if wanted == "/api/docs" else read.player.headers
            told = asyncio.run(_flooded(running.base, wanted, headers, played))
            assert told[200] > 0, wanted
            assert told.keys() <= {200, 201, 429}, (wanted, told)
            assert told[201] == ROLLS, (wanted, told)
        assert running.client.get("/health/ready").status_code == 200


async def _flooded(base: str, wanted: str, headers: dict[str, str], played: Any) -> Counter[int]:
    """What is answered to 64 connections that read, and to a member of another campaign who plays meanwhile."""
    statuses: Counter[int] = Counter()
    over = asyncio.Event()
    limits = httpx.Limits(max_connections=CONNECTIONS + 1)
    async with httpx.AsyncClient(base_url=base, timeout=60, limits=limits) as client:

        async def read_on() -> None:
            while not over.is_set():
                statuses[(await client.get(wanted, headers=headers)).status_code] += 1

        async def play() -> None:
            command = {"command": {"type": "campaign.roll", "notation": "d20"}}
            for _ in range(ROLLS):
                url = f"/api{played.path}/actions"
                answer = await client.post(url, json=command, headers=played.player.headers)
                statuses[answer.status_code] += 1
            over.set()

        async with asyncio.TaskGroup() as all_of_them:
            for _ in range(CONNECTIONS):
                all_of_them.create_task(read_on())
            all_of_them.create_task(play())
    return statuses
