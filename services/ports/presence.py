"""How processes tell each other who has a live feed open."""

from typing import Protocol

from domain.ids import AccountId, CampaignId
from domain.presence import Here


class PresenceStore(Protocol):
    """Open feeds of all processes, each until it is closed or was not renewed in time. Never fails."""

    async def renew(
        self, campaign_id: CampaignId, account: AccountId, feed: str, since: int, seconds: int
    ) -> None:
        """Say that a feed is open since a moment (seconds UTC), and will be for so long."""
        ...

    async def close(self, campaign_id: CampaignId, account: AccountId, feed: str) -> None:
        """Say that a feed is closed."""
        ...

    async def present(self, campaign_id: CampaignId) -> dict[AccountId, Here]:
        """The members with an open feed, since when the oldest of theirs is, and whether they look elsewhere."""
        ...
