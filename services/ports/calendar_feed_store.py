"""Where the calendar feeds of members are stored."""

from datetime import datetime
from typing import Protocol

from domain.ids import AccountId, CampaignId


class CalendarFeedStore(Protocol):
    """Stores hashes of the feeds' secrets, until the membership ends.

    Every method may raise `DatabaseUnavailable`.
    """

    async def made_at(self, campaign_id: CampaignId, account_id: AccountId) -> datetime | None:
        """When the address of a member's feed was made; None: there is none."""
        ...

    async def of_account(self, account_id: AccountId) -> dict[CampaignId, datetime]:
        """When the addresses of an account's feeds were made, by campaign."""
        ...

    async def reader_of(self, campaign_id: CampaignId, secret_hash: bytes) -> AccountId | None:
        """The member whose feed has this secret; None: no feed has it."""
        ...

    async def replace(self, campaign_id: CampaignId, account_id: AccountId, secret_hash: bytes | None) -> bool:
        """Give a member's feed another secret, or none; False: it is no member."""
        ...
