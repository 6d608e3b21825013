"""`…/calendar/feed`: the address of a member's calendar feed; and the feed itself, which needs no token."""

from email.utils import format_datetime
from typing import Any

from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath
from msgspec import Struct

from services.accounts.calendar_feeds import (
    FEEDS,
    campaign_of_feed,
    feed_made_at,
    feed_path,
    make_feed,
    revoke_feed,
)
from services.application import Application
from services.http.api.caller import CampaignCaller
from services.http.api.openapi import OPEN
from services.http.api.openapi_roles import ANYONE, MEMBERS
from services.http.middleware.authentication import address_of
from services.reading.calendar_feed import calendar_feed
from services.runtime.base_path import base_path

CALENDAR = "text/calendar"


class FeedView(Struct, frozen=True):
    """When the address of your calendar feed was made; null: there is none."""

    as_of: int
    made_at: str | None


class FeedAddress(Struct, frozen=True):
    """The path of your calendar feed, which is shown only this once."""

    path: str


class CalendarFeedController(Controller):
    """The address of your calendar feed."""

    path = "/api/campaigns/{campaign_id:str}/calendar/feed"
    tags = ("time",)

    @get("", summary="Your calendar feed", operation_class=MEMBERS)
    async def view(self, asker: NamedDependency[CampaignCaller]) -> FeedView:
        """Whether you have a calendar feed of this campaign. Only you know its address."""
        visible = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        made_at = await feed_made_at(asker.application.calendar_feeds, visible)
        return FeedView(visible.seq, None if made_at is None else made_at.isoformat())

    @post("", summary="Make an address of your calendar feed", operation_class=MEMBERS)
    async def make(self, asker: NamedDependency[CampaignCaller]) -> Response[FeedAddress]:
        """Make a secret address for calendar programs; an earlier one is worthless from now on.

        Everybody with the address reads your dates of this campaign without a token, until you revoke it or
        leave.
        """
        visible = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        await asker.application.rates.act(visible.campaign_id, visible.account)
        name = await make_feed(asker.application.calendar_feeds, visible)
        return Response(FeedAddress(feed_path(name)), headers={"Cache-Control": "no-store"})

    @delete("", summary="Revoke the address of your calendar feed", operation_class=MEMBERS)
    async def revoke(self, asker: NamedDependency[CampaignCaller]) -> None:
        """Make the address of your calendar feed worthless; if there is none, it is the same."""
        visible = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        await asker.application.rates.act(visible.campaign_id, visible.account)
        await revoke_feed(asker.application.calendar_feeds, visible)


@get(
    f"{FEEDS}/{{feed:str}}",
    security=OPEN,
    summary="A calendar feed",
    operation_class=ANYONE,
    tags=["time"],
    responses={
        200: ResponseSpec(
            str,
            description="The member's dates of the campaign as iCalendar (RFC 5545).",
            media_type=CALENDAR,
            generate_examples=False,
        )
    },
)
async def read_feed(
    application: NamedDependency[Application], request: Request[Any, Any, Any], feed: FromPath[str]
) -> Response[bytes]:
    """The date of the next play session and everything that happens in real time, for calendar programs.

    It needs the secret in its address and no token, and holds what that member may read. Refuses `feed_not_found`.
    """
    await application.rates.look(None, address_of(request))
    visible = await campaign_of_feed(application.calendar_feeds, application.campaigns, application.people, feed)
    home = f"{str(request.base_url).rstrip('/')}{base_path()}/c/{visible.campaign_id}"
    file = await calendar_feed(application, visible, home)
    headers = {"Content-Disposition": 'inline; filename="fieldlog.ics"', "X-Robots-Tag": "noindex"}
    if file.changed_at is not None:
        headers["Last-Modified"] = format_datetime(file.changed_at, usegmt=True)
    return Response(file.content, media_type=CALENDAR, headers=headers)
