"""The dice that members keep by name, in memory."""

from domain.campaign.play.saved_rolls import SavedRoll
from domain.ids import AccountId, CampaignId
from tests.doubles.event_store import MemoryEventStore


class MemorySavedRollStore:
    """Keeps them as long as the log has the membership."""

    def __init__(self, log: MemoryEventStore) -> None:
        self._log = log
        self._rolls: dict[tuple[CampaignId, AccountId], list[SavedRoll]] = {}

    async def of_member(self, campaign_id: CampaignId, account_id: AccountId) -> list[SavedRoll]:
        """The rolls that an account keeps in a campaign; none, if it is no member."""
        return self._rolls.get((campaign_id, account_id), []) if self._is_member(campaign_id, account_id) else []

    async def of_account(self, account_id: AccountId) -> dict[CampaignId, list[SavedRoll]]:
        """The rolls that an account keeps, by campaign."""
        campaigns = [campaign for campaign, account in self._rolls if account == account_id]
        kept = {campaign: await self.of_member(campaign, account_id) for campaign in campaigns}
        return {campaign: rolls for campaign, rolls in kept.items() if rolls}

    async def replace(
        self, campaign_id: CampaignId, account_id: AccountId, before: list[SavedRoll], after: list[SavedRoll]
    ) -> bool:
        """Replace a member's rolls; False: they were not as `before` any more, or it is no member."""
        if not self._is_member(campaign_id, account_id) or await self.of_member(campaign_id, account_id) != before:
            return False
        self._rolls[campaign_id, account_id] = after
        return True

    async def forget(self, account_id: AccountId) -> None:
        """Delete all rolls of an account."""
        self._rolls = {place: rolls for place, rolls in self._rolls.items() if place[1] != account_id}

    def _is_member(self, campaign_id: CampaignId, account_id: AccountId) -> bool:
        return campaign_id in self._log._members.get(account_id, {})
