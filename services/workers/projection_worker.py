"""Finds lagging projections in PostgreSQL and brings them up to date. It does not depend on messages."""

import time
from collections.abc import Callable
from functools import partial
from uuid import UUID

import structlog
from prometheus_client import Counter, Histogram

from domain.campaign.storage.snapshot import FORM
from domain.event_store_types import DatabaseUnavailable, LockTimeout
from domain.ids import CampaignId
from domain.rejection import Missing
from domain.stored_view_types import Progress
from domain.worker_shares import WHOLE
from services.ports.clock_and_randomness import Entropy
from services.ports.projection_store import ProjectionStore
from services.runtime.bounded_gather import bounded_gather
from services.runtime.lag_metrics import measured, seconds_late
from services.runtime.readiness import Check
from services.workers.campaign_shares import everything
from services.workers.polling_worker import PollingWorker
from services.workers.projector import Projector

LAG_EVENTS = 128
"""From so many unprocessed events on, a campaign is processed although it is not quiet.

Storing a fold and the ends of lists costs as much for one event as for so many, and reading adds so many in a
millisecond.
"""

LEFT_MICROSECONDS = 1_000_000
"""A campaign that waits for so long is for all, or one that lags by 128 events more: the worker that it is left to
has looked once by then, and is gone or has too much to do.
"""

CAMPAIGNS_PER_SWEEP = 50
AGAIN_SECONDS_MAX = 60.0
CHECK_SECONDS_MAX = 1.0

RENEWED_PER_SWEEP = 4
"""Projections in another format that are invalidated at a time, so that lagging campaigns wait for few of them."""

RENEW_AGAIN_SECONDS = 3_600.0
"""The pause after all projections in another format were invalidated, before looking for more."""

FOLLOWED = Counter("fieldlog_followed_events", "Events folded into stored views")
FAILED = Counter("fieldlog_catch_up_failures", "Campaigns that could not be caught up, each attempt")
LATENESS = Histogram(
    "fieldlog_catch_up_lateness_seconds",
    "Age of the oldest unfollowed head when its campaign was caught up",
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300),
)

log_line = structlog.get_logger("fieldlog.worker")


