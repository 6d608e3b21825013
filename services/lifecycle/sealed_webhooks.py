"""Webhooks as they are stored: with their addresses and secrets encrypted by the service's key."""

import base64
from secrets import token_bytes
from typing import Annotated
from uuid import UUID, uuid5

import msgspec
from msgspec import Meta, Struct

from domain.ids import CampaignId
from domain.rejection import Missing, Rejection
from domain.sentences import say
from domain.webhooks import (
    ADDRESS_CHARACTERS_MAX,
    WEBHOOKS_MAX,
    Webhook,
    WebhookForm,
    WebhookKind,
    WebhookTarget,
)
from services.campaign.visible_campaign import VisibleCampaign
from services.errors import key_reused
from services.ports.clock_and_randomness import Entropy
from services.ports.crypto import AddressCipher
from services.ports.event_store import EventStore
from services.ports.webhook_store import WebhookStore
from services.reading.webhook_messages import SECRET_PREFIX
from services.runtime.web_addresses import host_of

SECRET_BYTES = 32


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook to make: its address, its form, and the kinds of news that it is told."""

    url: Annotated[str, Meta(min_length=1, max_length=ADDRESS_CHARACTERS_MAX)]
    kinds: Annotated[list[WebhookKind], Meta(min_length=1, max_length=5)]
    form: WebhookForm = "json"


class SealedWebhooks:
    """Stores webhooks, with addresses and secrets encrypted; `allows_http`: the host has networks for that."""

    def __init__(
        self, store: WebhookStore, cipher: AddressCipher, log: EventStore, entropy: Entropy, *, allows_http: bool
    ) -> None:
        self.store = store
        self._cipher = cipher
        self._log = log
        self._entropy = entropy
        self._allows_http = allows_http

    async def make(
        self, campaign: VisibleCampaign, request: NewWebhook, key: str | None = None
    ) -> tuple[Webhook, str]:
        """Make a webhook that is told what happens from now on, or find that of the same `key`.

        Returns it and its secret. Raises `webhook_address_unusable`, `too_many_webhooks` and
        `idempotency_key_reused`.
        """
        host = host_of(request.url, allows_http=self._allows_http)
        if host is None:
            raise _unusable()
        secret = SECRET_PREFIX + base64.b64encode(token_bytes(SECRET_BYTES)).decode()
        now, webhook_id = await self._log.now(), self._entropy.new_id()
        if key is not None:
            webhook_id = uuid5(campaign.campaign_id, f"webhook {campaign.account} {key}")
            if earlier := await self._find_same(campaign.campaign_id, webhook_id, request):
                return earlier
        content = msgspec.json.encode(WebhookTarget(request.url, secret))
        webhook = Webhook(
            campaign_id=campaign.campaign_id,
            webhook_id=webhook_id,
            form=request.form,
            kinds=_kinds_of(request),
            host=host,
            sealed=self._cipher.seal(campaign.campaign_id, webhook_id, content),
            created_by=campaign.account,
            created_at=now,
            delivered=campaign.seq,
            upto=campaign.seq,
            waiting=b"",
            attempts=0,
            due_at=now,
            failing_since=None,
            parked_at=None,
            fault=None,
        )
        if not await self.store.create(webhook, WEBHOOKS_MAX):
            if earlier := await self._find_same(campaign.campaign_id, webhook_id, request):
                return earlier  # by the same request, which came twice at once
            raise Rejection("too_many_webhooks", say("A campaign has at most {most} webhooks.", most=WEBHOOKS_MAX))
        return webhook, secret

    async def _find_same(
        self, campaign_id: CampaignId, webhook_id: UUID, request: NewWebhook
    ) -> tuple[Webhook, str] | None:
        """The webhook that the same request made before, and its secret. Raises `idempotency_key_reused`."""
        webhook = await self._find(campaign_id, webhook_id)
        if webhook is None:
            return None
        target = self.target_of(webhook)
        terms = webhook.form, webhook.kinds
        if target is None or target.address != request.url or terms != (request.form, _kinds_of(request)):
            raise key_reused()
        return webhook, target.secret

    async def _find(self, campaign_id: CampaignId, webhook_id: UUID) -> Webhook | None:
        webhooks = await self.store.of(campaign_id)
        return next((webhook for webhook in webhooks if webhook.webhook_id == webhook_id), None)

    def target_of(self, webhook: Webhook) -> WebhookTarget | None:
        """The address and the secret of a webhook; None: they were encrypted with another key."""
        content = self._cipher.decrypt(webhook.campaign_id, webhook.webhook_id, webhook.sealed)
        return None if content is None else msgspec.json.decode(content, type=WebhookTarget)

    async def retry(self, campaign_id: CampaignId, webhook_id: UUID) -> Webhook:
        """Try a webhook again at once. Raises `webhook_not_found`."""
        if not await self.store.retry(campaign_id, webhook_id, await self._log.now()):
            raise webhook_not_found()
        webhook = await self._find(campaign_id, webhook_id)
        if webhook is None:
            raise webhook_not_found()
        return webhook

    async def delete(self, campaign_id: CampaignId, webhook_id: UUID) -> None:
        """Delete a webhook: nothing more is sent to it. Raises `webhook_not_found`."""
        if not await self.store.delete(campaign_id, webhook_id):
            raise webhook_not_found()


def webhook_not_found() -> Missing:
    """The refusal of a webhook that the campaign does not have."""
    return Missing("webhook_not_found", say("This campaign has no such webhook."))


def _kinds_of(request: NewWebhook) -> list[WebhookKind]:
    """The kinds of news, each once."""
    return [*dict.fromkeys(request.kinds)]


def _unusable() -> Rejection:
    return Rejection(
        "webhook_address_unusable",
        say("The address has to be a whole one that begins with https://, without a name or a password in it."),
    )
