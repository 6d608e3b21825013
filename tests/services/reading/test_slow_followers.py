"""Clients that read slowly or not at all: they cost one page of memory, see nothing late, and are let go."""

import asyncio
import time
from functools import partial
from types import SimpleNamespace
from typing import cast
from uuid import uuid4

import pytest
from litestar.types import HTTPScope

from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from infra.in_process.campaign_news import InProcessNotifier
from services.http.event_stream import EventStream
from services.reading.live_feed import Feed, FeedBegins, Feeds, Pace
from services.reading.live_feed_news import ToldEvents
from services.reading.read_dependencies import Readers

SOMEBODY = AccountId(uuid4())
SOMEWHERE = CampaignId(uuid4())
PROMPTLY_SECONDS = 2.0
BEGINS = FeedBegins(as_of=1000, after=0, build="1.0.0")


NOBODY = SimpleNamespace(members={}, former_members={})
SEEN = SimpleNamespace(
    seq=1000,
    campaign_id=SOMEWHERE,
    audience=SimpleNamespace(key=""),
    language="en",
    watching_code="",
    state=NOBODY,
    news_after=lambda _: None,
)


class Crowd(ToldEvents):
    """Readers of one campaign of a thousand events, which notes how far it was read."""

    def __init__(self) -> None:
        self.read_upto = 0
        self.campaigns = self.log = self.names = self

    def feed(self, pace: Pace) -> Feed:
        async def is_signed_in() -> bool:
            return True

        readers = cast("Readers", self)
        return Feed(readers, InProcessNotifier(), pace, is_signed_in, SOMEBODY, SOMEWHERE, teller=self)

    async def see(self, *_):
        return SEEN

    async def tail(self, _, after, limit, upto):
        self.read_upto = max(self.read_upto, min(upto, after + limit))
        return [SimpleNamespace(seq=seq) for seq in range(after + 1, self.read_upto + 1)]

    async def fetch_all_in(self, _):
        return None

    async def frames(self, _log, _seen, rows):
        return [(row.seq, b"id: %d\n\n" % row.seq) for row in rows]


@pytest.fixture
def crowd():
    return Crowd()


async def never():
    await asyncio.Event().wait()


@pytest.mark.anyio
async def test_a_feed_reads_no_further_than_a_page_ahead_of_a_client_that_does_not_read(crowd):
    taken, stuck = [], asyncio.Event()

    async def write(frame):
        taken.append(frame)
        if len(taken) > 120:
            stuck.set()
            await never()

    feed = crowd.feed(Pace())
    running = asyncio.create_task(feed.run(write, BEGINS))
    await stuck.wait()
    assert crowd.read_upto == 150
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.mark.anyio
async def test_a_client_that_takes_nothing_for_long_is_let_go(crowd):
    feeds = Feeds(Pace(stall_seconds=0.05))
    sent = []

    async def send(message):
        sent.append(message)
        if len(sent) > 10:
            await never()

    stream = EventStream(feeds, SOMEBODY, partial(crowd.feed(feeds.pace).run, begins=BEGINS))
    began = time.monotonic()
    await stream(cast("HTTPScope", {"type": "http", "path": "/live"}), never, send)
    assert time.monotonic() - began < PROMPTLY_SECONDS
    assert not feeds._of


@pytest.mark.anyio
async def test_a_member_removed_while_their_client_reads_slowly_gets_no_further_page(crowd):
    """Each event takes longer than a look may be old, so each is asked for anew."""
    looks = []

    async def see(*_):
        looks.append(len(taken))
        if len(taken) > 3:
            raise Rejection("campaign_not_found", "gone")
        return SEEN

    crowd.see = see
    taken = []

    async def write(frame):
        taken.append(frame)
        await asyncio.sleep(0.02)

    refusal = await crowd.feed(Pace(look_seconds=0.01)).run(write, BEGINS)
    assert refusal.code == "campaign_not_found"
    assert len(taken) == 4
