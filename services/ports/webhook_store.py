"""Where webhooks are stored, with how far each has come."""

from typing import Protocol
from uuid import UUID

from domain.ids import CampaignId
from domain.webhooks import Webhook, WebhookCounts


class WebhookStore(Protocol):
    """Stores webhooks by campaign. Every method may raise `DatabaseUnavailable`."""

    async def create(self, webhook: Webhook, most: int) -> bool:
        """Store a new webhook; False: the campaign has `most` already, or this very one."""
        ...

    async def of(self, campaign_id: CampaignId) -> list[Webhook]:
        """The webhooks of a campaign, oldest first."""
        ...

    async def delete(self, campaign_id: CampaignId, webhook_id: UUID) -> bool:
        """Delete a webhook; False: there is none."""
        ...

    async def retry(self, campaign_id: CampaignId, webhook_id: UUID, now: int) -> bool:
        """Make a webhook due now, parked or not, and forget its failures; False: there is none."""
        ...

    async def due(self, limit: int) -> list[Webhook]:
        """Webhooks that are due and have news, oldest first; none that is parked, or of a deleted campaign."""
        ...

    async def save(self, webhook: Webhook, due_at: int) -> bool:
        """Store how far a webhook has come; False: its `due_at` is not this any more, or it is gone."""
        ...

    async def counts(self) -> WebhookCounts:
        """How many fail and how many are parked, of all campaigns that are not deleted."""
        ...
