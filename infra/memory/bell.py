"""A bell that is heard within one process: all that is needed where there is only one, or no Redis."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from domain.ids import CampaignId


class MemoryBell:
    """Wakes the listeners of this process."""

    def __init__(self) -> None:
        self._ears: defaultdict[CampaignId, set[MemoryListening]] = defaultdict(set)

    def ring(self, campaign_id: CampaignId) -> None:
        """Wake everybody who listens to this campaign."""
        for ear in self._ears.get(campaign_id, ()):
            ear.woken.set()

    @asynccontextmanager
    async def listen(self, campaign_id: CampaignId) -> AsyncIterator["MemoryListening"]:
        """Be told of news from here on."""
        ear = MemoryListening()
        self._ears[campaign_id].add(ear)
        try:
            yield ear
        finally:
            self._ears[campaign_id].discard(ear)
            if not self._ears[campaign_id]:
                del self._ears[campaign_id]


class MemoryListening:
    """One listener. A ring while nobody waits is remembered."""

    def __init__(self) -> None:
        self.woken = asyncio.Event()

    async def wait(self, seconds_max: float) -> None:
        """Until the next ring, or until the time is up."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.woken.wait(), seconds_max)
        self.woken.clear()
