"""The live feed: a campaign's events as they happen, for one reader, as server-sent events.

A feed remembers only the seq it has reached. It reads the log after a notification, and after some time without
one, so that losing Redis only delays. Each time, the reader's permission is checked again. A message that feeds
tell alike, because their readers know the same, is made once.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import inf
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct
from prometheus_client import Gauge

from domain.accounts import watcher_of
from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from domain.presence import Here
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.campaign_news import Notifier
from services.reading.changed_reads import Drawings
from services.reading.live_feed_news import Frame, Teller, ToldEvents
from services.reading.presence import Presence, PresentMember, members_here
from services.reading.read_dependencies import Readers
from services.runtime.reader_language import reader_time_zone, told_to_reader
from services.version import VERSION

FEEDS_PER_ACCOUNT_MAX = 20
PAGE_EVENTS_MAX = 50
"""Events that a feed holds in memory, however slowly its client reads."""
RETRY_MILLISECONDS = 1000
LOOK_EARLY_MAX = 0.05
"""A timer may end too early by this part of the time between looks: the look is that for which it waited."""

OPEN = Gauge("fieldlog_live_feeds", "Live feeds open in this process", multiprocess_mode="livesum")

KEEP_ALIVE = b": keep-alive\n\n"

Write = Callable[[bytes], Awaitable[None]]
Run = Callable[[Write], Awaitable[Rejection]]
"""Tells what a feed tells until it ends, and returns why."""


class Pace(Struct, frozen=True):
    """The intervals of a feed."""

    heartbeat_seconds: float = 15.0
    """The longest time without a comment, so that proxies do not close a quiet feed."""
    look_seconds: float = 0.8
    """Between checks of the token, and of the log while notifications may be missed."""
    trust_seconds: float = 10.0
    """Between checks of the log although notifications are reliable."""
    stall_seconds: float = 60.0
    """A client that reads nothing for so long is disconnected."""
    progress_seconds: float = 1.0
    """Between progress events of an undo's search."""
    presence_seconds: float = 2.0
    """Between looks at who else is here."""

    def until_look(self, campaign_id: CampaignId | None, now: float) -> float:
        """The seconds until the next look: all feeds of a campaign look together, and share what they read.

        Those of different campaigns look at different times, so that they do not keep each other waiting. `now` is
        in seconds of any clock, the same for all.
        """
        looks = now / self.look_seconds + (0 if campaign_id is None else campaign_id.int % 1009 / 1009)
        until = 1 - looks % 1
        return (until if until > LOOK_EARLY_MAX else until + 1) * self.look_seconds


class FeedBegins(Struct, frozen=True):
    """`event: hello`: the head, the seq that the feed begins after, and the build of the service."""

    as_of: int
    after: int
    build: str


class FeedPresence(Struct, frozen=True):
    """`event: presence`: the members who have a feed open now; told again when that changes."""

    present: list[PresentMember]


class FeedNames(Struct, frozen=True):
    """`event: names`: how members are called, present and former, since one of them has another name."""

    names: dict[AccountId, str]


class FeedEnds(Struct, frozen=True):
    """`event: end`: why no more comes."""

    code: str
    detail: str


class FeedPage:
    """The next things that some feeds tell, made by the first that wants them."""

    def __init__(self) -> None:
        self._made: list[Frame] | None = None
        self._making = asyncio.Lock()

    async def frames(self, make: Callable[[], Awaitable[list[Frame]]]) -> list[Frame]:
        """The message to tell; an interrupted or failed attempt leaves it to the next feed."""
        async with self._making:
            if self._made is None:
                self._made = await make()
        return self._made


class FeedPages:
    """The pages that open feeds have told last."""

    def __init__(self) -> None:
        self._pages: WeakValueDictionary[tuple[Any, ...], FeedPage] = WeakValueDictionary()

    def of(self, teller: Teller, campaign: VisibleCampaign, after: int) -> FeedPage:
        """The events after a seq; the same page for every reader to whom it is told alike."""
        reader = (campaign.campaign_id, campaign.audience.key, campaign.language, campaign.watching_code)
        key = (type(teller), *reader, reader_time_zone(), after, campaign.seq, teller.changes)
        page = self._pages.get(key)
        if page is None:
            page = self._pages[key] = FeedPage()
        return page


class TooManyFeeds(Exception):  # noqa: N818 — worded like its problem code
    """The account has as many open feeds as it may have."""

    def __init__(self) -> None:
        self.message = say("You have {most} live feeds open already; close one first.", most=FEEDS_PER_ACCOUNT_MAX)
        super().__init__(self.message)


