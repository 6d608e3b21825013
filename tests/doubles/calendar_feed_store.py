"""The calendar feeds of members, in memory."""

from collections.abc import Callable
from datetime import UTC, datetime

from domain.ids import AccountId, CampaignId
from tests.doubles.event_store import MemoryEventStore


class MemoryCalendarFeedStore:
    """Keeps them as long as the log has the membership. `clock` gives microseconds UTC."""

    def __init__(self, log: MemoryEventStore, clock: Callable[[], int]) -> None:
        self._log = log
        self._clock = clock
        self._feeds: dict[tuple[CampaignId, AccountId], tuple[bytes, datetime]] = {}

    async def made_at(self, campaign_id: CampaignId, account_id: AccountId) -> datetime | None:
        """When the address of a member's feed was made; None: there is none."""
        return (await self.of_account(account_id)).get(campaign_id)

    async def of_account(self, account_id: AccountId) -> dict[CampaignId, datetime]:
        """When the addresses of an account's feeds were made, by campaign."""
        return {
            campaign: made_at
            for (campaign, account), (_, made_at) in self._feeds.items()
            if account == account_id and self._is_member(campaign, account)
        }

    async def reader_of(self, campaign_id: CampaignId, secret_hash: bytes) -> AccountId | None:
        """The member whose feed has this secret; None: no feed has it."""
        for (campaign, account), (kept_hash, _) in self._feeds.items():
            if (campaign, kept_hash) == (campaign_id, secret_hash) and self._is_member(campaign, account):
                return account
        return None

    async def replace(self, campaign_id: CampaignId, account_id: AccountId, secret_hash: bytes | None) -> bool:
        """Give a member's feed another secret, or none; False: it is no member."""
        if not self._is_member(campaign_id, account_id):
            return False
        self._feeds.pop((campaign_id, account_id), None)
        if secret_hash is not None:
            made_at = datetime.fromtimestamp(self._clock() / 1_000_000, UTC)
            self._feeds[campaign_id, account_id] = secret_hash, made_at
        return True

    def _is_member(self, campaign_id: CampaignId, account_id: AccountId) -> bool:
        return campaign_id in self._log._members.get(account_id, {})
