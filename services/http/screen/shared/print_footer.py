"""The foot of a printed page: the campaign, its moment, and the hash that proves it."""

from msgspec import Struct

from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign

DIGITS = 16
"""So much of a hash is printed."""


class Footer(Struct, frozen=True):
    """Of which campaign a page was printed, up to which action, when that was, and how its hash begins."""

    campaign: str
    seq: int
    at: int
    hash: str


async def footer_of(application: Application, campaign: VisibleCampaign) -> Footer:
    """The foot of a page as of the moment that it shows."""
    [last] = await application.log.tail(campaign.campaign_id, campaign.seq - 1, limit=1)
    return Footer(campaign.state.name, campaign.seq, last.recorded_at, last.hash.hex()[:DIGITS])