class Feeds:
    """All feeds of this process. `build` tells clients that know it whether the service is still the same."""

    def __init__(self, pace: Pace, build: str = VERSION) -> None:
        self.pace = pace
        self.build = build
        self.ended = asyncio.Event()
        self.drawings = Drawings()
        self.pages = FeedPages()
        self._of: Counter[AccountId | str] = Counter()

    @contextmanager
    def more(self, reader: AccountId | str, count: int = 1) -> Iterator[None]:
        """Count the feeds of an account, or of an address without one, while they run. Raises `TooManyFeeds`."""
        if self._of[reader] + count > FEEDS_PER_ACCOUNT_MAX:
            raise TooManyFeeds
        self._of[reader] += count
        OPEN.inc(count)
        try:
            yield
        finally:
            OPEN.dec(count)
            self._of[reader] -= count
            if not self._of[reader]:
                del self._of[reader]

    def end(self) -> None:
        """End every feed now, because the service stops."""
        self.ended.set()


class Feed:
    """One reader's feed of one campaign, starting after a seq, while `is_signed_in`.

    `teller` says what is told, None: events only. `presence` adds who is here. `pages` are those of all feeds.
    """

    def __init__(
        self,
        readers: Readers,
        notifier: Notifier,
        pace: Pace,
        is_signed_in: Callable[[], Awaitable[bool]],
        account: AccountId,
        campaign_id: CampaignId,
        teller: Teller | None = None,
        presence: Presence | None = None,
        pages: FeedPages | None = None,
    ) -> None:
        self.account = account
        self._teller = teller or ToldEvents()
        self._presence = presence
        self._pages = pages or FeedPages()
        self._page: FeedPage | None = None
        self._told_present: dict[AccountId, Here] | None = None
        self._campaign: VisibleCampaign | None = None
        self._told_names: dict[AccountId, str] | None = None
        self._asked_present_at = -inf
        self._readers = readers
        self._notifier = notifier
        self._pace = pace
        self._is_signed_in = is_signed_in
        self._campaign_id = campaign_id
        self._after = 0
        self._looked_at = -inf
        self._said_at = -inf

    async def run(self, write: Write, begins: FeedBegins) -> Rejection:
        """Send events until this reader may not read the campaign any more; returns the reason."""
        self._after = begins.after
        async with self._notifier.subscribe(self._campaign_id) as subscription:
            is_notified = True
            await self._say(write, hello_frame(begins))
            while True:
                try:
                    due = monotonic() - self._looked_at >= self._pace.trust_seconds
                    if is_notified or due or not subscription.is_reliable:
                        await self.tell_news(write)
                    else:
                        await self._require_token()
                    await self._tell_presence(write)
                    await self._tell_names(write)
                except Rejection as refusal:
                    return refusal
                except DatabaseUnavailable:
                    self._looked_at = -inf  # the log could not be read: look again soon
                quiet = monotonic() - self._said_at
                if quiet >= self._pace.heartbeat_seconds:
                    await self._say(write, KEEP_ALIVE)
                    quiet = 0
                until_look = self._pace.until_look(self._campaign_id, monotonic())
                is_notified = await subscription.wait(min(until_look, self._pace.heartbeat_seconds - quiet))

    async def tell_news(self, write: Write) -> None:
        """Send everything up to the head, a page at a time. Raises `Rejection` if reading is no longer allowed."""
        while True:
            campaign = await self._look()
            if self._after >= campaign.seq:
                return
            after = self._after
            self._page = self._pages.of(self._teller, campaign, after)  # kept for feeds that look a little later
            for seq, frame in await self._page.frames(partial(self._next, campaign, after)):
                if frame:
                    await self._say(write, frame)
                self._after = seq
                if monotonic() - self._looked_at >= self._pace.look_seconds:
                    break  # the client reads slowly: its member may have been removed meanwhile
            if self._after in (after, campaign.seq):
                return  # news since then are notified, or seen at the next look

    async def _next(self, campaign: VisibleCampaign, after: int) -> list[Frame]:
        """The events after a seq, a page of them."""
        rows = campaign.news_after(after)
        if rows is None:
            rows = await self._readers.log.tail(
                campaign.campaign_id, after, limit=PAGE_EVENTS_MAX, upto=campaign.seq
            )
        return await self._teller.frames(self._readers.log, campaign, rows) if rows else []

    async def _tell_presence(self, write: Write) -> None:
        """The members who are here, where that has changed."""
        if self._presence is None or monotonic() - self._asked_present_at < self._pace.presence_seconds:
            return
        self._asked_present_at = monotonic()
        present = await self._presence.present(self._campaign_id)
        if present != self._told_present:
            campaign = await self._readers.campaigns.see(self._campaign_id, self.account)
            await self._say(write, _present(members_here(present, campaign)))
            self._told_present = present

    async def _tell_names(self, write: Write) -> None:
        """How members are called, where that is otherwise than it was for the same members."""
        if self._campaign is None:
            return
        state, before = self._campaign.state, self._told_names
        await self._readers.names.fetch_all_in(state)
        people = dict.fromkeys((*state.members, *state.former_members))
        self._told_names = {account: self._campaign.name(account) for account in people}
        if before is not None and any(
            before.get(account, name) != name for account, name in self._told_names.items()
        ):
            await self._say(write, _names(self._told_names))

    async def _look(self) -> VisibleCampaign:
        """The campaign as this reader may see it now. Raises `not_signed_in` and `campaign_not_found`."""
        await self._require_token()
        campaign = await self._readers.campaigns.see(self._campaign_id, self.account)
        self._looked_at = monotonic()
        self._campaign = campaign
        self._teller.look(campaign, self._after)
        return campaign

    async def _require_token(self) -> None:
        if not await self._is_signed_in():
            raise _no_longer_signed_in(is_watched=self.account == watcher_of(self._campaign_id))

    async def _say(self, write: Write, frame: bytes) -> None:
        await write(frame)
        self._said_at = monotonic()


