"""The accounts and campaigns of the whole service, over stores in memory."""

from uuid import UUID

from domain.host_actions import ListedAccount, ListedCampaign
from domain.ids import AccountId, CampaignId
from tests.doubles.account_stores import MemoryAccountStore
from tests.doubles.erasure_store import MemoryAccountErasureStore
from tests.doubles.event_store import MemoryEventStore

_BEFORE_ALL = UUID(int=0)


class MemoryDirectory:
    """Lists what there is."""

    def __init__(
        self, accounts: MemoryAccountStore, log: MemoryEventStore, erasures: MemoryAccountErasureStore
    ) -> None:
        self._accounts = accounts
        self._log = log
        self._erasures = erasures

    async def accounts(self, after: str, limit: int, part: str, *, only_disabled: bool) -> list[ListedAccount]:
        """Accounts by name, those after a name key; whose name key has this part."""
        found = []
        for key, account in sorted(self._accounts.by_key().items()):
            if key > after and part in key and (account.disabled_at is not None or not only_disabled):
                asked = {each.what: each.due_at for each in await self._erasures.of(account.account_id)}
                found.append(
                    ListedAccount(
                        account.account_id,
                        account.name,
                        account.created_at,
                        account.disabled_at,
                        self._accounts.last_used_at(account.account_id),
                        len(self._log.memberships(account.account_id)),
                        asked.get("account"),
                    )
                )
        return found[:limit]

    async def campaigns(
        self, after: CampaignId | None, limit: int, member: AccountId | None, *, only_deleted: bool
    ) -> list[ListedCampaign]:
        """Campaigns by id, deleted ones too; those of one member, deleted or not."""
        found = []
        for campaign_id, head in sorted(self._log.all_heads().items()):
            deletion = self._log.deleted.get(campaign_id)
            is_theirs = member is None or campaign_id in self._log.memberships(member)
            if campaign_id > (after or _BEFORE_ALL) and is_theirs and (deletion is not None or not only_deleted):
                gone_at, name = (None, None) if deletion is None else (deletion.gone_at, deletion.name)
                found.append(ListedCampaign(campaign_id, head.seq, head.recorded_at, gone_at, name))
        return found[:limit]
