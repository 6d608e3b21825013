"""Fires timers: claims those that are due by the database's clock, woken by a message or by itself."""

import asyncio
from collections import defaultdict
from collections.abc import Callable

import structlog
from prometheus_client import Counter, Histogram

from domain.campaign.due_commands import DueKey
from domain.event_store_types import DatabaseUnavailable
from domain.ids import CampaignId
from domain.rejection import Missing, Stale
from domain.worker_shares import WHOLE
from services.commands.command_handler import CommandHandler
from services.errors import BROKEN
from services.ports.timer_store import TimerStore
from services.runtime.lag_metrics import measured_timers
from services.workers.campaign_shares import everything
from services.workers.polling_worker import PollingWorker

CLAIMED_MAX = 1_000

LEFT_MICROSECONDS = 250_000
"""A timer that is late by so much is for all: the worker that it is left to is gone or has too much to do."""

LEFT_BY_BUSY_MICROSECONDS = 1_000_000
"""The same for a worker that finds timers of its own share each time it looks."""

FIRED = Counter("fieldlog_timers_fired", "Timers that this worker made happen")
LATENESS = Histogram(
    "fieldlog_timer_lateness_seconds",
    "How long after its moment a timer was claimed",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 3600),
)

log_line = structlog.get_logger("fieldlog.timers")


class TimerWorker(PollingWorker):
    """Claims due timers and runs their commands by campaign, all of one claim in one group."""

    again_seconds = 1.0
    """The longest sleep; a timer that is due sooner wakes the worker, and so does a message."""

    def __init__(
        self, timers: TimerStore, handler: CommandHandler, share: Callable[[], bytes] = everything
    ) -> None:
        super().__init__()
        self._timers = timers
        self._handler = handler
        self._share = share

    async def round(self) -> float:
        """Fire everything that is due; returns the seconds until the next timer."""
        until_next = await self._until_next()
        if until_next > 0:  # a claim writes, or looks as if it would: mostly there is nothing to claim
            return until_next
        while await self.once() and not self._stopping:
            pass
        return await self._until_next()

    async def once(self) -> int:
        """Fire a page of due timers of the share, and of late ones of others; returns how many."""
        share = self._share()
        now, due = await self._timers.claim(CLAIMED_MAX, share)
        if share != WHOLE:
            late = LEFT_BY_BUSY_MICROSECONDS if due else LEFT_MICROSECONDS
            then, overdue = await self._timers.claim(CLAIMED_MAX, late=late)
            now, due = max(now, then), due + overdue
        keys_by_campaign: dict[CampaignId, list[DueKey]] = defaultdict(list)
        for timer in due:
            LATENESS.observe(timer.late / 1_000_000)
            keys_by_campaign[timer.campaign_id].append((timer.cause, timer.subject))
        away = [
            result
            for result in await asyncio.gather(
                *(self._fire(*campaign, now) for campaign in keys_by_campaign.items())
            )
            if result is not None
        ]
        if away:
            raise away[0]
        return len(due)

    async def _fire(self, campaign_id: CampaignId, keys: list[DueKey], now: int) -> DatabaseUnavailable | None:
        """Fire one campaign's timers; a failure does not affect the others."""
        try:
            FIRED.inc(await self._handler.run_due(campaign_id, now, keys))
        except DatabaseUnavailable as away:
            return away
        except Missing:
            log_line.info("timers_without_campaign", campaign=str(campaign_id))  # deleted just now
        except Stale as busy:
            log_line.info("timers_delayed", campaign=str(campaign_id), code=busy.code)
        except Exception:
            log_line.exception("timers_failed", campaign=str(campaign_id))
            for key in keys:
                await self._timers.failed(campaign_id, *key, str(BROKEN))
        return None

    async def _until_next(self) -> float:
        """Seconds until the next timer of the share is due, or another one is late."""
        backlog = await measured_timers(self._timers, self._share())
        pauses = [self.again_seconds]
        if backlog.next_in_share is not None:
            pauses.append(backlog.next_in_share / 1_000_000)
        if backlog.next_in is not None:
            pauses.append((backlog.next_in + LEFT_MICROSECONDS) / 1_000_000)
        return max(0.0, min(pauses))
