"""Notices a log that was set back: how far each log had come is kept outside the database.

Only heads that the database confirmed are kept. Whoever compares asks for the kept head first and reads the log
afterwards: else a head that was kept in between would look like one that the log has lost.
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
"""So much of a log may be lost unnoticed: keeping every head at once would cost as much as the append."""

log_line = structlog.get_logger("fieldlog.heads")


class RollbackDetector:
    """Keeps confirmed heads, and compares logs with them."""

    def __init__(self, log: EventStore, shelf: HeadStore) -> None:
        self._log = log
        self._shelf = shelf
        self._new: dict[CampaignId, Head] = {}

    def confirm(self, campaign_id: CampaignId, head: Head) -> None:
        """Take note of a head that the database confirmed; `keep` will keep it."""
        self._new[campaign_id] = head

    def kept(self, campaign_id: CampaignId) -> Head | None:
        """The newest head that is known to have been confirmed; None: none is."""
        return self._new.get(campaign_id) or self._shelf.last(campaign_id)

    def campaigns(self) -> list[CampaignId]:
        """The campaigns of which a head is known."""
        return [*{*self._new, *self._shelf.campaigns()}]

    async def is_whole(self, campaign_id: CampaignId, kept: Head | None, head: Head) -> bool:
        """Whether a log that ends at `head` still has the event at the `kept` head.

        `kept` must have been asked for before `head` was read. A campaign that is deleted meanwhile was not set
        back. Raises `DatabaseUnavailable`.
        """
        if kept is None or (kept.seq, kept.hash) == (head.seq, head.hash):
            return True
        if kept.seq > head.seq:
            return False
        there = await self._log.tail(campaign_id, kept.seq - 1, limit=1)
        return there[0].hash == kept.hash if there else await self._log.head(campaign_id) is None

    async def require_whole(self, campaign_id: CampaignId, kept: Head | None, head: Head) -> None:
        """Refuse `log_behind_checkpoint` where `is_whole` says no."""
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
        """Keep what is new, every few seconds, until cancelled."""
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            await self.keep()

    async def keep(self) -> None:
        """Keep what is new. A disk that refuses only makes the memory older."""
        new = dict(self._new)
        try:
            await asyncio.to_thread(self._shelf.keep, new)
        except OSError as failure:
            log_line.warning("heads_not_kept", reason=str(failure))
            return
        # Only now: until the files have it, this is the only place that does.
        self._new = {
            campaign_id: head for campaign_id, head in self._new.items() if new.get(campaign_id) is not head
        }
