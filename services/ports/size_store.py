"""Tells how many bytes campaigns take, as far as workers have measured them."""

from typing import Protocol

from domain.ids import AccountId, CampaignId


class SizeStore(Protocol):
    """Reads sizes. Saving views measures what came since. Every method may raise `DatabaseUnavailable`."""

    async def large(self, least: int) -> dict[CampaignId, int]:
        """The campaigns that take so many bytes or more, and how many."""
        ...

    async def led_by(self, account_id: AccountId) -> int:
        """How many bytes the campaigns take that an account is a GM of."""
        ...

    async def led_by_full(self, least: int) -> set[CampaignId]:
        """The campaigns of which every GM leads campaigns that take so many bytes or more."""
        ...
