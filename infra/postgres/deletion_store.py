"""Deleted campaigns in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from psycopg.types.numeric import Int8

from domain.event_store_types import Deletion
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.binary_arrays import UuidArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import statement

_DELETE = statement("delete_campaign")
_RESTORE = statement("restore_campaign")
_READ = statement("read_deletions")
_READ_BEFORE = statement("read_deletions_before")
_READ_GONE = statement("read_gone")

_BEFORE_ALL = UUID(int=0)


class PostgresDeletionStore:
    """Deletes campaigns, so that no statement finds them, and restores them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def delete(
        self, campaign_id: CampaignId, account_id: AccountId, name: str, grace: int, *, rested: bool
    ) -> Deletion | None:
        """Delete a campaign, to be purged after `grace` microseconds; None: the account is no GM of it."""
        found = await self._database.execute(
            _DELETE,
            _deletion,
            campaign=campaign_id,
            account=account_id,
            name=name,
            grace=Int8(grace),
            rested=rested,
        )
        return found[0] if found else None

    async def restore(self, campaign_id: CampaignId, account_id: AccountId) -> bool | None:
        """Restore a campaign; returns its `rested`. None: the account is no GM of it, or it is not deleted."""
        found = await self._database.execute(_RESTORE, _first, campaign=campaign_id, account=account_id)
        return found[0] if found else None

    async def of(
        self, account_id: AccountId, after: CampaignId | None, limit: int, *, before: CampaignId | None = None
    ) -> list[Deletion]:
        """Page through the deleted campaigns that the account is a GM of, by campaign id.

        Those after `after`, or those before `before`, the last ones first.
        """
        return await self._database.execute(
            _READ if before is None else _READ_BEFORE,
            _deletion,
            account=account_id,
            start=before or after or _BEFORE_ALL,
            most=Int8(limit),
        )

    async def deleted_among(self, campaigns: Iterable[CampaignId]) -> list[CampaignId]:
        """Those of these campaigns that are deleted or do not exist."""
        return await self._database.read(_READ_GONE, _first, campaigns=UuidArray(list(campaigns)))


def _deletion(row: Sequence[Any]) -> Deletion:
    return Deletion(*row)


def _first(row: Sequence[Any]) -> Any:
    return row[0]
