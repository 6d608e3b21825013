"""What the service keeps outside the database: the key that opens seeds, and how far each log had come."""

import asyncio

import structlog

from domain.dice.seeds import EpochSeeds
from domain.ids import CampaignId
from domain.rejection import Stale
from domain.sentences import say
from domain.stored import Head, SealedSeeds
from services.ports import EventLog, HeadShelf, Vault

KEEP_SECONDS = 5.0
"""So much of a log may be lost unnoticed: keeping every head at once would cost as much as the append."""

log_line = structlog.get_logger("fieldlog.safe")


class Safe:
    """Seals seeds for the log and opens those it holds; notices a log that was set back."""

    def __init__(self, log: EventLog, vault: Vault, shelf: HeadShelf) -> None:
        self._log = log
        self._vault = vault
        self._shelf = shelf
        self._new: dict[CampaignId, Head] = {}

    def sealed(self, seeds: list[EpochSeeds]) -> list[SealedSeeds]:
        """Seeds as they are appended."""
        return [SealedSeeds(each.epoch, self._vault.seal(each)) for each in seeds]

    async def opened(self, campaign_id: CampaignId, epoch: int) -> EpochSeeds | None:
        """The seeds of one epoch; None: there are none, or they were sealed with another key."""
        sealed = await self._log.sealed_seeds(campaign_id, epoch) if epoch else None
        return None if sealed is None else self._vault.opened(campaign_id, epoch, sealed)

    def note(self, campaign_id: CampaignId, head: Head) -> None:
        """A log has come so far; `keep` will keep it."""
        self._new[campaign_id] = head

    async def require_whole(self, campaign_id: CampaignId, head: Head) -> None:
        """Refuse `log_behind_checkpoint` where a log ends before what was kept of it, or is another one."""
        kept = self._new.get(campaign_id) or self._shelf.last(campaign_id)
        if kept is None or (kept.seq, kept.hash) == (head.seq, head.hash):
            return
        there = await self._log.tail(campaign_id, kept.seq - 1, limit=1) if kept.seq <= head.seq else []
        if not there or there[0].hash != kept.hash:
            raise Stale(
                "log_behind_checkpoint",
                say(
                    "This campaign was seen to reach event {kept}, and its log is another one now: an old backup "
                    "was restored. Whoever runs the service must accept that first (fieldlog accept-restore).",
                    kept=kept.seq,
                ),
            )

    def forget(self, campaign_id: CampaignId) -> None:
        """Accept whatever the log is now."""
        self._new.pop(campaign_id, None)
        self._shelf.forget(campaign_id)

    async def keep_on(self) -> None:
        """Keep what is new, every few seconds, until cancelled."""
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            await self.keep()

    async def keep(self) -> None:
        """Keep what is new. A disk that refuses only makes the memory older."""
        new, self._new = self._new, {}
        try:
            await asyncio.to_thread(self._shelf.keep, new)
        except OSError as failure:
            log_line.warning("heads_not_kept", reason=str(failure))
