"""Lists the accounts and campaigns of the whole service, for its host."""

from typing import Protocol

from domain.host_actions import ListedAccount, ListedCampaign
from domain.ids import AccountId, CampaignId


class Directory(Protocol):
    """Lists what there is. Every method may raise `DatabaseUnavailable`."""

    async def accounts(self, after: str, limit: int, part: str, *, only_disabled: bool) -> list[ListedAccount]:
        """Accounts by name, those after a name key, of names whose key has this part."""
        ...

    async def campaigns(
        self, after: CampaignId | None, limit: int, member: AccountId | None, *, only_deleted: bool
    ) -> list[ListedCampaign]:
        """Campaigns by id, deleted ones too; those of one member, deleted or not."""
        ...
