"""A notifier within one process, for a single process or where there is no Redis."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from domain.ids import CampaignId


class InProcessNotifier:
    """Notifies the subscriptions of this process."""

    def __init__(self) -> None:
        self._subscriptions: dict[CampaignId, set[InProcessSubscription]] = {}

    def notify(self, campaign_id: CampaignId, news: bytes = b"") -> None:
        """Wake the campaign's subscriptions; no other process is told anything."""
        del news
        for subscription in self._subscriptions.get(campaign_id, ()):
            subscription.woken.set()

    def subscribed_to(self) -> set[CampaignId]:
        """The campaigns with subscriptions."""
        return set(self._subscriptions)

    def follow(self, campaign_id: CampaignId, heard: Callable[[bytes], None]) -> None:
        """Do nothing: no other process is heard here."""

    def unfollow(self, campaign_id: CampaignId) -> None:
        """Do nothing: no other process is heard here."""

    def hold(self, campaign_id: CampaignId) -> None:
        """Do nothing: no other process hears of it."""

    def release(self, campaign_id: CampaignId) -> None:
        """Do nothing: no other process hears of it."""

    def on_hold(self, heard: Callable[..., None]) -> None:
        """Do nothing: no other process is heard here."""

    @asynccontextmanager
    async def subscribe(self, campaign_id: CampaignId) -> AsyncIterator["InProcessSubscription"]:
        """Subscribe to the campaign's news from here on."""
        subscription = InProcessSubscription()
        self._subscriptions.setdefault(campaign_id, set()).add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions[campaign_id].discard(subscription)
            if not self._subscriptions[campaign_id]:
                del self._subscriptions[campaign_id]


class InProcessSubscription:
    """One subscription. A notification that arrives between two waits is remembered."""

    def __init__(self) -> None:
        self.woken = asyncio.Event()

    @property
    def is_reliable(self) -> bool:
        """Always False: notifications of other processes do not arrive here."""
        return False

    async def wait(self, seconds_max: float) -> bool:
        """Return at the next notification or after `seconds_max`; True if there was a notification."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds_max):
                await self.woken.wait()
        is_notified = self.woken.is_set()
        self.woken.clear()
        return is_notified
