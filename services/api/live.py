"""`…/live`: a campaign's events as they happen, as server-sent events."""

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Annotated, Any

import structlog
from litestar import Controller, Request, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response.base import ASGIResponse
from litestar.types import HTTPScope, Receive, Scope, Send
from msgspec import Struct

from domain.ids import AccountId, CampaignId
from domain.rejection import Stale
from domain.sentences import say
from services.accounts.authentication import Principal
from services.api.authentication import secret_in
from services.api.openapi_roles import MEMBERS
from services.api.paths import campaign_of
from services.api.problems import Malformed
from services.application import Application
from services.queries.live_feed import Feed, FeedBegins, Feeds, end_frame
from services.queries.presence import PresentMember, members_here
from services.queries.told_actions import Teller, Told, ToldEvents

SEQ_DIGITS_MAX = 16
LAST_WORD_SECONDS_MAX = 0.5

DESCRIPTION = """Server-sent events. The first is `event: hello` with the head (`as_of`), where the feed begins
(`after`), and the `build` of the service: another one after an update.
Then each event comes as `id:` its seq, `event: event`, `data:` the same object as an item of
`GET …/events`, as you may see it: hidden ones as placeholders. `event: presence` tells who is here, when it begins
and whenever that changes, as `GET …/presence` does. Comments (`: keep-alive`) come while nothing
happens. A feed ends with `event: end` and a `code`: `not_signed_in` (the token was revoked, the
session is over), `campaign_not_found`
(you are no member any more), `shutting_down` (connect again) or `internal`.

With `words=true` each action follows its events as `event: action`: an entry of the chronicle with `names` and
with `touches`, the reads that it changed (`sheet:<character>`, `board:<system>/<board>`, `ledger`, `commands`, …;
`everything`: all of them). What it does not name reads as before. The last event of an action then has no id of
its own: the action's is that of both."""

HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would hold events back until it has some kilobytes
}

LastEventId = Annotated[
    str | None,
    HeaderParameter(name="Last-Event-ID", description="The seq you have come to; goes before `after`."),
]
FromQueryAfter = Annotated[
    int | None,
    QueryParameter(ge=0, le=2**53, description="Begin after this seq; without it, from now on."),
]

WordsQuery = Annotated[
    bool, QueryParameter(description="Tell each action in words too, with its dice and what it changed.")
]

log = structlog.get_logger("fieldlog.api")


class PresencePage(Struct, frozen=True):
    """The members who are here now, those first who have been here longest."""

    as_of: int
    present: list[PresentMember]


class LiveController(Controller):
    """The live feed of a campaign."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("actions",)

    @get(
        "/live",
        summary="The live feed",
        operation_class=MEMBERS,
        responses={
            200: ResponseSpec(
                str, description=DESCRIPTION, media_type="text/event-stream", generate_examples=False
            )
        },
    )
    async def live(
        self,
        request: Request[Any, Any, Any],
        application: NamedDependency[Application],
        feeds: NamedDependency[Feeds],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        last_event_id: LastEventId = None,
        after: FromQueryAfter = None,
        words: WordsQuery = False,
    ) -> "EventStream":
        """Every event from now on, or after a seq, as soon as it is in the log.

        A client that reconnects with `Last-Event-ID` misses no event and gets none twice. Refuses
        `campaign_not_found`, `ahead_of_log`, and `too_many_feeds` (429).
        """
        teller = Told(feeds.drawings) if words else ToldEvents()
        begin = begin_of(last_event_id, after)
        return await opened(
            application, feeds, request.scope, principal.account_id, campaign_of(campaign_id), begin, teller
        )

    @get("/presence", summary="Who is here now", operation_class=MEMBERS)
    async def presence(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> PresencePage:
        """The members who have a live feed open, in whatever process; feeds tell it in `event: presence`.

        Who closes a feed is gone within 3 seconds, whose connection breaks off without a word within 50.
        """
        seen = await application.campaigns.see(campaign_of(campaign_id), principal.account_id)
        return PresencePage(seen.seq, members_here(await application.presence.present(seen.campaign_id), seen))


async def opened(
    application: Application,
    feeds: Feeds,
    scope: Scope,
    reader: AccountId,
    campaign: CampaignId,
    begin: int | None,
    teller: Teller,
    *,
    tells_presence: bool = True,
) -> "EventStream":
    """A feed of a campaign that begins after a seq, None: now. Refuses `campaign_not_found` and `ahead_of_log`."""
    seen = await application.campaigns.see(campaign, reader)
    if begin is not None and begin > seen.seq:
        told = seen.told(say("This campaign's log ends at {seq}.", seq=seen.seq))
        raise Stale("ahead_of_log", told, seq=seen.seq)
    begins = FeedBegins(seen.seq, seen.seq if begin is None else begin, feeds.build)
    teller.look(seen, begins.after)  # so that of what happens from here on it is known what it changes
    secret, presence = secret_in(application, scope), application.presence

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
        presence if tells_presence else None,
        feeds.pages,
    )
    return EventStream(feeds, feed, begins, presence.feed_open(campaign, reader))


class EventStream(ASGIResponse):
    """A response that lasts until the feed, the client or the service ends."""

    _should_set_content_length = False

    def __init__(
        self,
        feeds: Feeds,
        feed: Feed,
        begins: FeedBegins,
        here: AbstractAsyncContextManager[None] | None = None,
    ) -> None:
        super().__init__(media_type="text/event-stream", headers=HEADERS)
        self._feeds = feeds
        self._feed = feed
        self._begins = begins
        self._here = here or nullcontext()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:  # type: ignore[override]
        """Stream. Raises `TooManyFeeds` before anything is sent."""
        with self._feeds.one_more(self._feed.account):
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
        feeding = asyncio.create_task(self._feed.run(self._writer(send), self._begins))
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


def begin_of(last_event_id: str | None, after: int | None) -> int | None:
    """The seq after which a feed begins, as its client says; None: it does not say."""
    if last_event_id is None:
        return after
    if not (last_event_id.isascii() and last_event_id.isdigit() and len(last_event_id) <= SEQ_DIGITS_MAX):
        raise Malformed("Last-Event-ID holds the seq you have come to, a number.")
    return int(last_event_id)
