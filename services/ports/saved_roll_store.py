"""Where the dice are stored that members keep by name."""

from typing import Protocol

from domain.campaign.play.saved_rolls import SavedRoll
from domain.ids import AccountId, CampaignId


class SavedRollStore(Protocol):
    """Stores what each member keeps, until the membership ends. Every method may raise `DatabaseUnavailable`."""

    async def of_member(self, campaign_id: CampaignId, account_id: AccountId) -> list[SavedRoll]:
        """The rolls that an account keeps in a campaign; none, if it is no member."""
        ...

    async def of_account(self, account_id: AccountId) -> dict[CampaignId, list[SavedRoll]]:
        """The rolls that an account keeps, by campaign; without the campaigns that have none."""
        ...

    async def replace(
        self, campaign_id: CampaignId, account_id: AccountId, before: list[SavedRoll], after: list[SavedRoll]
    ) -> bool:
        """Replace a member's rolls; False: they were not as `before` any more, or it is no member."""
        ...

    async def forget(self, account_id: AccountId) -> None:
        """Delete all rolls of an account."""
        ...
