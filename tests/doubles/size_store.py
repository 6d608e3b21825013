"""Sizes of campaigns over a log and its views in memory."""

from domain.ids import AccountId, CampaignId
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore

OVERHEAD = 200


class MemorySizeStore:
    """Adds up what views were saved of."""

    def __init__(self, log: MemoryEventStore, views: MemoryProjectionStore) -> None:
        self._log = log
        self._views = views

    async def large(self, least: int) -> dict[CampaignId, int]:
        """The campaigns that take so many bytes or more, and how many."""
        sizes = {each: await self._size(each) for each in self._log.all_heads() if each not in self._log.deleted}
        return {campaign_id: size for campaign_id, size in sizes.items() if size >= least}

    async def led_by(self, account_id: AccountId) -> int:
        """How many bytes the campaigns take that an account is a GM of."""
        led = [each for each, role in self._log.memberships(account_id).items() if role == "gm"]
        return sum([await self._size(each) for each in led])

    async def led_by_full(self, least: int) -> set[CampaignId]:
        """The campaigns of which every GM leads campaigns that take so many bytes or more."""
        led = {each: self._log.gms_of(each) for each in self._log.all_heads()}
        full = {gm for gms in led.values() for gm in gms if await self.led_by(gm) >= least}
        return {campaign_id for campaign_id, gms in led.items() if gms and full >= gms}

    async def _size(self, campaign_id: CampaignId) -> int:
        events = self._log.every_event(campaign_id)[: await self._views.caught_up(campaign_id)]
        return sum(
            OVERHEAD + len(each.body) + len(each.command or b"") + len(each.texts or b"") for each in events
        )
