"""How far stored views are behind the log, as numbers for whoever watches: API and workers both measure it."""

import time

from prometheus_client import Gauge

from domain.stored_views import Progress
from services.ports import ViewStore

BEHIND = Gauge("fieldlog_campaigns_behind", "Campaigns whose stored views are behind their log")
OLDEST_SECONDS = Gauge(
    "fieldlog_oldest_behind_seconds", "Age of the oldest head that stored views have not followed; 0: none"
)


async def measured(views: ViewStore) -> Progress:
    """Ask the database, and set the gauges."""
    progress = await views.progress()
    BEHIND.set(progress.campaigns_behind)
    OLDEST_SECONDS.set(seconds_late(progress))
    return progress


def seconds_late(progress: Progress) -> float:
    """How long the oldest unfollowed head has been waiting."""
    return 0.0 if progress.oldest_at is None else max(0.0, time.time() - progress.oldest_at / 1_000_000)
