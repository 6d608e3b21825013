"""The live feed: a campaign's events as they happen, for one reader, as server-sent events.

A feed remembers only the seq it has come to. A notification makes it look into the log, and so does the
passing of time, so that losing Redis only delays. Who may read what is asked again with each look.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic

import msgspec
from msgspec import Raw, Struct
from prometheus_client import Gauge

from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from services.ports.notifier import Notifier
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import events_after
from services.queries.readers import Readers

FEEDS_PER_ACCOUNT_MAX = 20
PAGE_EVENTS_MAX = 50
"""All that a feed holds in memory, however slowly its client reads."""
RETRY_MILLISECONDS = 1000

OPEN = Gauge("fieldlog_live_feeds", "Live feeds open in this process")

Write = Callable[[bytes], Awaitable[None]]


class Pace(Struct, frozen=True):
    """How often a feed does what.

    `heartbeat_seconds`: a comment at least so often, which keeps proxies from closing a quiet feed.
    `look_seconds`: the token is looked at so often, and the log too while notifications may be missed.
    `trust_seconds`: the log is looked at so often although every notification should arrive.
    `stall_seconds`: a client that takes nothing for so long has gone. `progress_seconds`: how often a search for
    what an undo touches says how far it is.
    """

    heartbeat_seconds: float = 15.0
    look_seconds: float = 0.8
    trust_seconds: float = 10.0
    stall_seconds: float = 60.0
    progress_seconds: float = 1.0


class TooManyFeeds(Exception):  # noqa: N818 — worded like its problem code
    """The account has as many feeds open as one may have."""


class Feeds:
    """All feeds of this process."""

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self.ended = asyncio.Event()
        self._of: Counter[AccountId] = Counter()

    @contextmanager
    def one_more(self, account: AccountId) -> Iterator[None]:
        """Count a feed for as long as it runs. Raises `TooManyFeeds`."""
        if self._of[account] >= FEEDS_PER_ACCOUNT_MAX:
            raise TooManyFeeds(f"You have {FEEDS_PER_ACCOUNT_MAX} live feeds open already; close one first.")
        self._of[account] += 1
        OPEN.inc()
        try:
            yield
        finally:
            OPEN.dec()
            self._of[account] -= 1
            if not self._of[account]:
                del self._of[account]

    def end(self) -> None:
        """Let every feed end now: the service is going to stop."""
        self.ended.set()


class Feed:
    """One reader's feed of one campaign, from the event after a seq on, while `is_signed_in`."""

    def __init__(
        self,
        readers: Readers,
        notifier: Notifier,
        pace: Pace,
        is_signed_in: Callable[[], Awaitable[bool]],
        account: AccountId,
        campaign_id: CampaignId,
    ) -> None:
        self.account = account
        self._readers = readers
        self._notifier = notifier
        self._pace = pace
        self._is_signed_in = is_signed_in
        self._campaign_id = campaign_id
        self._after = 0
        self._looked_at = -inf
        self._said_at = -inf

    async def run(self, write: Write, after: int, as_of: int) -> Rejection:
        """Tell what happens until this reader may not know it any more; the reason why."""
        self._after = after
        async with self._notifier.subscribe(self._campaign_id) as subscription:
            is_notified = True
            await self._say(write, _hello(after, as_of))
            while True:
                try:
                    due = monotonic() - self._looked_at >= self._pace.trust_seconds
                    if is_notified or due or not subscription.is_reliable:
                        await self._tell_news(write)
                    else:
                        await self._require_token()
                except Rejection as refusal:
                    return refusal
                except DatabaseUnavailable:
                    self._looked_at = -inf  # nothing can have changed that we could know of: look again soon
                quiet = monotonic() - self._said_at
                if quiet >= self._pace.heartbeat_seconds:
                    await self._say(write, b": keep-alive\n\n")
                    quiet = 0
                is_notified = await subscription.wait(
                    min(self._pace.look_seconds, self._pace.heartbeat_seconds - quiet)
                )

    async def _tell_news(self, write: Write) -> None:
        """Everything up to the head, a page at a time. Raises `Rejection` as soon as it may not be read."""
        while True:
            seen = await self._look()
            page = await events_after(self._readers.log, seen, self._after, PAGE_EVENTS_MAX)
            for seq, event in page:
                await self._say(write, _event(seq, event))
                self._after = seq
                if monotonic() - self._looked_at >= self._pace.look_seconds:
                    break  # the client reads slowly: it may have been removed meanwhile
            if self._after >= seen.seq or not page:
                return

    async def _look(self) -> VisibleCampaign:
        """The campaign as this reader may see it now. Refuses `not_signed_in` and `campaign_not_found`."""
        await self._require_token()
        seen = await self._readers.reading.see(self._campaign_id, self.account)
        self._looked_at = monotonic()
        return seen

    async def _require_token(self) -> None:
        if not await self._is_signed_in():
            raise Rejection("not_signed_in", "This token is not valid any more.")

    async def _say(self, write: Write, frame: bytes) -> None:
        await write(frame)
        self._said_at = monotonic()


def end_frame(code: str, detail: str) -> bytes:
    """The last thing a feed says."""
    return b"event: end\ndata: %b\n\n" % msgspec.json.encode({"code": code, "detail": detail})


def _hello(after: int, as_of: int) -> bytes:
    """The first thing a feed says. Its id makes a client that loses the line before any event resume here."""
    data = msgspec.json.encode({"as_of": as_of, "after": after})
    return b"retry: %d\nid: %d\nevent: hello\ndata: %b\n\n" % (RETRY_MILLISECONDS, after, data)


def _event(seq: int, event: Raw) -> bytes:
    return b"id: %d\nevent: event\ndata: %b\n\n" % (seq, bytes(event))
