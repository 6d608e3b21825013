"""How processes tell each other that a campaign has gone on."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from domain.ids import CampaignId


class Notifier(Protocol):
    """Tells subscriptions, in any process, that a campaign has news. Losing a notification only delays."""

    def notify(self, campaign_id: CampaignId) -> None:
        """Say that there is news. Never waits, never fails."""
        ...

    def subscribe(self, campaign_id: CampaignId) -> AbstractAsyncContextManager["Subscription"]:
        """Subscribe to the campaign's news from here on."""
        ...


class Subscription(Protocol):
    """A subscription to one campaign's notifications."""

    @property
    def is_reliable(self) -> bool:
        """Whether notifications of other processes arrive at the moment; if not, look for news every second."""
        ...

    async def wait(self, seconds_max: float) -> bool:
        """Return at a notification, which may be for nothing, or when the time is up; whether there was one."""
        ...
