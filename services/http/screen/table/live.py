"""`/live`: the actions in campaigns, over one connection for all windows of a browser.

A browser has six connections to a service that speaks HTTP/1.1: a feed for each window would leave none for forms.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter

from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from services.errors import Malformed
from services.http.event_stream import EventStream, run_of
from services.http.middleware.authentication import counted_reader
from services.http.screen.shared.offline_pages import reader_mark
from services.http.screen.shared.visitor import WATCHING, Visit
from services.http.screen.table.live_lines import ToldLines
from services.reading.live_feed import Feeds, Run, SharedFeed, Write
from services.reading.parameters import campaign_of
from services.reading.presence import Presence

CAMPAIGNS_MAX = 10
"""So many are followed over a connection, and as many may be open out of sight. `live.js` has the same number."""
SEQ_DIGITS_MAX = 16

Follow = Annotated[list[str] | None, QueryParameter(max_items=CAMPAIGNS_MAX)]


@get(["/live", f"/watch/{{{WATCHING}:str}}/live"])
async def followed(
    visit: NamedDependency[Visit],
    feeds: NamedDependency[Feeds],
    follow: Follow = None,
    beside: Follow = None,
    reader: FromQuery[str | None] = None,
) -> EventStream:
    """The feed of lines for pages that are open: each `follow` is a campaign and the seq that it begins after.

    Of each `beside` all pages are out of sight; one that is not followed is told nothing. `reader` is the mark of
    the sign-in whose pages they are: it ends for another one. A watcher follows the campaign of the link, and is
    not here.
    """
    account, secret = visit.reader.account_id, visit.secret
    runs: dict[CampaignId, Run] = {}
    refused_ids: set[CampaignId] = set()
    for campaign, after in map(_place, follow or []):
        teller = ToldLines(visit.application, feeds)
        try:
            runs[campaign] = await run_of(visit.application, feeds, secret, account, campaign, after, teller)
        except Rejection as refusal:
            runs[campaign] = _ends(refusal)
            refused_ids.add(campaign)
    hidden_ids = dict.fromkeys(map(campaign_of, beside or []))
    visible_ids = [campaign for campaign in runs if campaign not in hidden_ids and campaign not in refused_ids]
    elsewhere = [
        campaign for campaign in hidden_ids if await visit.application.campaigns.is_member(campaign, account)
    ]

    async def is_signed_in() -> bool:
        principal = await visit.application.people.principal(secret)
        return principal is not None and reader in (None, reader_mark(principal))

    is_member = visit.reader.watches is None
    shared = SharedFeed(feeds.pace, is_signed_in, runs, is_watched=not is_member)
    here = _here_in(visit.application.presence, account, visible_ids, elsewhere) if is_member else None
    counted = counted_reader(visit.reader, visit.request)
    return EventStream(feeds, counted, shared.run, here, max(1, len(runs)))  # it is open, whatever it tells


def _place(text: str) -> tuple[CampaignId, int]:
    campaign, _, after = text.partition(":")
    if not (after.isascii() and after.isdigit() and len(after) <= SEQ_DIGITS_MAX):
        raise Malformed("A campaign is followed from a number on.")
    return campaign_of(campaign), int(after)


def _ends(refusal: Rejection) -> Run:
    async def run(_: Write) -> Rejection:
        return refusal

    return run


@asynccontextmanager
async def _here_in(
    presence: Presence, account: AccountId, followed: Sequence[CampaignId], elsewhere: Sequence[CampaignId]
) -> AsyncIterator[None]:
    """Be here in all of these, but look elsewhere than at some."""
    async with AsyncExitStack() as open_feeds:
        for campaign in (*followed, *elsewhere):
            looks_elsewhere = campaign in elsewhere
            await open_feeds.enter_async_context(
                presence.feed_open(campaign, account, looks_elsewhere=looks_elsewhere)
            )
        yield
