"""Sizes of campaigns in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from psycopg.types.numeric import Int8

from domain.ids import AccountId, CampaignId
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import column
from infra.postgres.driver.statements import SQL


class PostgresSizeStore:
    """Reads sizes of the heads, which have them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def large(self, least: int) -> dict[CampaignId, int]:
        """The campaigns that take so many bytes or more, and how many."""
        return dict(await self._database.read(SQL["read_large_campaigns"], tuple, least=Int8(least)))

    async def led_by(self, account_id: AccountId) -> int:
        """How many bytes the campaigns take that an account is a GM of."""
        [bytes_led] = await self._database.read(SQL["read_bytes_led"], column(int), account=account_id)
        return bytes_led

    async def led_by_full(self, least: int) -> set[CampaignId]:
        """The campaigns of which every GM leads campaigns that take so many bytes or more."""
        return {*await self._database.read(SQL["read_led_by_full"], column(CampaignId), least=Int8(least))}
