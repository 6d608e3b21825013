"""Deleted campaigns in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from collections.abc import Iterable
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.binary_arrays import UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column, row_as
from infra.postgres.driver.statements import SQL

_BEFORE_ALL = UUID(int=0)


class PostgresDeletionStore:
    """Deletes campaigns, so that no statement finds them, and restores them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def delete(
        self, campaign_id: CampaignId, account_id: AccountId | None, name: str, grace: int, *, rested: bool
    ) -> Deletion | None:
        """Delete a campaign, to be purged after `grace` microseconds; None: the account is no GM of it."""
        return await self._database.execute_one(
            SQL["delete_campaign"],
            row_as(Deletion),
            campaign=campaign_id,
            account=account_id,
            name=name,
            grace=Int8(grace),
            rested=rested,
        )

    async def restore(self, campaign_id: CampaignId, account_id: AccountId | None) -> bool | None:
        """Restore a campaign; returns its `rested`. None: the account is no GM of it, or it is not deleted."""
        return await self._database.execute_one(
            SQL["restore_campaign"], column(bool), campaign=campaign_id, account=account_id
        )

    async def of(
        self, account_id: AccountId, after: CampaignId | None, limit: int, *, before: CampaignId | None = None
    ) -> list[Deletion]:
        """Page through the deleted campaigns that the account is a GM of, by campaign id.

        Those after `after`, or those before `before`, the last ones first.
        """
        return await self._database.execute(
            SQL["read_deletions"] if before is None else SQL["read_deletions_before"],
            row_as(Deletion),
            account=account_id,
            start=before or after or _BEFORE_ALL,
            most=Int8(limit),
        )

    async def deleted_among(self, campaigns: Iterable[CampaignId]) -> list[CampaignId]:
        """Those of these campaigns that are deleted or do not exist."""
        return await self._database.read(
            SQL["read_gone"], column(CampaignId), campaigns=UuidArray(list(campaigns))
        )
