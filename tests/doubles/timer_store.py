"""Timers in plain dicts, as a `MemoryEventStore` keeps them."""

from collections.abc import Callable

from msgspec.structs import replace

from domain.event_store_types import NEVER, Backlog, DueTimer, KeptTimer, Timer
from domain.ids import ActionId, CampaignId
from domain.worker_shares import WHOLE, holds
from tests.doubles.event_store import MemoryEventStore

LEASE_MICROSECONDS = 5_000_000
ATTEMPTS_MAX = 5
AGAIN_MICROSECONDS = 1_000_000


class MemoryTimerStore:
    """Reads and claims the timers of a log. `clock` gives microseconds UTC."""

    def __init__(self, log: MemoryEventStore, clock: Callable[[], int]) -> None:
        self._log = log
        self._clock = clock

    async def claim(self, limit: int, share: bytes = WHOLE, *, late: int = 0) -> tuple[int, list[DueTimer]]:
        """Take what is due in a share, and late by so much, oldest first, and the clock (0 where nothing is)."""
        now = self._clock()
        due = [
            (kept.timer.wake_at, campaign_id, key)
            for campaign_id, timers in self._living()
            for key, kept in timers.items()
            if kept.parked_at is None and kept.timer.wake_at <= now - late and holds(share, campaign_id)
        ]
        claimed = sorted(due)[:limit]
        for _, campaign_id, key in claimed:
            self._wake(campaign_id, key, now + LEASE_MICROSECONDS)
        found = [DueTimer(campaign_id, *key, now - wake_at) for wake_at, campaign_id, key in claimed]
        return now if found else 0, found

    async def of(self, campaign_id: CampaignId) -> list[KeptTimer]:
        """All timers of a campaign, those that are due soonest first."""
        kept = self._log.timers.get(campaign_id, {}).values()
        return sorted(kept, key=lambda each: (each.timer.wake_at, each.timer.cause, each.timer.subject))

    async def failed(self, campaign_id: CampaignId, cause: ActionId, subject: str, error: str) -> int:
        """Count a failure; how often it failed so far (0: there is no such timer, or it is parked already)."""
        timers = self._log.timers.get(campaign_id, {})
        kept = timers.get((cause, subject))
        if kept is None or kept.parked_at is not None:
            return 0
        now = self._clock()
        attempts = kept.attempts + 1
        timers[cause, subject] = replace(
            kept, attempts=attempts, error=error, parked_at=now if attempts >= ATTEMPTS_MAX else None
        )
        self._wake(campaign_id, (cause, subject), now + (AGAIN_MICROSECONDS << kept.attempts))
        return attempts

    async def retry(self, campaign_id: CampaignId, cause: ActionId, subject: str) -> bool:
        """Let a timer that failed be tried again at once; False: it is not there, or did not fail."""
        kept = self._log.timers.get(campaign_id, {}).get((cause, subject))
        if kept is None or not kept.attempts:
            return False
        self._log.timers[campaign_id][cause, subject] = KeptTimer(kept.timer)
        self._wake(campaign_id, (cause, subject), self._clock())
        return True

    async def replace(self, campaign_id: CampaignId, seq: int, timers: list[Timer]) -> bool:
        """Make a campaign's timers these; False: its log does not end at `seq` any more."""
        head = await self._log.head(campaign_id)
        if head is None or head.seq != seq:
            return False
        old = self._log.timers.get(campaign_id, {})
        self._log.timers[campaign_id] = {
            (timer.cause, timer.subject): kept
            if (kept := old.get((timer.cause, timer.subject))) is not None
            and (kept.timer.clock, kept.timer.due) == (timer.clock, timer.due)
            and (kept.timer.wake_at == NEVER) == (timer.wake_at == NEVER)
            else KeptTimer(timer)
            for timer in timers
        }
        return True

    async def backlog(self, share: bytes = WHOLE) -> Backlog:
        """What should have happened by now, what is parked, and what comes next, everywhere and in a share."""
        now = self._clock()
        every = [(campaign_id, kept) for campaign_id, timers in self._living() for kept in timers.values()]
        waiting = [
            (campaign_id, kept.timer.wake_at)
            for campaign_id, kept in every
            if kept.parked_at is None and kept.timer.wake_at < NEVER
        ]
        next_at = min((wake_at for _, wake_at in waiting), default=None)
        in_share = min((wake_at for campaign_id, wake_at in waiting if holds(share, campaign_id)), default=None)
        return Backlog(
            due=sum(wake_at <= now for _, wake_at in waiting),
            next_in=None if next_at is None else next_at - now,
            parked=sum(kept.parked_at is not None for _, kept in every),
            next_in_share=None if in_share is None else in_share - now,
        )

    def _living(self) -> list[tuple[CampaignId, dict[tuple[ActionId, str], KeptTimer]]]:
        """The timers of campaigns that are not deleted."""
        return [each for each in self._log.timers.items() if each[0] not in self._log.deleted]

    def _wake(self, campaign_id: CampaignId, key: tuple[ActionId, str], at: int) -> None:
        timers = self._log.timers[campaign_id]
        timers[key] = replace(timers[key], timer=replace(timers[key].timer, wake_at=at))
