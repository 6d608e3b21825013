"""The members who are here now: those who have a live feed of a campaign open, in whatever process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic, time
from uuid import uuid4

from msgspec import Struct

from domain.ids import AccountId, CampaignId
from domain.presence import ELSEWHERE, Here
from projections.timestamps import moment
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.presence import PresenceStore

RENEW_SECONDS = 10
OPEN_SECONDS = 30
"""A feed whose process died without a word is gone after this."""
FRESH_SECONDS = 1.0
"""All feeds of a campaign in a process ask for it together, no more often than this."""


class PresentMember(Struct, frozen=True):
    """A member who has a live feed open, since when.

    `looks_elsewhere`: every window that follows the campaign in their browsers is out of sight.
    """

    account: AccountId
    name: str
    since: str
    looks_elsewhere: bool = False


class Presence:
    """Keeps open feeds known, and knows those of others."""

    def __init__(self, store: PresenceStore) -> None:
        self._store = store
        self._people: dict[CampaignId, tuple[float, dict[AccountId, Here]]] = {}

    @asynccontextmanager
    async def feed_open(
        self, campaign_id: CampaignId, account: AccountId, *, looks_elsewhere: bool = False
    ) -> AsyncIterator[None]:
        """Be here from now on, for as long as this lasts."""
        feed, since = uuid4().hex + (ELSEWHERE if looks_elsewhere else ""), int(time())
        await self._store.renew(campaign_id, account, feed, since, OPEN_SECONDS)
        self._people.pop(campaign_id, None)
        renewing = asyncio.create_task(self._keep(campaign_id, account, feed, since))
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            await self._store.close(campaign_id, account, feed)
            self._people.pop(campaign_id, None)

    async def present(self, campaign_id: CampaignId) -> dict[AccountId, Here]:
        """The members with an open feed, and since when; of other processes up to a second old."""
        asked_at, people = self._people.get(campaign_id, (0.0, {}))
        if monotonic() - asked_at > FRESH_SECONDS or not asked_at:
            people = await self._store.present(campaign_id)
            if people:
                self._people[campaign_id] = (monotonic(), people)
            else:
                self._people.pop(campaign_id, None)
        return people

    async def _keep(self, campaign_id: CampaignId, account: AccountId, feed: str, since: int) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            await self._store.renew(campaign_id, account, feed, since, OPEN_SECONDS)


def members_here(present: dict[AccountId, Here], campaign: VisibleCampaign) -> list[PresentMember]:
    """Those present who are members, longest first; every member may know it of every other."""
    here = sorted(
        (presence.since, account) for account, presence in present.items() if account in campaign.state.members
    )
    return [
        PresentMember(account, campaign.name(account), moment(since * 1_000_000), present[account].looks_elsewhere)
        for since, account in here
    ]
