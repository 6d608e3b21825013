"""Webhooks in memory."""

from uuid import UUID

from msgspec import structs

from domain.ids import CampaignId
from domain.webhooks import Webhook, WebhookCounts
from services.ports.clock_and_randomness import Clock
from tests.doubles.event_store import MemoryEventStore


class MemoryWebhookStore:
    """Keeps webhooks of the campaigns of a log. `clock` gives microseconds UTC."""

    def __init__(self, log: MemoryEventStore, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self._webhooks: dict[tuple[CampaignId, UUID], Webhook] = {}

    async def create(self, webhook: Webhook, most: int) -> bool:
        """Store a new webhook; False: the campaign has `most` already, or this very one."""
        others = await self.of(webhook.campaign_id)
        if len(others) >= most or (webhook.campaign_id, webhook.webhook_id) in self._webhooks:
            return False
        self._webhooks[webhook.campaign_id, webhook.webhook_id] = webhook
        return True

    async def of(self, campaign_id: CampaignId) -> list[Webhook]:
        """The webhooks of a campaign, oldest first."""
        own = (webhook for webhook in self._webhooks.values() if webhook.campaign_id == campaign_id)
        return sorted(own, key=lambda webhook: (webhook.created_at, webhook.webhook_id))

    async def delete(self, campaign_id: CampaignId, webhook_id: UUID) -> bool:
        """Delete a webhook; False: there is none."""
        return self._webhooks.pop((campaign_id, webhook_id), None) is not None

    async def retry(self, campaign_id: CampaignId, webhook_id: UUID, now: int) -> bool:
        """Make a webhook due now, parked or not, and forget its failures; False: there is none."""
        webhook = self._webhooks.get((campaign_id, webhook_id))
        if webhook is None:
            return False
        self._webhooks[campaign_id, webhook_id] = structs.replace(
            webhook, due_at=now, attempts=0, failing_since=None, parked_at=None, fault=None
        )
        return True

    async def due(self, limit: int) -> list[Webhook]:
        """Webhooks that are due and have news, oldest first; none that is parked."""
        now = self._clock()
        due = []
        for webhook in self._webhooks.values():
            head = await self._log.head(webhook.campaign_id)
            has_news = head is not None and head.seq > webhook.delivered
            if has_news and webhook.parked_at is None and webhook.due_at <= now:
                due.append(webhook)
        return sorted(due, key=lambda webhook: webhook.due_at)[:limit]

    async def save(self, webhook: Webhook, due_at: int) -> bool:
        """Store how far a webhook has come; False: its `due_at` is not this any more, or it is gone."""
        place = webhook.campaign_id, webhook.webhook_id
        if place not in self._webhooks or self._webhooks[place].due_at != due_at:
            return False
        self._webhooks[place] = webhook
        return True

    async def counts(self) -> WebhookCounts:
        """How many fail and how many are parked."""
        webhooks = self._webhooks.values()
        parked = sum(webhook.parked_at is not None for webhook in webhooks)
        return WebhookCounts(sum(webhook.failing_since is not None for webhook in webhooks) - parked, parked)
