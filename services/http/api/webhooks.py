"""`…/webhooks`: addresses elsewhere that are told what happens in a campaign."""

from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import GMS
from services.http.route_parameters import KeyHeader, checked_key
from services.lifecycle.sealed_webhooks import NewWebhook
from services.lifecycle.webhooks import (
    MadeWebhook,
    WebhooksPage,
    WebhookView,
    delete_webhook,
    make_webhook,
    retry_webhook,
    webhooks_of,
)


class WebhooksController(Controller):
    """Webhooks: made, listed, tried again, deleted."""

    path = "/api/campaigns/{campaign_id:str}/webhooks"
    tags = ("people",)

    @get(summary="The campaign's webhooks", operation_class=GMS)
    async def webhooks(self, asker: NamedDependency[CampaignCaller]) -> WebhooksPage:
        """All webhooks, with how far each has come, without their addresses and secrets; GMs only."""
        return await webhooks_of(asker.application.for_campaigns, asker.account, asker.campaign_id)

    @post(summary="Make a webhook", operation_class=GMS)
    async def make(
        self, asker: NamedDependency[CampaignCaller], data: JSONBody[NewWebhook], key: KeyHeader = None
    ) -> MadeWebhook:
        """Have an address told what happens from now on, as far as every member may read it; GMs only.

        A campaign has 10 at most. A webhook ends when its maker is no GM any more.

        Refuses `webhook_address_unusable`, `too_many_webhooks` and `campaign_archived`.
        """
        parts, key = asker.application.for_campaigns, checked_key(key)
        return await make_webhook(parts, asker.account, asker.campaign_id, data, key)

    @post("/{webhook_id:str}/retry", summary="Try a webhook again", operation_class=GMS, status_code=200)
    async def retry(self, asker: NamedDependency[CampaignCaller], webhook_id: FromPath[str]) -> WebhookView:
        """Send at once to a webhook that failed, parked or not; GMs only. Refuses `webhook_not_found`."""
        return await retry_webhook(asker.application.for_campaigns, asker.account, asker.campaign_id, webhook_id)

    @delete("/{webhook_id:str}", summary="Delete a webhook", operation_class=GMS)
    async def delete(self, asker: NamedDependency[CampaignCaller], webhook_id: FromPath[str]) -> None:
        """Send nothing more to a webhook; GMs only. Refuses `webhook_not_found`."""
        await delete_webhook(asker.application.for_campaigns, asker.account, asker.campaign_id, webhook_id)
