"""The accounts and campaigns of the whole service, in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from uuid import UUID

from psycopg.types.numeric import Int8

from domain.host_actions import ListedAccount, ListedCampaign
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import row_as
from infra.postgres.driver.statements import SQL

_BEFORE_ALL = UUID(int=0)


class PostgresDirectory:
    """Lists what there is."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accounts(self, after: str, limit: int, part: str, *, only_disabled: bool) -> list[ListedAccount]:
        """Accounts by name, those after a name key, of names whose key has this part."""
        return await self._database.read(
            SQL["read_all_accounts"],
            row_as(ListedAccount),
            after=after,
            most=Int8(limit),
            part=part,
            only_disabled=only_disabled,
        )

    async def campaigns(
        self, after: CampaignId | None, limit: int, member: AccountId | None, *, only_deleted: bool
    ) -> list[ListedCampaign]:
        """Campaigns by id, deleted ones too; those of one member, deleted or not."""
        return await self._database.execute(
            SQL["read_all_campaigns"],
            row_as(ListedCampaign),
            after=after or _BEFORE_ALL,
            most=Int8(limit),
            member=member,
            only_deleted=only_deleted,
        )
