"""Notifications between processes that a campaign has news."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from domain.ids import CampaignId


class Notifier(Protocol):
    """Tells subscriptions in all processes that a campaign has news. A lost notification only delays."""

    def notify(self, campaign_id: CampaignId, news: bytes = b"") -> None:
        """Notify the campaign's subscriptions, and tell those who follow it more. Never waits, never fails."""
        ...

    def follow(self, campaign_id: CampaignId, heard: Callable[[bytes], None]) -> None:
        """Call `heard` with each notification of the campaign by another process.

        It may be empty although there was news, as when several notifications are sent as one.
        """
        ...

    def unfollow(self, campaign_id: CampaignId) -> None:
        """Follow the campaign no longer."""
        ...

    def hold(self, campaign_id: CampaignId) -> None:
        """Ask all other processes to hold the campaign's queue for a moment. Never waits, never fails."""
        ...

    def release(self, campaign_id: CampaignId) -> None:
        """Tell them to hold it no longer."""
        ...

    def on_hold(self, heard: "HeardHold") -> None:
        """Call `heard` whenever another process asks to hold a queue, or no longer."""
        ...

    def subscribe(self, campaign_id: CampaignId) -> AbstractAsyncContextManager["Subscription"]:
        """Subscribe to the campaign's news from here on."""
        ...


class HeardHold(Protocol):
    """Hears that another process asks to hold a campaign's queue, or no longer."""

    def __call__(self, campaign_id: CampaignId, *, begins: bool) -> None:
        """Hear it."""
        ...


class Subscription(Protocol):
    """A subscription to one campaign's notifications."""

    @property
    def is_reliable(self) -> bool:
        """Whether notifications of other processes arrive at the moment; if not, look for news every second."""
        ...

    async def wait(self, seconds_max: float) -> bool:
        """Return at a notification, which may be needless, or after `seconds_max`; True if there was one."""
        ...
