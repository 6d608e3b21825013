"""The calendar feeds of members, in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from datetime import datetime

from domain.ids import AccountId, CampaignId
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column
from infra.postgres.driver.statements import SQL


class PostgresCalendarFeedStore:
    """Keeps hashes of their secrets beside the membership."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def made_at(self, campaign_id: CampaignId, account_id: AccountId) -> datetime | None:
        """When the address of a member's feed was made; None: there is none."""
        return await self._database.read_one(
            SQL["read_feed_made_at"], column(datetime), campaign=campaign_id, account=account_id
        )

    async def of_account(self, account_id: AccountId) -> dict[CampaignId, datetime]:
        """When the addresses of an account's feeds were made, by campaign."""
        return dict(await self._database.read(SQL["read_feeds_of"], tuple, account=account_id))

    async def reader_of(self, campaign_id: CampaignId, secret_hash: bytes) -> AccountId | None:
        """The member whose feed has this secret; None: no feed has it."""
        return await self._database.read_one(
            SQL["read_feed_reader"], column(AccountId), campaign=campaign_id, feed_hash=secret_hash
        )

    async def replace(self, campaign_id: CampaignId, account_id: AccountId, secret_hash: bytes | None) -> bool:
        """Give a member's feed another secret, or none; False: it is no member."""
        return bool(
            await self._database.execute(
                SQL["replace_feed"], tuple, campaign=campaign_id, account=account_id, feed_hash=secret_hash
            )
        )
