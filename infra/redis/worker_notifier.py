"""Wakes the workers after a commit. Never waits, never fails: a lost message only delays."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from infra.in_process.worker_notifier import PAUSE_SECONDS
from infra.outage_log import Outage


class WorkerNotifier:
    """Sends a message at once, from a thread, and then at most one every 50 ms: calls in between are merged.

    Waking a thread after every commit costs the event loop's thread as much as deciding and sealing an action
    (measured).

    `send` may block and may raise: Redis may be away.
    """

    def __init__(self, send: Callable[[], None], outage: Outage) -> None:
        self._send = send
        self._outage = outage
        self._sending: asyncio.Task[None] | None = None
        self._again = False
        self._unavailable = False
        self._closing = asyncio.Event()

    def notify(self) -> None:
        """Tell the workers that there is work. Call it on the event loop's thread."""
        if self._sending is not None:
            self._again = True
            return
        self._sending = asyncio.create_task(self._send_all())

    async def close(self) -> None:
        """Finish the current message; send a last one if `notify` was called meanwhile and Redis answers."""
        self._closing.set()
        if self._sending is not None:
            await self._sending

    async def _send_all(self) -> None:
        try:
            self._again = True
            while self._again and not (self._closing.is_set() and self._unavailable):
                self._again = False
                await self._send_one()
                with suppress(TimeoutError):
                    async with asyncio.timeout(PAUSE_SECONDS):
                        await self._closing.wait()
        finally:
            self._sending = None

    async def _send_one(self) -> None:
        try:
            await asyncio.to_thread(self._send)
        except Exception as failure:  # noqa: BLE001 — a committed action stays committed after any failure of Redis
            self._outage.missed(failure)
            self._unavailable = True
        else:
            self._outage.end()
            self._unavailable = False
