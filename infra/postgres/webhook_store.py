"""Webhooks in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from uuid import UUID

from psycopg.types.numeric import Int4, Int8

from domain.ids import CampaignId
from domain.webhooks import Webhook, WebhookCounts
from infra.postgres.driver.binary_arrays import TextArray
from infra.postgres.driver.database import Database
from infra.postgres.driver.row_factories import row_as
from infra.postgres.driver.statements import SQL


class PostgresWebhookStore:
    """Keeps each webhook in one row: nothing that is sent is stored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, webhook: Webhook, most: int) -> bool:
        """Store a new webhook; False: the campaign has `most` already, or this very one."""
        rows = await self._database.execute(
            SQL["create_webhook"],
            tuple,
            campaign=webhook.campaign_id,
            webhook=webhook.webhook_id,
            form=webhook.form,
            kinds=TextArray(webhook.kinds),
            host=webhook.host,
            sealed=webhook.sealed,
            created_by=webhook.created_by,
            created_at=Int8(webhook.created_at),
            delivered=Int8(webhook.delivered),
            most=Int8(most),
        )
        return bool(rows)

    async def of(self, campaign_id: CampaignId) -> list[Webhook]:
        """The webhooks of a campaign, oldest first."""
        return await self._database.read(SQL["read_webhooks"], row_as(Webhook), campaign=campaign_id)

    async def delete(self, campaign_id: CampaignId, webhook_id: UUID) -> bool:
        """Delete a webhook; False: there is none."""
        return bool(
            await self._database.execute(SQL["delete_webhook"], tuple, campaign=campaign_id, webhook=webhook_id)
        )

    async def retry(self, campaign_id: CampaignId, webhook_id: UUID, now: int) -> bool:
        """Make a webhook due now, parked or not, and forget its failures; False: there is none."""
        return bool(
            await self._database.execute(
                SQL["retry_webhook"], tuple, campaign=campaign_id, webhook=webhook_id, now=Int8(now)
            )
        )

    async def due(self, limit: int) -> list[Webhook]:
        """Webhooks that are due and have news, oldest first; none that is parked, or of a deleted campaign."""
        return await self._database.read(SQL["read_due_webhooks"], row_as(Webhook), most=Int8(limit))

    async def save(self, webhook: Webhook, due_at: int) -> bool:
        """Store how far a webhook has come; False: its `due_at` is not this any more, or it is gone."""
        rows = await self._database.execute(
            SQL["save_webhook"],
            tuple,
            campaign=webhook.campaign_id,
            webhook=webhook.webhook_id,
            delivered=Int8(webhook.delivered),
            upto=Int8(webhook.upto),
            waiting=webhook.waiting,
            attempts=Int4(webhook.attempts),
            next=Int8(webhook.due_at),
            failing_since=None if webhook.failing_since is None else Int8(webhook.failing_since),
            parked_at=None if webhook.parked_at is None else Int8(webhook.parked_at),
            fault=webhook.fault,
            bodies_confirmed=Int4(webhook.bodies_confirmed),
            due_at=Int8(due_at),
        )
        return bool(rows)

    async def counts(self) -> WebhookCounts:
        """How many fail and how many are parked, of all campaigns that are not deleted."""
        rows = await self._database.read(SQL["count_webhooks"], row_as(WebhookCounts))
        return rows[0]
