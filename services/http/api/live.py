"""`…/live`: a campaign's events as they happen, as server-sent events."""

from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter
from msgspec import Struct

from services.errors import Malformed
from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import MEMBERS
from services.http.event_stream import EventStream, run_of
from services.http.middleware.authentication import counted_reader, secret_in
from services.reading.live_feed import Feeds
from services.reading.live_feed_news import EventTeller, Teller, ToldEvents
from services.reading.presence import PresentMember, members_here

SEQ_DIGITS_MAX = 16

DESCRIPTION = """Server-sent events. The first is `event: hello` with the head (`as_of`), where the feed begins
(`after`), and the `build` of the service: another one after an update.
Then each event comes as `id:` its seq, `event: event`, `data:` the same object as an item of
`GET …/events`, as you may see it: hidden ones as placeholders. `event: presence` tells who is here, when it begins
and whenever that changes, as `GET …/presence` does. `event: names` tells how members are called when one of them
has taken another name, also in what is past. Comments (`: keep-alive`) come while nothing
happens. A feed ends with `event: end` and a `code`: `not_signed_in` (the token was revoked, the
session is over), `campaign_not_found`
(you are no member any more), `shutting_down` (connect again) or `internal`.

With `words=true` each action follows its events as `event: action`: an entry of the chronicle with `names` and
with `touches`, the reads that it changed (`sheet:<character>`, `board:<system>/<board>`, `ledger`, `commands`, …;
`everything`: all of them). Parts that it does not name read as before. The last event of an action then has no id
of its own: the action's is that of both."""


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
        asker: NamedDependency[CampaignCaller],
        feeds: NamedDependency[Feeds],
        last_event_id: LastEventId = None,
        after: FromQueryAfter = None,
        words: WordsQuery = False,
    ) -> "EventStream":
        """Every event from now on, or after a seq, as soon as it is in the log.

        A client that reconnects with `Last-Event-ID` misses no event and gets none twice. Refuses
        `campaign_not_found`, `ahead_of_log`, and `too_many_feeds` (429).
        """
        teller = EventTeller(feeds.drawings) if words else ToldEvents()
        begin = begin_of(last_event_id, after)
        return await open_feed(
            asker,
            feeds,
            begin,
            teller,
        )

    @get("/presence", summary="The people who are here now", operation_class=MEMBERS)
    async def presence(self, asker: NamedDependency[CampaignCaller]) -> PresencePage:
        """The members who have a live feed open, in whatever process; feeds tell it in `event: presence`.

        `looks_elsewhere` is true of a member whose windows of the campaign are all out of sight.

        A member who closes a feed is gone within 3 seconds, one whose connection breaks off without a word
        within 50.
        """
        campaign = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        return PresencePage(
            campaign.seq,
            members_here(await asker.application.presence.present(campaign.campaign_id), campaign),
        )


async def open_feed(asker: CampaignCaller, feeds: Feeds, begin: int | None, teller: Teller) -> "EventStream":
    """A feed of a campaign that begins after a seq, None: now. Refuses `campaign_not_found` and `ahead_of_log`.

    A watcher is not here, and is not told who is.
    """
    application, reader, campaign = asker.application, asker.account, asker.campaign_id
    presence = application.presence if asker.principal.watches is None else None
    secret = secret_in(application, asker.request.scope)
    run = await run_of(application, feeds, secret, reader, campaign, begin, teller, presence)
    here = None if presence is None else presence.feed_open(campaign, reader)
    return EventStream(feeds, counted_reader(asker.principal, asker.request), run, here)


def begin_of(last_event_id: str | None, after: int | None) -> int | None:
    """The seq after which a feed begins, as its client says; None: it does not say."""
    if last_event_id is None:
        return after
    if not (last_event_id.isascii() and last_event_id.isdigit() and len(last_event_id) <= SEQ_DIGITS_MAX):
        raise Malformed("Last-Event-ID holds the seq you have come to, a number.")
    return int(last_event_id)
