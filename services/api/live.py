"""`…/live`: a campaign as it happens, as server-sent events."""

import asyncio
from typing import Annotated, Any

import structlog
from litestar import Controller, Request, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response.base import ASGIResponse
from litestar.types import HTTPScope, Receive, Send

from domain.rejection import Stale
from domain.sentences import say
from services.accounts.authentication import Principal
from services.api.authentication import bearer_token
from services.api.openapi_roles import MEMBERS
from services.api.paths import campaign_of
from services.api.problems import Malformed
from services.application import Application
from services.queries.live_feed import Feed, Feeds, end_frame

SEQ_DIGITS_MAX = 16
LAST_WORD_SECONDS_MAX = 0.5

DESCRIPTION = """Server-sent events. The first is `event: hello` with the head (`as_of`) and where the feed begins
(`after`). Then each event comes as `id:` its seq, `event: event`, `data:` the same object as an item of
`GET …/events`, as you may see it: hidden ones as placeholders. Comments (`: keep-alive`) come while nothing
happens. A feed ends with `event: end` and a `code`: `not_signed_in` (the token was revoked), `campaign_not_found`
(you are no member any more), `shutting_down` (connect again) or `internal`."""

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

log = structlog.get_logger("fieldlog.api")


class LiveController(Controller):
    """What happens, while it happens."""

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
    ) -> "EventStream":
        """Every event from now on, or after a seq, as soon as it is in the log.

        A client that reconnects with `Last-Event-ID` misses nothing and gets nothing twice. Refuses
        `campaign_not_found`, `ahead_of_log`, and `too_many_feeds` (429).
        """
        start = _seq_of(last_event_id) if last_event_id is not None else after
        campaign = campaign_of(campaign_id)
        seen = await application.reading.see(campaign, principal.account_id)
        if start is not None and start > seen.seq:
            raise Stale(
                "ahead_of_log", seen.told(say("This campaign's log ends at {seq}.", seq=seen.seq)), seq=seen.seq
            )
        token = bearer_token(request)

        async def is_signed_in() -> bool:
            return await application.people.principal(token) is not None

        feed = Feed(application, application.notifier, feeds.pace, is_signed_in, principal.account_id, campaign)
        return EventStream(feeds, feed, seen.seq if start is None else start, seen.seq)


class EventStream(ASGIResponse):
    """A response that lasts until the feed, the client or the service ends."""

    _should_set_content_length = False

    def __init__(self, feeds: Feeds, feed: Feed, after: int, as_of: int) -> None:
        super().__init__(media_type="text/event-stream", headers=HEADERS)
        self._feeds = feeds
        self._feed = feed
        self._after = after
        self._as_of = as_of

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:  # type: ignore[override]
        """Stream. Raises `TooManyFeeds` before anything is sent."""
        with self._feeds.one_more(self._feed.account):
            await self.start_response(send)
            last_word = await self._feed_until_over(receive, send)
            if last_word is not None:
                try:
                    async with asyncio.timeout(LAST_WORD_SECONDS_MAX):
                        await send({"type": "http.response.body", "body": last_word, "more_body": False})
                except TimeoutError:
                    log.info("live_feed_stalled", path=scope["path"])

    async def _feed_until_over(self, receive: Receive, send: Send) -> bytes | None:
        """What is left to be said; None when nobody listens any more."""
        feeding = asyncio.create_task(self._feed.run(self._writer(send), self._after, self._as_of))
        hung_up = asyncio.create_task(_until_hung_up(receive))
        stopping = asyncio.create_task(self._feeds.ended.wait())
        tasks = (feeding, hung_up, stopping)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if hung_up.done():
                return None
            if not feeding.done():
                return end_frame("shutting_down", "The service stops; please connect again.")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        failure = feeding.exception()
        if failure is None:
            refusal = feeding.result()
            return end_frame(refusal.code, str(refusal.message))
        if not isinstance(failure, TimeoutError):
            log.error("live_feed_broke", exc_info=failure)
        return end_frame("internal", "Something broke on our side; please connect again.")

    def _writer(self, send: Send) -> Any:
        stall_seconds = self._feeds.pace.stall_seconds

        async def write(frame: bytes) -> None:
            async with asyncio.timeout(stall_seconds):
                await send({"type": "http.response.body", "body": frame, "more_body": True})

        return write


async def _until_hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _seq_of(last_event_id: str) -> int:
    if not (last_event_id.isascii() and last_event_id.isdigit() and len(last_event_id) <= SEQ_DIGITS_MAX):
        raise Malformed("Last-Event-ID holds the seq you have come to, a number.")
    return int(last_event_id)
