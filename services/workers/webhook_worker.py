"""Sends webhooks what happened since they were last told, as far as every member may read it.

Nothing that is sent is stored: a webhook has the seq up to which its receiver confirmed the news, and each message
is made from the log at the moment of sending. A message goes out before its seq is noted: it may come twice, and
never goes missing. The next one follows when it is confirmed, so that they come in order.
"""

import time
from http import HTTPStatus
from uuid import UUID

import structlog
from msgspec import structs
from prometheus_client import Counter, Gauge

from domain.event_store_types import DatabaseUnavailable
from domain.rejection import Missing
from domain.webhooks import WebAnswer, Webhook, WebhookTarget, WebhookUnreachable
from services.application import Application
from services.ports.web_sender import WebSender
from services.reading.webhook_messages import (
    WebhookMessages,
    discord_headers,
    signed_headers,
    webhook_messages,
)
from services.runtime.lag_metrics import LAST
from services.workers.sending_worker import (
    LEASE_MICROSECONDS,
    PARKED_AFTER_MICROSECONDS,
    SECOND,
    SENDING_MAX,
    SendingWorker,
    pause_after,
)

ARCHIVED_PAUSE_MICROSECONDS = 60 * SECOND
"""Between looks whether a campaign with news that were not sent before it was archived is taken up again."""
COUNT_SECONDS = 10.0
"""Between counts for the metrics."""

MESSAGES = Counter("fieldlog_webhook_messages", "Messages to webhooks, by what became of them", ["result"])
FAILING_WEBHOOKS = Gauge(
    "fieldlog_webhooks_failing", "Webhooks whose last message failed and is tried again", multiprocess_mode=LAST
)
PARKED_WEBHOOKS = Gauge(
    "fieldlog_webhooks_parked", "Webhooks that failed for a day and wait for a GM", multiprocess_mode=LAST
)

log_line = structlog.get_logger("fieldlog.webhooks")


class WebhookWorker(SendingWorker):
    """Sends each webhook its messages, one after the other; several webhooks at a time."""

    def __init__(self, application: Application, sender: WebSender) -> None:
        super().__init__(application)
        self._store = application.webhooks.store
        self._sender = sender
        self._count_at = 0.0

    async def round(self) -> float:
        """Begin to send to the webhooks with news, and go on without waiting for their answers."""
        for webhook in await self._store.due(2 * SENDING_MAX):
            if self.may_begin(webhook.webhook_id):
                self.begin(webhook.webhook_id, self._send_all(webhook))
        if time.monotonic() >= self._count_at:
            counts = await self._store.counts()
            FAILING_WEBHOOKS.set(counts.failing)
            PARKED_WEBHOOKS.set(counts.parked)
            self._count_at = time.monotonic() + COUNT_SECONDS
        return self.again_seconds

    async def _send_all(self, webhook: Webhook) -> None:
        """Send one webhook its messages until none is left, one fails, or the worker is told to stop."""
        next_one: Webhook | None = webhook
        while next_one is not None and not self._stopping:
            next_one = await self._step(next_one)

    async def _step(self, webhook: Webhook) -> Webhook | None:
        """Send the next message; returns the webhook if there may be more to send at once."""
        now = await self._application.log.now()
        claim = await self._store_change(webhook, structs.replace(webhook, due_at=now + LEASE_MICROSECONDS))
        if claim is None:
            return None  # another worker was quicker, or it was deleted
        try:
            messages = await webhook_messages(self._application, claim)
        except (DatabaseUnavailable, Missing):
            raise
        except Exception:
            log_line.exception("webhook_failed", campaign=str(webhook.campaign_id))
            await self._store_change(claim, _after_failure(claim, now, "defect", None))
            return None
        if messages.is_void or messages.is_archived:
            end = structs.replace(claim, parked_at=now, fault="maker_left")
            pause = structs.replace(claim, due_at=now + ARCHIVED_PAUSE_MICROSECONDS)
            await self._store_change(claim, end if messages.is_void else pause)
            return None
        return await self._deliver(claim, messages)

    async def _deliver(self, claim: Webhook, messages: WebhookMessages) -> Webhook | None:
        """Send a message, and note what became of it; returns the webhook if there may be more to send at once."""
        if messages.bodies:
            until = await self._application.log.now() + LEASE_MICROSECONDS * len(messages.bodies)
            lease = structs.replace(claim, upto=messages.upto, due_at=until)
            if not await self._store.save(lease, claim.due_at):
                return None
            claim = lease
        latest, fault, retry_after = await self._send(claim, messages)
        if latest is None:
            return None
        now = await self._application.log.now()
        if fault is not None:
            MESSAGES.labels("failed").inc()
            await self._store_change(latest, _after_failure(latest, now, fault, retry_after))
            return None
        sent_webhook = structs.replace(
            latest,
            delivered=messages.upto,
            upto=messages.upto,
            waiting=messages.waiting,
            attempts=0,
            due_at=now,
            failing_since=None,
            fault=None,
            bodies_confirmed=0,
        )
        after = await self._store_change(latest, sent_webhook)
        return after if messages.upto > claim.delivered else None

    async def _store_change(self, before: Webhook, after: Webhook) -> Webhook | None:
        """Store how far a webhook has come; None: it was changed meanwhile."""
        return after if await self._store.save(after, before.due_at) else None

    async def _send(
        self, webhook: Webhook, messages: WebhookMessages
    ) -> tuple[Webhook | None, str | None, float | None]:
        """Send a message from its first body on that is not confirmed yet, and note each that is.

        Returns the webhook, why it failed, and for how long the receiver asks to be left alone; no webhook, where
        it was changed meanwhile.
        """
        target = self._application.webhooks.target_of(webhook)
        if target is None:
            return webhook, "other_key", None
        for body in messages.bodies[webhook.bodies_confirmed :]:
            try:
                answer = await self._post(webhook, target, messages.message_id, body)
            except WebhookUnreachable as unreachable:
                return webhook, unreachable.code, None
            if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
                return webhook, f"http_{answer.status}", answer.retry_after
            MESSAGES.labels("confirmed").inc()
            if len(messages.bodies) > 1:
                after = structs.replace(
                    webhook,
                    attempts=0,
                    failing_since=None,
                    fault=None,
                    bodies_confirmed=webhook.bodies_confirmed + 1,
                )
                if await self._store_change(webhook, after) is None:
                    return None, None, None
                webhook = after
        return webhook, None, None

    async def _post(self, webhook: Webhook, target: WebhookTarget, message_id: UUID, body: bytes) -> WebAnswer:
        if webhook.form == "discord":
            headers = discord_headers()
        else:
            headers = signed_headers(target, message_id, await self._application.log.now() // SECOND, body)
        return await self._sender.post(target.address, headers, body)


def _after_failure(webhook: Webhook, now: int, fault: str, retry_after: float | None) -> Webhook:
    """A webhook after a failure: tried again later and later; after a day, or where that is vain, parked."""
    since = webhook.failing_since or now
    is_gone = fault == "http_410" or (webhook.form == "discord" and fault == "http_404") or fault == "other_key"
    is_parked = is_gone or now - since >= PARKED_AFTER_MICROSECONDS
    return structs.replace(
        webhook,
        attempts=webhook.attempts + 1,
        due_at=now + pause_after(webhook.attempts, retry_after),
        failing_since=since,
        parked_at=now if is_parked else None,
        fault=fault,
    )
