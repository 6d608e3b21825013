"""The acts of hosts, in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from uuid import UUID

from psycopg.types.numeric import Int8

from domain.host_actions import HostAction
from domain.ids import AccountId, CampaignId
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import row_as
from infra.postgres.driver.statements import SQL


class PostgresHostActionStore:
    """Keeps what hosts did, in a table that takes no changes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(
        self,
        host_action_id: UUID,
        done_by: str,
        command: str,
        *,
        account: AccountId | None = None,
        campaign: CampaignId | None = None,
        refusal: str | None = None,
    ) -> None:
        """Insert a new host action, done now."""
        await self._database.execute(
            SQL["note_host_action"],
            tuple,
            host_action=host_action_id,
            done_by=done_by,
            command=command,
            account=account,
            campaign=campaign,
            refused=refusal,
        )

    async def latest(self, before: UUID | None, limit: int) -> list[HostAction]:
        """Host actions, the last first; those before one of them."""
        return await self._database.read(
            SQL["read_host_actions"], row_as(HostAction), before=before, most=Int8(limit)
        )