class ProjectionWorker(PollingWorker):
    """Brings projections up to date, two at a time; woken by messages, and by itself every second.

    A busy campaign is left lagging by fewer than 128 events until it has been quiet for `quiet_seconds`: its
    readers fold those themselves. 0: no such delay. A campaign of which nothing is stored yet is not.
    """

    again_seconds = 1.0
    """The longest delay if no message wakes the worker."""
    alone_seconds = 5.0
    """The same of a worker that is alone and found nothing that lags: other processes tell it of new events."""

    def __init__(
        self,
        views: ProjectionStore,
        catch_up: Projector,
        entropy: Entropy,
        check: Check,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        quiet_seconds: float = 0,
        share: Callable[[], bytes] = everything,
    ) -> None:
        super().__init__()
        self._views = views
        self._catch_up = catch_up
        self._entropy = entropy
        self._check = check
        self._time = monotonic
        self._quiet_microseconds = int(quiet_seconds * 1_000_000)
        self._failures: dict[CampaignId, tuple[int, float]] = {}
        self._share = share
        self._to_renew = 0
        self._renew_again_at = 0.0
        self._lag = 0

    async def round(self) -> float:
        """Bring all lagging campaigns up to date."""
        while await self.once() and not self._stopping:
            pass
        is_idle = self._share() == WHOLE and not self._lag
        return max(self.again_seconds, self.alone_seconds) if is_idle else self.again_seconds

    async def once(self) -> int:
        """Process a page of lagging campaigns, and invalidate some in another format; returns how many changed.

        Campaigns outside this worker's share are processed if none of its own can be, and they have waited.
        """
        progress = await measured(self._views)
        self._lag = progress.campaigns_behind + progress.of_another_form
        count = 0
        if progress.campaigns_behind == 0:
            self._failures.clear()
        else:
            share = self._share()
            events = LAG_EVENTS if self._quiet_microseconds else 1
            count = await self._catch_up_page(progress, share, events, 0)
            if not count and share != WHOLE:
                count = await self._catch_up_page(progress, WHOLE, events + LAG_EVENTS, LEFT_MICROSECONDS)
        if progress.of_another_form and progress.campaigns_behind < CAMPAIGNS_PER_SWEEP:
            count += await self._renew(progress.of_another_form)
        return count

    async def _catch_up_page(self, progress: Progress, share: bytes, events: int, left_microseconds: int) -> int:
        page = await self._page(share, events, left_microseconds)
        if page:
            LATENESS.observe(seconds_late(progress))
        return sum(await bounded_gather(self._one, page))

    async def _renew(self, waiting: int) -> int:
        """Invalidate some of the projections `waiting` in another format; returns how many, which now lag.

        After as many as there were at first it pauses: otherwise workers of two versions would invalidate each
        other's projections for ever.
        """
        if self._to_renew <= 0:
            if self._time() < self._renew_again_at:
                return 0
            self._to_renew = waiting
        campaign_ids = await self._views.of_another_form(FORM, RENEWED_PER_SWEEP)
        for campaign_id in campaign_ids:
            await self._views.renew(campaign_id, FORM)
        self._to_renew -= len(campaign_ids)
        self._renew_again_at = self._time() + RENEW_AGAIN_SECONDS
        return len(campaign_ids)

    async def _page(self, share: bytes, events: int, left_microseconds: int) -> list[CampaignId]:
        """Some lagging campaigns: from a random id on, so that workers rarely meet, and around to it again.

        A new campaign's views are not waited for: its ledger is checked as soon as there are some.
        """
        first, quiet = self._entropy.new_id(), self._quiet_microseconds + left_microseconds
        lagging = partial(self._views.lagging, share=share, events=events, quiet=quiet, new=left_microseconds)
        campaign_ids = await lagging(first, CAMPAIGNS_PER_SWEEP)
        if len(campaign_ids) < CAMPAIGNS_PER_SWEEP:
            before = await lagging(UUID(int=0), CAMPAIGNS_PER_SWEEP - len(campaign_ids))
            campaign_ids += [campaign_id for campaign_id in before if campaign_id < first]
        return campaign_ids

    async def _one(self, campaign_id: CampaignId) -> int:
        """Process one campaign; after a failure it is left alone for longer and longer, and the others go on."""
        failures, again_at = self._failures.get(campaign_id, (0, 0.0))
        if self._time() < again_at:
            return 0
        followed = 0
        try:
            while not self._stopping and (step := await self._catch_up.step(campaign_id)):
                followed += step
                FOLLOWED.inc(step)
        except LockTimeout as held:
            self._put_off(campaign_id, failures)
            log_line.warning("catch_up_delayed", campaign=str(campaign_id), reason=str(held))
        except DatabaseUnavailable as away:
            if await self._check(CHECK_SECONDS_MAX) is not None:
                raise  # the trouble is not with this campaign only
            self._failed(campaign_id, failures, away)
        except Missing:
            pass  # the campaign was deleted meanwhile
        except Exception as failure:  # noqa: BLE001 — one poisoned campaign must not stop the others
            self._failed(campaign_id, failures, failure)
        else:
            self._failures.pop(campaign_id, None)
        return 1 if followed else 0

    def _put_off(self, campaign_id: CampaignId, failures: int) -> None:
        wait = min(AGAIN_SECONDS_MAX, 2.0 ** min(failures, 10))
        self._failures[campaign_id] = (failures + 1, self._time() + wait)

    def _failed(self, campaign_id: CampaignId, failures: int, failure: Exception) -> None:
        FAILED.inc()
        self._put_off(campaign_id, failures)
        log_line.error("catch_up_failed", campaign=str(campaign_id), attempt=failures + 1, exc_info=failure)
