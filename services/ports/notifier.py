"""How processes tell each other that a campaign has gone on."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from domain.ids import CampaignId


class Notifier(Protocol):
    """Tells whoever listens, in any process, that a campaign has news. Losing a ring only delays."""

    def ring(self, campaign_id: CampaignId) -> None:
        """Say that there is news. Never waits, never fails."""
        ...

    def listen(self, campaign_id: CampaignId) -> AbstractAsyncContextManager["Subscription"]:
        """Be told of news from here on."""
        ...


class Subscription(Protocol):
    """Somebody's ear at the bell of one campaign."""

    @property
    def hears_all(self) -> bool:
        """Whether rings of other processes arrive at the moment; if not, look for news yourself every second."""
        ...

    async def wait(self, seconds_max: float) -> bool:
        """Until the next ring, or until the time is up; whether it rang, which it may also do for nothing."""
        ...
