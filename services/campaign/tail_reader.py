"""Reads what other processes appended to many campaigns in groups, as their commands are committed in groups."""

import asyncio
from typing import NamedTuple

from domain.event_store_types import StoredEvent
from domain.ids import CampaignId
from services.ports.event_store import EventStore

GROUP_MAX = 32
"""Campaigns read together, at most."""

EVENTS_MAX = 20
"""Events of each campaign in a group's reading; the rest of a longer tail, which is rare, is read by itself."""


class _TailRequest(NamedTuple):
    campaign_id: CampaignId
    after: int
    future: asyncio.Future[list[StoredEvent]]


class TailReader:
    """Reads one group at a time: the tails that are wanted meanwhile are the next one."""

    def __init__(self, log: EventStore) -> None:
        self._log = log
        self._requests: list[_TailRequest] = []
        self._reading: asyncio.Task[None] | None = None

    async def tail(self, campaign_id: CampaignId, after: int) -> list[StoredEvent]:
        """The events of a campaign after a seq, oldest first. Raises `DatabaseUnavailable`."""
        request = _TailRequest(campaign_id, after, asyncio.get_running_loop().create_future())
        self._requests.append(request)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_groups())
        events = await request.future
        if len(events) == EVENTS_MAX:
            events += await self._log.tail(campaign_id, events[-1].seq)
        return events

    async def _read_groups(self) -> None:
        """Read until nothing is wanted any more."""
        try:
            while self._requests:
                group, self._requests = self._requests[:GROUP_MAX], self._requests[GROUP_MAX:]
                await self._read_group(group)
        finally:
            self._reading = None

    async def _read_group(self, group: list[_TailRequest]) -> None:
        try:
            tails = await self._log.tails([(request.campaign_id, request.after) for request in group], EVENTS_MAX)
        except Exception as failure:  # noqa: BLE001 — those who wait must hear of it, whatever it is
            for request in group:
                if not request.future.done():  # done: its caller was cancelled
                    request.future.set_exception(failure)
        else:
            for request, tail in zip(group, tails, strict=True):
                if not request.future.done():
                    request.future.set_result(tail)
