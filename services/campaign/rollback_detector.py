"""Rollback detection: heads that were confirmed are kept outside the database.

Only heads that the database confirmed are kept, those of appends by other processes too: an old backup is
recognised by any process that is asked. Ask for the kept head first and read the log afterwards: otherwise a head
that is kept in between looks like one that the log has lost.

That a restored log was accepted is known everywhere by its event, which is younger than the kept head.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from domain.campaign.events import DiceEpochEnded
from domain.campaign.storage.event_codec import record_of
from domain.event_store_types import DatabaseUnavailable, Head
from domain.ids import CampaignId
from domain.rejection import Stale
from domain.sentences import say
from services.ports.event_store import EventStore
from services.ports.head_store import HeadStore

KEEP_SECONDS = 5.0
"""So many seconds of a log may be lost unnoticed: keeping every head at once would cost as much as the append."""

SETTLE_MICROSECONDS = 60_000_000
"""An event is recorded before it is committed: for so long earlier ones may still appear."""

PAGE = 1_000
ACCEPTANCE = DiceEpochEnded.__struct_config__.tag

log_line = structlog.get_logger("fieldlog.heads")


class RollbackDetector:
    """Keeps confirmed heads, and compares logs with them."""

    def __init__(self, log: EventStore, shelf: HeadStore) -> None:
        self._log = log
        self._shelf = shelf
        self._new: dict[CampaignId, Head] = {}
        self._accepting: set[CampaignId] = set()
        self._keeping = asyncio.Lock()
        self._followed_to = 0

    def confirm(self, campaign_id: CampaignId, head: Head) -> None:
        """Note a head that the database confirmed; `keep` will store it."""
        self._new[campaign_id] = head

    def stored_head(self, campaign_id: CampaignId) -> Head | None:
        """The newest confirmed head; None: none is known."""
        if campaign_id in self._accepting:
            return None
        return self._new.get(campaign_id) or self._shelf.last(campaign_id)

    def campaigns(self) -> list[CampaignId]:
        """The campaigns whose head is known."""
        return [*{*self._new, *self._shelf.campaigns()}]

    async def is_whole(self, campaign_id: CampaignId, stored_head: Head | None, head: Head) -> bool:
        """Whether a log that ends at `head` still has the event at the `kept` head, or was accepted without it.

        `kept` must have been read before `head`. A campaign that is deleted meanwhile was not set back. Raises
        `DatabaseUnavailable`.
        """
        if stored_head is None or (stored_head.seq, stored_head.hash) == (head.seq, head.hash):
            return True
        if stored_head.seq <= head.seq:
            there = await self._log.tail(campaign_id, stored_head.seq - 1, limit=1)
            if there and there[0].hash == stored_head.hash:
                return True
            if not there and await self._log.head(campaign_id) is None:
                return True
        if not await self._was_accepted_after(stored_head, campaign_id, head):
            return False
        if self._new.get(campaign_id) == stored_head:
            del self._new[campaign_id]
        self._shelf.forget(campaign_id)
        return True

    async def _was_accepted_after(self, stored_head: Head, campaign_id: CampaignId, head: Head) -> bool:
        """Whether a process accepted the log as it was, after the kept head had been seen."""
        older = await self._log.seq_at(campaign_id, stored_head.recorded_at)
        for after in range(older, head.seq, PAGE):
            for row in await self._log.tail(campaign_id, after, upto=min(after + PAGE, head.seq)):
                if row.kind == ACCEPTANCE and row.recorded_at > stored_head.recorded_at:
                    event = record_of(row).event
                    if isinstance(event, DiceEpochEnded) and event.reason == "restored":
                        return True
        return False

    async def require_whole(self, campaign_id: CampaignId, stored_head: Head | None, head: Head) -> None:
        """Raise `log_behind_checkpoint` unless `is_whole`."""
        if stored_head is not None and not await self.is_whole(campaign_id, stored_head, head):
            raise Stale(
                "log_behind_checkpoint",
                say(
                    "This campaign once reached event {kept}, but its log no longer matches: an "
                    "old backup was restored. The host of the service must accept that first (fieldlog "
                    "accept-restore).",
                    kept=stored_head.seq,
                ),
            )

    @contextmanager
    def accepting(self, campaign_id: CampaignId) -> Iterator[None]:
        """Ask nothing of a campaign's log within the block, and forget the kept head at its good end."""
        self._accepting.add(campaign_id)
        try:
            yield
            self._shelf.forget(campaign_id)
        finally:
            self._accepting.discard(campaign_id)

    def forget(self, campaign_id: CampaignId) -> None:
        """Accept the log as it is now."""
        self._new.pop(campaign_id, None)
        self._shelf.forget(campaign_id)

    async def keep_on(self) -> None:
        """Follow other processes, and store new heads, every few seconds, until cancelled."""
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            if self._shelf.is_durable:
                try:
                    await self.follow()
                except DatabaseUnavailable as failure:
                    log_line.warning("heads_not_followed", reason=str(failure))
            await self.keep()

    async def follow(self) -> None:
        """Note heads that others appended, of logs that were not set back. Raises `DatabaseUnavailable`."""
        since, reached = self._followed_to - SETTLE_MICROSECONDS, self._followed_to
        after = None
        while True:
            page = await self._log.moved_heads(since, after, PAGE)
            for campaign_id, head in await asyncio.to_thread(self._unknown, page):
                stored_head = self.stored_head(campaign_id)
                if stored_head is not None and not await self.is_whole(campaign_id, stored_head, head):
                    continue
                if (newest := self._new.get(campaign_id)) is None or newest.seq < head.seq:
                    self.confirm(campaign_id, head)
            reached = max([reached, *(head.recorded_at for _, head in page)])
            if len(page) < PAGE:
                self._followed_to = reached
                return
            after = page[-1][0]

    def _unknown(self, page: list[tuple[CampaignId, Head]]) -> list[tuple[CampaignId, Head]]:
        heads = ((campaign_id, head, self.stored_head(campaign_id)) for campaign_id, head in page)
        return [
            (campaign_id, head)
            for campaign_id, head, stored_head in heads
            if stored_head is None or stored_head.seq < head.seq
        ]

    async def keep(self) -> None:
        """Store new heads. If the disk refuses, the kept heads are only older."""
        async with self._keeping:  # two at once would take each other's files away
            new = dict(self._new)
            if not new:
                return
            try:
                await asyncio.to_thread(self._shelf.keep, new)
            except OSError as failure:
                log_line.warning("heads_not_kept", reason=str(failure))
                return
            # Only now: until the files have the head, it is kept here alone.
            self._new = {
                campaign_id: head for campaign_id, head in self._new.items() if new.get(campaign_id) is not head
            }