class SharedFeed:
    """The messages of several feeds over one connection, for all windows of a browser, while `is_signed_in`.

    The data of each event begins with a line of its own: the id of the campaign that it is about. A feed that ends
    leaves the others going on.
    """

    def __init__(
        self,
        pace: Pace,
        is_signed_in: Callable[[], Awaitable[bool]],
        feeds: Mapping[CampaignId, Run],
        *,
        is_watched: bool = False,
    ) -> None:
        self._pace = pace
        self._is_signed_in = is_signed_in
        self._feeds = feeds
        self._is_watched = is_watched

    async def run(self, write: Write) -> Rejection:
        """Send what all feeds tell until the sign-in is over; returns the reason."""
        watching = asyncio.create_task(self._until_signed_out(write))
        running: set[asyncio.Task[Any]] = {watching}
        running |= {
            asyncio.create_task(_run_for(campaign_id, run, write)) for campaign_id, run in self._feeds.items()
        }
        try:
            while not watching.done():
                over, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in over:
                    task.result()
            return watching.result()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _until_signed_out(self, write: Write) -> Rejection:
        said_at = monotonic()
        while True:
            try:
                if not await self._is_signed_in():
                    return _no_longer_signed_in(is_watched=self._is_watched)
            except Rejection as refusal:
                return refusal
            except DatabaseUnavailable:
                pass  # it is not known now: ask again soon
            if monotonic() - said_at >= self._pace.heartbeat_seconds:
                await write(KEEP_ALIVE)  # also where no feed runs
                said_at = monotonic()
            await asyncio.sleep(self._pace.until_look(next(iter(self._feeds), None), monotonic()))


async def _run_for(campaign: CampaignId, run: Run, write: Write) -> None:
    about = f"data: {campaign}\n".encode()

    async def write_about(frame: bytes) -> None:
        await write(frame if frame == KEEP_ALIVE else about + frame)

    refusal = await run(write_about)
    await write_about(end_frame(refusal.code, refusal.message))


def _no_longer_signed_in(*, is_watched: bool) -> Rejection:
    """Why feeds of a sign-in end with it, and those of a watching link."""
    if is_watched:
        return Rejection("not_signed_in", "This link for watching is over.")
    return Rejection("not_signed_in", "You are not signed in any more.")


def end_frame(code: str, message: str | Sentence) -> bytes:
    """The last thing a feed says, in its reader's language."""
    return b"event: end\ndata: %b\n\n" % msgspec.json.encode(FeedEnds(code, told_to_reader(message)))


def hello_frame(begins: FeedBegins) -> bytes:
    """The first thing a feed says. Its id makes a client that loses the line before any event resume here."""
    data = msgspec.json.encode(begins)
    return b"retry: %d\nid: %d\nevent: hello\ndata: %b\n\n" % (RETRY_MILLISECONDS, begins.after, data)


def _names(names: dict[AccountId, str]) -> bytes:
    return b"event: names\ndata: %b\n\n" % msgspec.json.encode(FeedNames(names))


def _present(members: list[PresentMember]) -> bytes:
    return b"event: presence\ndata: %b\n\n" % msgspec.json.encode(FeedPresence(members))
