"""The addresses of members' calendar feeds: secret, off until they are made, one for each campaign.

An address carries the campaign's id and a secret, which is stored as SHA-256 beside the membership.
"""

import base64
from datetime import datetime
from hashlib import sha256
from secrets import token_bytes
from uuid import UUID

from domain.ids import CampaignId
from domain.rejection import Missing
from domain.sentences import say
from services.accounts.authentication import Authenticator
from services.campaign.visible_campaign import CampaignReader, VisibleCampaign
from services.errors import campaign_not_found
from services.ports.calendar_feed_store import CalendarFeedStore
from services.runtime.base_path import base_path
from services.runtime.reader_language import prefer

FEEDS = "/api/calendars"
"""The path below which feeds are read."""
ENDING = ".ics"
SECRET_BYTES = 16


async def make_feed(store: CalendarFeedStore, campaign: VisibleCampaign) -> str:
    """The name of the reader's feed in its new address; an earlier address is worthless from now on."""
    secret = token_bytes(SECRET_BYTES)
    if not await store.replace(campaign.campaign_id, campaign.account, sha256(secret).digest()):
        raise campaign_not_found()
    code = base64.urlsafe_b64encode(campaign.campaign_id.bytes + secret).decode().rstrip("=")
    return f"{code}{ENDING}"


def feed_path(name: str) -> str:
    """The path of a feed of that name."""
    return f"{base_path()}{FEEDS}/{name}"


async def revoke_feed(store: CalendarFeedStore, campaign: VisibleCampaign) -> None:
    """Make the address of the reader's feed worthless, if there is one."""
    await store.replace(campaign.campaign_id, campaign.account, None)


async def feed_made_at(store: CalendarFeedStore, campaign: VisibleCampaign) -> datetime | None:
    """When the address of the reader's own feed was made; None also where a GM reads as another member."""
    if campaign.shown_to is not None:
        return None
    return await store.made_at(campaign.campaign_id, campaign.account)


async def is_own_feed(store: CalendarFeedStore, campaign: VisibleCampaign, name: str) -> bool:
    """Whether the reader's own feed of this campaign has that name; not where a GM reads as another member."""
    try:
        campaign_id, secret = _parts(name)
    except Missing:
        return False
    if campaign.shown_to is not None or campaign_id != campaign.campaign_id:
        return False
    return await store.reader_of(campaign_id, sha256(secret).digest()) == campaign.account


async def campaign_of_feed(
    store: CalendarFeedStore, campaigns: CampaignReader, people: Authenticator, name: str
) -> VisibleCampaign:
    """The campaign as the member of a feed may read it now, in the language of their account.

    Refuses `feed_not_found`, whether there is no such feed or its member may not read it.
    """
    campaign_id, secret = _parts(name)
    account = await store.reader_of(campaign_id, sha256(secret).digest())
    reader = None if account is None else await people.reader_of_feed(account)
    if reader is None:
        raise _feed_not_found()
    prefer(reader.language)
    try:
        return await campaigns.see(campaign_id, reader.account_id)
    except Missing:
        raise _feed_not_found() from None


def _parts(name: str) -> tuple[CampaignId, bytes]:
    code = name.removesuffix(ENDING)
    try:
        whole = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise _feed_not_found() from None
    if len(whole) != 16 + SECRET_BYTES or code == name:
        raise _feed_not_found()
    return CampaignId(UUID(bytes=whole[:16])), whole[16:]


def _feed_not_found() -> Missing:
    return Missing("feed_not_found", say("There is no calendar at this address, or not any more."))
