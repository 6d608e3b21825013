"""Server-sent events that last until what runs, the client or the service ends."""

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Any

import structlog
from litestar.response.base import ASGIResponse
from litestar.types import HTTPScope, Receive, Send

from domain.ids import AccountId, CampaignId
from domain.rejection import Stale
from domain.sentences import say
from services.application import Application
from services.reading.live_feed import Feed, FeedBegins, Feeds, Run, end_frame
from services.reading.live_feed_news import Teller
from services.reading.presence import Presence

LAST_WORD_SECONDS_MAX = 0.5


log = structlog.get_logger("fieldlog.api")

HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would hold events back until it has some kilobytes
}


async def run_of(
    application: Application,
    feeds: Feeds,
    secret: str,
    reader: AccountId,
    campaign: CampaignId,
    begin: int | None,
    teller: Teller,
    presence: Presence | None = None,
) -> Run:
    """The function that runs such a feed, which tells of `presence` where it has it.

    Refuses what `opened` refuses.
    """
    visible = await application.campaigns.see(campaign, reader)
    if begin is not None and begin > visible.seq:
        text = visible.text_of(say("This campaign's log ends at {seq}.", seq=visible.seq))
        raise Stale("ahead_of_log", text, seq=visible.seq)
    begins = FeedBegins(visible.seq, visible.seq if begin is None else begin, feeds.build)
    teller.look(visible, begins.after)  # so that of what happens from here on it is known what it changes

    async def is_signed_in() -> bool:
        return await application.people.principal(secret) is not None

    feed = Feed(
        application,
        application.notifier,
        feeds.pace,
        is_signed_in,
        reader,
        campaign,
        teller,
        presence,
        feeds.pages,
    )
    return partial(feed.run, begins=begins)


class EventStream(ASGIResponse):
    """A response that lasts until what runs, the client or the service ends. It counts as so many feeds."""

    _should_set_content_length = False

    def __init__(
        self,
        feeds: Feeds,
        reader: AccountId | str,
        run: Run,
        here: AbstractAsyncContextManager[None] | None = None,
        count: int = 1,
    ) -> None:
        super().__init__(media_type="text/event-stream", headers=HEADERS)
        self._feeds = feeds
        self._reader = reader
        self._run = run
        self._count = count
        self._here = here or nullcontext()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:  # type: ignore[override]
        """Stream. Raises `TooManyFeeds` before anything is sent."""
        with self._feeds.more(self._reader, self._count):
            await self.start_response(send)
            async with self._here:
                last_word = await self._feed_until_over(receive, send)
            if last_word is not None:
                try:
                    async with asyncio.timeout(LAST_WORD_SECONDS_MAX):
                        await send({"type": "http.response.body", "body": last_word, "more_body": False})
                except TimeoutError:
                    log.info("live_feed_stalled", path=scope["path"])

    async def _feed_until_over(self, receive: Receive, send: Send) -> bytes | None:
        """Run the feed; returns its last frame, None when the client has disconnected."""
        feeding = asyncio.ensure_future(self._run(self._writer(send)))
        hung_up = asyncio.create_task(_until_hung_up(receive))
        stopping = asyncio.create_task(self._feeds.ended.wait())
        tasks = (feeding, hung_up, stopping)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if hung_up.done():
                return None
            if not feeding.done():
                return end_frame("shutting_down", say("The service stops; please connect again."))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        failure = feeding.exception()
        if failure is None:
            refusal = feeding.result()
            return end_frame(refusal.code, refusal.message)
        if not isinstance(failure, TimeoutError):
            log.error("live_feed_broke", exc_info=failure)
        return end_frame("internal", say("Something broke on our side; please connect again."))

    def _writer(self, send: Send) -> Any:
        stall_seconds = self._feeds.pace.stall_seconds

        async def write(frame: bytes) -> None:
            async with asyncio.timeout(stall_seconds):
                await send({"type": "http.response.body", "body": frame, "more_body": True})

        return write


async def _until_hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
