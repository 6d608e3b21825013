"""Webhooks of a campaign: made, listed, tried again and deleted by its GMs."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.campaign.lifecycle.archive import require_open
from domain.ids import AccountId, CampaignId
from domain.rejection import Forbidden
from domain.sentences import Sentence, say
from domain.webhooks import Webhook, WebhookForm, WebhookKind
from projections.timestamps import moment
from services.campaign.visible_campaign import VisibleCampaign
from services.errors import BROKEN
from services.lifecycle.lifecycle_dependencies import CampaignParts
from services.lifecycle.sealed_webhooks import NewWebhook, webhook_not_found
from services.reading.parameters import uuid_or

FAULTS: dict[str, Sentence] = {
    "unknown_host": say("There is no host of that name."),
    "private_address": say("Its address is not one of the public internet, where alone webhooks are sent."),
    "plain_http": say("It has to begin with https://."),
    "no_connection": say("Nothing takes connections there."),
    "no_answer_in_time": say("It did not answer in time."),
    "untrusted_certificate": say("Its certificate cannot be trusted."),
    "no_secure_connection": say("It makes no secure connection: https:// needs one."),
    "broken_answer": say("Its answer cannot be understood."),
    "other_key": say("The key of this service was changed: make another webhook."),
    "maker_left": say("Its maker is not a GM any more: nothing is sent to it."),
    "restored": say("The service was restored from a backup."),
    "defect": BROKEN,
}
"""Why a webhook could not be sent, by its code; the codes `http_<status>` have a sentence of their own."""


class WebhookView(Struct, frozen=True):
    """A webhook as GMs may see it later: of its address the host alone."""

    webhook_id: UUID
    host: str
    form: WebhookForm
    kinds: list[WebhookKind]
    created_by: AccountId
    created_at: str
    state: Literal["waiting", "sending", "failing", "parked"]
    """Waiting for news, sending some, failing and tried again by itself, or parked.

    Parked is one after a day of failures, or whose maker is no GM any more.
    """
    delivered: int
    """The last seq of which it was told."""
    as_of: int
    failing_since: str | None
    next_try_at: str | None
    parked_at: str | None
    error: str | None
    """A code for why the last attempt failed."""
    detail: str | None
    """The same in words."""


class MadeWebhook(Struct, frozen=True):
    """A webhook that was made, and the `secret` that signs what it is sent, which is shown only this once."""

    webhook: WebhookView
    secret: str


class WebhooksPage(Struct, frozen=True):
    """The webhooks of a campaign, oldest first."""

    as_of: int
    webhooks: list[WebhookView]


async def webhooks_of(parts: CampaignParts, account: AccountId, campaign_id: CampaignId) -> WebhooksPage:
    """The webhooks of a campaign. Refuses `gm_only`."""
    campaign = await _open_as_gm(parts, account, campaign_id)
    webhooks = await parts.webhooks.store.of(campaign_id)
    return WebhooksPage(campaign.seq, [_view(campaign, webhook) for webhook in webhooks])


async def make_webhook(
    parts: CampaignParts,
    account: AccountId,
    campaign_id: CampaignId,
    request: NewWebhook,
    key: str | None = None,
) -> MadeWebhook:
    """Make a webhook, or find that of the same `key`. Raises what `POST …/webhooks` refuses."""
    campaign = await _open_as_gm(parts, account, campaign_id)
    with campaign.refusing():
        require_open(campaign.state)
        webhook, secret = await parts.webhooks.make(campaign, request, key)
    return MadeWebhook(_view(campaign, webhook), secret)


async def retry_webhook(
    parts: CampaignParts, account: AccountId, campaign_id: CampaignId, webhook_id: str
) -> WebhookView:
    """Try a webhook again at once. Refuses `gm_only` and `webhook_not_found`."""
    campaign = await _open_as_gm(parts, account, campaign_id)
    with campaign.refusing():
        webhook = await parts.webhooks.retry(campaign_id, uuid_or(webhook_id, webhook_not_found()))
    return _view(campaign, webhook)


async def delete_webhook(
    parts: CampaignParts, account: AccountId, campaign_id: CampaignId, webhook_id: str
) -> None:
    """Delete a webhook. Refuses `gm_only` and `webhook_not_found`."""
    campaign = await _open_as_gm(parts, account, campaign_id)
    with campaign.refusing():
        await parts.webhooks.delete(campaign_id, uuid_or(webhook_id, webhook_not_found()))


async def _open_as_gm(parts: CampaignParts, account: AccountId, campaign_id: CampaignId) -> VisibleCampaign:
    campaign = await parts.campaigns.see(campaign_id, account)
    if campaign.role != "gm":
        raise Forbidden("gm_only", campaign.text_of(say("Only a GM may see, make and delete webhooks.")))
    return campaign


def _view(campaign: VisibleCampaign, webhook: Webhook) -> WebhookView:
    is_void = campaign.state.members.get(webhook.created_by) != "gm"
    state = "parked" if is_void else _state_of(webhook, campaign.seq)
    fault = "maker_left" if is_void else webhook.fault
    return WebhookView(
        webhook_id=webhook.webhook_id,
        host=webhook.host,
        form=webhook.form,
        kinds=webhook.kinds,
        created_by=webhook.created_by,
        created_at=moment(webhook.created_at),
        state=state,
        delivered=webhook.delivered,
        as_of=campaign.seq,
        failing_since=None if webhook.failing_since is None else moment(webhook.failing_since),
        next_try_at=moment(webhook.due_at) if state == "failing" else None,
        parked_at=None if webhook.parked_at is None else moment(webhook.parked_at),
        error=fault,
        detail=None if fault is None else campaign.text_of(_fault_in_words(fault)),
    )


def _state_of(webhook: Webhook, seq: int) -> Literal["waiting", "sending", "failing", "parked"]:
    if webhook.parked_at is not None:
        return "parked"
    if webhook.failing_since is not None:
        return "failing"
    return "sending" if webhook.delivered < seq else "waiting"


def _fault_in_words(fault: str) -> Sentence:
    status = fault.removeprefix("http_")
    return FAULTS.get(fault) or say("It answered with status {status}.", status=status)
