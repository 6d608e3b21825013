"""Rollback detection: heads that were confirmed are kept outside the database.

Only heads that the database confirmed are kept. Ask for the kept head first and read the log afterwards: otherwise
a head that is kept in between looks like one that the log has lost.
"""

import asyncio

import structlog

from domain.event_store_types import Head
from domain.ids import CampaignId
from domain.rejection import Stale
from domain.sentences import say
from services.ports.crypto import HeadStore
from services.ports.event_store import EventStore

KEEP_SECONDS = 5.0
"""So many seconds of a log may be lost unnoticed: keeping every head at once would cost as much as the append."""

log_line = structlog.get_logger("fieldlog.heads")


class RollbackDetector:
    """Keeps confirmed heads, and compares logs with them."""

    def __init__(self, log: EventStore, shelf: HeadStore) -> None:
        self._log = log
        self._shelf = shelf
        self._new: dict[CampaignId, Head] = {}

    def confirm(self, campaign_id: CampaignId, head: Head) -> None:
        """Note a head that the database confirmed; `keep` will store it."""
        self._new[campaign_id] = head

    def kept(self, campaign_id: CampaignId) -> Head | None:
        """The newest confirmed head; None: none is known."""
        return self._new.get(campaign_id) or self._shelf.last(campaign_id)

    def campaigns(self) -> list[CampaignId]:
        """The campaigns whose head is known."""
        return [*{*self._new, *self._shelf.campaigns()}]

    async def is_whole(self, campaign_id: CampaignId, kept: Head | None, head: Head) -> bool:
        """Whether a log that ends at `head` still has the event at the `kept` head.

        `kept` must have been read before `head`. A campaign that is deleted meanwhile was not set back. Raises
        `DatabaseUnavailable`.
        """
        if kept is None or (kept.seq, kept.hash) == (head.seq, head.hash):
            return True
        if kept.seq > head.seq:
            return False
        there = await self._log.tail(campaign_id, kept.seq - 1, limit=1)
        return there[0].hash == kept.hash if there else await self._log.head(campaign_id) is None

    async def require_whole(self, campaign_id: CampaignId, kept: Head | None, head: Head) -> None:
        """Raise `log_behind_checkpoint` unless `is_whole`."""
        if kept is not None and not await self.is_whole(campaign_id, kept, head):
            raise Stale(
                "log_behind_checkpoint",
                say(
                    "This campaign once reached event {kept}, but its log no longer matches: an "
                    "old backup was restored. Whoever runs the service must accept that first (fieldlog "
                    "accept-restore).",
                    kept=kept.seq,
                ),
            )

    def forget(self, campaign_id: CampaignId) -> None:
        """Accept the log as it is now."""
        self._new.pop(campaign_id, None)
        self._shelf.forget(campaign_id)

    async def keep_on(self) -> None:
        """Store new heads every few seconds, until cancelled."""
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            await self.keep()

    async def keep(self) -> None:
        """Store new heads. If the disk refuses, the kept heads are only older."""
        new = dict(self._new)
        try:
            await asyncio.to_thread(self._shelf.keep, new)
        except OSError as failure:
            log_line.warning("heads_not_kept", reason=str(failure))
            return
        # Only now: until the files have the head, it is kept here alone.
        self._new = {
            campaign_id: head for campaign_id, head in self._new.items() if new.get(campaign_id) is not head
        }
