"""The worker behind webhooks and calls: several receivers at a time, to each one request after the other.

A receiver is held by moving its `due_at` on. If the worker dies, another one sends the same again after that.
After a failure it is tried again later and later, and after a day not any more.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Coroutine
from functools import partial
from typing import Any
from uuid import UUID

import structlog

from domain.event_store_types import DatabaseUnavailable
from domain.rejection import Missing
from services.application import Application
from services.runtime.readiness import Missed
from services.workers.polling_worker import PollingWorker

SECOND = 1_000_000
"""Moments are microseconds."""
SENDING_MAX = 16
"""Receivers that are sent to at a time."""
LEASE_MICROSECONDS = 20 * SECOND
"""How long a worker holds a receiver while it makes a message, and for each further request that it takes."""
FIRST_PAUSE_SECONDS = 2.0
"""The pause after a failure; it doubles with each further one."""
PAUSE_SECONDS_MAX = 3_600.0
PARKED_AFTER_MICROSECONDS = 86_400 * SECOND

log_line = structlog.get_logger("fieldlog.sending")


class SendingWorker(PollingWorker):
    """Begins to send in its rounds, and goes on without waiting for the answers."""

    again_seconds = 1.0

    def __init__(self, application: Application) -> None:
        super().__init__()
        self._application = application
        self._running: dict[UUID, asyncio.Task[None]] = {}

    async def run(self, missed: Missed) -> None:
        """Work until told to stop; then wait for the messages that are under way."""
        try:
            await super().run(missed)
        finally:
            await asyncio.gather(*self._running.values())

    async def once(self) -> None:
        """Send to every receiver with news until there are none, or until it fails."""
        await self.round()
        await asyncio.gather(*self._running.values())

    @abstractmethod
    async def round(self) -> float:
        """Begin to send to the receivers with news; returns the pause before the next look."""

    def may_begin(self, receiver: UUID) -> bool:
        """Whether a receiver is not sent to already, and there is room for it."""
        return receiver not in self._running and len(self._running) < SENDING_MAX

    def begin(self, receiver: UUID, sending: Coroutine[Any, Any, None]) -> None:
        """Send to a receiver beside all others. A failure ends this alone, and the database's is told."""
        task = asyncio.create_task(self._guard(receiver, sending))
        self._running[receiver] = task
        task.add_done_callback(partial(self._ended, receiver))

    def _ended(self, receiver: UUID, _: asyncio.Task[None]) -> None:
        del self._running[receiver]

    async def _guard(self, receiver: UUID, sending: Coroutine[Any, Any, None]) -> None:
        try:
            await sending
        except DatabaseUnavailable as away:
            self._application.database.missed(away)
        except Missing:
            log_line.info("receiver_without_campaign", receiver=str(receiver))  # deleted just now
        except Exception:
            log_line.exception("sending_failed", receiver=str(receiver))


def pause_after(attempts: int, retry_after: float | None) -> int:
    """The microseconds to leave a receiver alone after so many failures before this one, and as it asks for."""
    pause = min(PAUSE_SECONDS_MAX, FIRST_PAUSE_SECONDS * 2.0 ** min(attempts, 20))
    if retry_after is not None:
        pause = min(PAUSE_SECONDS_MAX, max(pause, retry_after))
    return int(pause * SECOND)
