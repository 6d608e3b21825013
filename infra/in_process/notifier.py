"""A bell that is heard within one process: all that is needed where there is only one, or no Redis."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from domain.ids import CampaignId


class InProcessNotifier:
    """Wakes the listeners of this process."""

    def __init__(self) -> None:
        self._ears: dict[CampaignId, set[InProcessSubscription]] = {}

    def ring(self, campaign_id: CampaignId) -> None:
        """Wake everybody who listens to this campaign."""
        for ear in self._ears.get(campaign_id, ()):
            ear.woken.set()

    def listened_to(self) -> set[CampaignId]:
        """The campaigns that somebody listens to."""
        return set(self._ears)

    @asynccontextmanager
    async def listen(self, campaign_id: CampaignId) -> AsyncIterator["InProcessSubscription"]:
        """Be told of news from here on."""
        ear = InProcessSubscription()
        self._ears.setdefault(campaign_id, set()).add(ear)
        try:
            yield ear
        finally:
            self._ears[campaign_id].discard(ear)
            if not self._ears[campaign_id]:
                del self._ears[campaign_id]


class InProcessSubscription:
    """One listener. A ring while nobody waits is remembered."""

    def __init__(self) -> None:
        self.woken = asyncio.Event()

    @property
    def hears_all(self) -> bool:
        """No: what another process writes rings no bell here."""
        return False

    async def wait(self, seconds_max: float) -> bool:
        """Until the next ring, or until the time is up; whether it rang."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds_max):
                await self.woken.wait()
        rang = self.woken.is_set()
        self.woken.clear()
        return rang
