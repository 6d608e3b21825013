"""Calls members whom a table waits for while they have no table in sight, on the devices that they have named.

No call is stored: a device has for each campaign the seq up to which its owner was called, or has seen the table,
and marks of what waited then. All that is new is called for once, together. A call goes out before that is noted:
it may come twice, and never goes missing.
"""

from http import HTTPStatus

import structlog
from msgspec import structs
from prometheus_client import Counter

from domain.event_store_types import DatabaseUnavailable
from domain.ids import CampaignId
from domain.push_call_devices import Device, DeviceWithNews, Place
from domain.rejection import Missing
from domain.webhooks import WebhookUnreachable
from services.application import Application
from services.ports.web_sender import WebSender
from services.reading.push_call_content import AwaitedNow, awaited_now, topic_of
from services.reading.waiting_since import WaitingSince
from services.workers.sending_worker import (
    LEASE_MICROSECONDS,
    PARKED_AFTER_MICROSECONDS,
    SECOND,
    SendingWorker,
    pause_after,
)

CAMPAIGNS_AT_ONCE = 200
"""So many campaigns with news are looked at in a round, of all devices together."""
LOOK_MICROSECONDS = 35 * SECOND
"""Between looks at a device whose owner has a table in sight: a feed whose connection was lost is over by then.

Also after a look that failed.
"""
CALL_PAUSE_MICROSECONDS = 30 * SECOND
"""After a call a device is left alone for so long, however much begins to wait."""
GONE = (f"http_{HTTPStatus.NOT_FOUND}", f"http_{HTTPStatus.GONE}")
"""So push services say that a browser takes no messages any more."""

CALLS = Counter("fieldlog_calls", "Calls to devices of members, by what became of them", ["result"])

log_line = structlog.get_logger("fieldlog.calls")


class CallWorker(SendingWorker):
    """Calls several devices at a time."""

    def __init__(self, application: Application, sender: WebSender) -> None:
        super().__init__(application)
        self._devices = application.devices
        self._sender = sender
        self._waiting = WaitingSince(application.states)

    async def round(self) -> float:
        """Look at the devices whose owners' campaigns went on, and go on without waiting for push services."""
        for due in await self._devices.store.due(CAMPAIGNS_AT_ONCE):
            if self.may_begin(due.device.device_id):
                self.begin(due.device.device_id, self._look(due))
        return self.again_seconds

    async def _look(self, due: DeviceWithNews) -> None:
        """Call a device for each campaign in which something waits, until one call fails."""
        now = await self._application.log.now()
        device = structs.replace(due.device, due_at=now + LEASE_MICROSECONDS * (len(due.campaigns) + 1))
        if not await self._devices.store.save(device, due.device.due_at):
            return  # another worker was quicker, or it was told to stop
        pause = 0
        for campaign_id in due.campaigns:
            place = device.places.get(campaign_id, Place(0))
            answers = await self._awaited_now(device, campaign_id)
            if answers is None:
                pause = max(pause, LOOK_MICROSECONDS)
                continue
            seq, waits = answers.seq, answers.waits
            if await self._is_in_sight(device, campaign_id):
                pause = max(pause, LOOK_MICROSECONDS)
                after = place.in_sight(seq, waits)
            else:
                content = answers.content(place, with_words=device.with_words)
                if content is not None:
                    fault, retry_after = await self._send(device, campaign_id, content)
                    if fault is not None:
                        await self._note_failure(device, fault, retry_after)
                        return
                    pause = max(pause, CALL_PAUSE_MICROSECONDS)
                    device = structs.replace(device, attempts=0, failing_since=None, fault=None)
                after = place.after_call(seq, waits)
            device = structs.replace(device, places={**device.places, campaign_id: after})
            if not await self._devices.store.save(device, device.due_at):
                return
        free = structs.replace(device, due_at=await self._application.log.now() + pause)
        await self._devices.store.save(free, device.due_at)

    async def _is_in_sight(self, device: Device, campaign_id: CampaignId) -> bool:
        """Whether the owner has a window of the campaign open that they look at."""
        present = await self._application.presence.present(campaign_id)
        here = present.get(device.account_id)
        return here is not None and not here.looks_elsewhere

    async def _awaited_now(self, device: Device, campaign_id: CampaignId) -> AwaitedNow | None:
        """All that waits for the owner; None where the campaign is left or deleted by now, or cannot be read."""
        try:
            return await awaited_now(
                self._application, self._waiting, device.account_id, campaign_id, device.language
            )
        except Missing:
            return None
        except DatabaseUnavailable:
            raise
        except Exception:
            log_line.exception("call_failed", campaign=str(campaign_id))
            return None

    async def _send(
        self, device: Device, campaign_id: CampaignId, content: bytes
    ) -> tuple[str | None, float | None]:
        """Send a call; returns why it failed, and for how long the push service asks to be left alone."""
        target = self._devices.target_of(device)
        if target is None:
            return "other_key", None
        seconds = await self._application.log.now() // SECOND
        request = self._devices.sealer.request(target, content, topic_of(device.device_id, campaign_id), seconds)
        try:
            answer = await self._sender.post(target.endpoint, request.headers, request.body)
        except WebhookUnreachable as unreachable:
            return unreachable.code, None
        if HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
            CALLS.labels("taken").inc()
            return None, None
        return f"http_{answer.status}", answer.retry_after

    async def _note_failure(self, device: Device, fault: str, retry_after: float | None) -> None:
        """End a device that is gone; try any other again later and later, for a day."""
        if fault in GONE:
            CALLS.labels("ended").inc()
            await self._devices.store.end(device)
            return
        CALLS.labels("failed").inc()
        now = await self._application.log.now()
        since = device.failing_since or now
        is_parked = fault == "other_key" or now - since >= PARKED_AFTER_MICROSECONDS
        after = structs.replace(
            device,
            attempts=device.attempts + 1,
            due_at=now + pause_after(device.attempts, retry_after),
            failing_since=since,
            parked_at=now if is_parked else None,
            fault=fault,
        )
        await self._devices.store.save(after, device.due_at)
