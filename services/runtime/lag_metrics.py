"""Prometheus gauges for projection lag and timer backlog, set by the API and by workers."""

import time
from typing import Literal

from prometheus_client import Gauge

from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import Backlog
from domain.stored_view_types import Progress
from domain.worker_shares import WHOLE
from services.ports.projection_store import ProjectionStore
from services.ports.timer_store import TimerStore

LAST: Literal["mostrecent"] = "mostrecent"
"""All of these are of the database: of several processes that share a port, the one that looked last knows."""

BEHIND = Gauge(
    "fieldlog_campaigns_behind",
    "Campaigns whose stored views are behind their log, or of another form",
    multiprocess_mode=LAST,
)
OLDEST_SECONDS = Gauge(
    "fieldlog_oldest_behind_seconds",
    "Age of the oldest head that stored views have not followed; 0: none",
    multiprocess_mode=LAST,
)

TIMERS_DUE = Gauge("fieldlog_timers_due", "Timers that should have fired by now", multiprocess_mode=LAST)
TIMERS_LATE_SECONDS = Gauge(
    "fieldlog_timers_late_seconds", "How late the oldest of them is; 0: none", multiprocess_mode=LAST
)
DRIFTING = Gauge(
    "fieldlog_ledgers_drifting",
    "Campaigns whose ledger, sheets and log do not say the same",
    multiprocess_mode=LAST,
)
TIMERS_PARKED = Gauge(
    "fieldlog_timers_parked", "Timers that failed too often and wait for a GM", multiprocess_mode=LAST
)


async def measured(views: ProjectionStore) -> Progress:
    """Query the projection lag and set its gauges."""
    progress = await views.progress(FORM)
    BEHIND.set(progress.campaigns_behind + progress.of_another_form)
    OLDEST_SECONDS.set(seconds_late(progress))
    return progress


def seconds_late(progress: Progress) -> float:
    """How long the oldest unprocessed head has been waiting."""
    return 0.0 if progress.oldest_at is None else max(0.0, time.time() - progress.oldest_at / 1_000_000)


async def measured_timers(timers: TimerStore, share: bytes = WHOLE) -> Backlog:
    """Query the timer backlog and set its gauges."""
    backlog = await timers.backlog(share)
    TIMERS_DUE.set(backlog.due)
    TIMERS_LATE_SECONDS.set(max(0, -(backlog.next_in or 0)) / 1_000_000)
    TIMERS_PARKED.set(backlog.parked)
    return backlog
