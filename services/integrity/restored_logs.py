"""Campaigns whose log was set back by a restored backup: found, and taken up again with new dice."""

from collections.abc import AsyncIterator

from msgspec import Struct

from domain.campaign.commands import AcceptRestore
from domain.campaign.request import ActRequest
from domain.ids import CampaignId
from domain.stored import Head
from services.acting import act
from services.house import House


class Comparison(Struct, frozen=True):
    """A campaign's kept head beside the head of its log; None: none is kept, or there is no such campaign.

    `is_restored`: the log ends before the kept head, or has another event there.
    """

    campaign_id: CampaignId
    kept: Head | None
    head: Head | None
    is_restored: bool


async def compare(house: House, campaign_id: CampaignId) -> Comparison:
    """Compare a campaign's log with the head that is kept of it. Raises `DatabaseAway`."""
    kept = house.detector.kept(campaign_id)
    head = await house.log.head(campaign_id)
    is_restored = head is not None and not await house.detector.is_whole(campaign_id, kept, head)
    return Comparison(campaign_id, kept, head, is_restored)


async def restored(house: House) -> AsyncIterator[Comparison]:
    """Every campaign whose log was set back, in no order. Raises `DatabaseAway`."""
    for campaign_id in house.detector.campaigns():
        found = await compare(house, campaign_id)
        if found.is_restored:
            yield found


async def accept_restored(house: House, campaign_id: CampaignId) -> None:
    """Go on from the log as it is now, with a new dice epoch: nobody has seen its dice.

    Refuses `campaign_not_found`.
    """
    house.detector.forget(campaign_id)
    await act(house, campaign_id, None, ActRequest(command=AcceptRestore()))
