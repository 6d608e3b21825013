"""The dice that members keep by name, in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

import msgspec

from domain.campaign.play.saved_rolls import SavedRoll
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column
from infra.postgres.driver.statements import SQL


class PostgresSavedRollStore:
    """Keeps them beside the membership."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_member(self, campaign_id: CampaignId, account_id: AccountId) -> list[SavedRoll]:
        """The rolls that an account keeps in a campaign; none, if it is no member."""
        content = await self._database.read_one(
            SQL["read_saved_rolls"], column(bytes), campaign=campaign_id, account=account_id
        )
        return _rolls(content or b"")

    async def of_account(self, account_id: AccountId) -> dict[CampaignId, list[SavedRoll]]:
        """The rolls that an account keeps, by campaign; without the campaigns that have none."""
        rows = await self._database.read(SQL["read_saved_rolls_of"], tuple, account=account_id)
        return {campaign: _rolls(content) for campaign, content in rows}

    async def replace(
        self, campaign_id: CampaignId, account_id: AccountId, before: list[SavedRoll], after: list[SavedRoll]
    ) -> bool:
        """Replace a member's rolls; False: they were not as `before` any more, or it is no member."""
        return bool(
            await self._database.execute(
                SQL["replace_saved_rolls"],
                tuple,
                campaign=campaign_id,
                account=account_id,
                before=_content(before),
                after=_content(after),
            )
        )

    async def forget(self, account_id: AccountId) -> None:
        """Delete all rolls of an account."""
        await self._database.execute(SQL["forget_saved_rolls"], tuple, account=account_id)


def _rolls(content: bytes) -> list[SavedRoll]:
    return msgspec.json.decode(content, type=list[SavedRoll]) if content else []


def _content(rolls: list[SavedRoll]) -> bytes:
    return msgspec.json.encode(rolls) if rolls else b""
