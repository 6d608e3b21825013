"""Pages of a stored list, always up to date: stored rows plus newer events."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

from domain.campaign.storage.snapshot import FORM
from domain.recorded_event import RecordedEvent
from domain.stored_view_types import ViewRow
from services.campaign.history_changes import history_changes_in, rereads_from
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.reading.event_scan import actions_after, actions_before

SCANNED_MAX = 20_000
"""Events that one page scans in the log; the page then says where the next one begins."""

ROWS_OF_ONE_EVENT = 16
"""Rows of one event stay together: so many more are fetched than asked for, and again more where that cuts one."""

Fetched: TypeAlias = tuple[int, list[ViewRow]]
"""Up to which seq rows are stored, and those that were asked for."""


class IndexedList:
    """One list of a campaign; `rows_of` makes the rows of one action, redacted for its reader."""

    def __init__(
        self,
        log: EventStore,
        views: ProjectionStore,
        view: str,
        rows_of: Callable[[list[RecordedEvent]], list[ViewRow]],
    ) -> None:
        self._log = log
        self._views = views
        self._view = view
        self._rows_of = rows_of

    async def page(
        self, campaign: VisibleCampaign, after: int, limit: int, keys: list[str]
    ) -> tuple[list[ViewRow], int | None]:
        """The next rows after a seq that have all keys, and where the next page begins (None: nowhere)."""
        fetch_rows = partial(
            self._views.rows,
            campaign.campaign_id,
            campaign.audience.key,
            FORM,
            self._view,
            after=after,
            upto=campaign.seq,
            keys=keys,
        )
        followed, rows = await _whole_events(fetch_rows, limit)
        followed = await self._up_to_date(campaign, followed)
        rows = [row for row in rows if row.seq <= followed]
        reached = max(after, followed)
        start = reached
        if len(rows) <= limit:
            async for action in actions_after(self._log, campaign.campaign_id, start, campaign.seq):
                if len(rows) > limit:
                    break
                if reached - start >= SCANNED_MAX:
                    return rows, reached
                new_rows = self._rows_of([campaign.read(row) for row in action])
                rows += [row for row in new_rows if set(keys) <= set(row.keys)]
                reached = action[-1].seq
        return _cut(rows, limit)

    async def page_before(
        self, campaign: VisibleCampaign, before: int, limit: int, keys: list[str], after: int = 0
    ) -> tuple[list[ViewRow], int | None]:
        """The rows before a seq that carry all keys, newest first, and before which to go on.

        Rows at `after` or earlier are left out.
        """
        fetch_rows = partial(
            self._views.rows,
            campaign.campaign_id,
            campaign.audience.key,
            FORM,
            self._view,
            after=after,
            upto=campaign.seq,
            keys=keys,
        )
        listed_upto, below = await _whole_events(partial(fetch_rows, before=before), limit)
        followed = await self._up_to_date(campaign, listed_upto)
        if followed < min(listed_upto, before - 1):
            _, below = await _whole_events(partial(fetch_rows, before=followed + 1), limit)
        if followed >= before - 1:
            return _cut(below, limit, newest_first=True)
        rows: list[ViewRow] = []
        reached = start = min(before, campaign.seq + 1)
        newer = actions_before(self._log, campaign.campaign_id, before, campaign.seq, max(after, followed))
        async for action in newer:
            if len(rows) > limit:
                return _cut(rows, limit, newest_first=True)
            if start - reached >= SCANNED_MAX:
                return rows, reached
            new_rows = self._rows_of([campaign.read(row) for row in action])
            rows += [row for row in reversed(new_rows) if row.seq < before and set(keys) <= set(row.keys)]
            reached = action[0].seq
        return _cut(rows + below, limit, newest_first=True)

    async def _up_to_date(self, campaign: VisibleCampaign, followed: int) -> int:
        """Up to which seq the stored rows are current: not beyond what is read otherwise since then."""
        if not (campaign.state.revealed or campaign.state.imported_people):
            return followed
        rewrites = history_changes_in(await self._log.rewrites(campaign.campaign_id, campaign.seq))
        return min([followed, *(first - 1 for first in rereads_from(rewrites, followed))])


async def _whole_events(fetch_rows: Callable[..., Awaitable[Fetched]], limit: int) -> Fetched:
    """The first rows, at least as many as the limit, with all rows of the event at the limit."""
    more = ROWS_OF_ONE_EVENT
    while True:
        followed, rows = await fetch_rows(limit=limit + more)
        if len(rows) < limit + more or rows[-1].seq != rows[limit - 1].seq:
            return followed, rows
        more *= ROWS_OF_ONE_EVENT


def _cut(rows: list[ViewRow], limit: int, *, newest_first: bool = False) -> tuple[list[ViewRow], int | None]:
    if len(rows) <= limit:
        return rows, None
    last = rows[limit - 1].seq
    page = [row for row in rows if (row.seq >= last if newest_first else row.seq <= last)]
    return page, last if len(page) < len(rows) else None


def merge_pages(
    pages: list[tuple[list[ViewRow], int | None]], limit: int, *, newest_first: bool = False
) -> tuple[list[ViewRow], int | None]:
    """One page of pages that have the same start and no row in common, and where the next page begins."""
    if len(pages) == 1:
        return pages[0]
    ends = [reached for _, reached in pages if reached is not None]
    end = None if not ends else max(ends) if newest_first else min(ends)
    rows = sorted((row for page, _ in pages for row in page), key=lambda row: row.seq, reverse=newest_first)
    if end is not None:
        rows = [row for row in rows if (row.seq >= end if newest_first else row.seq <= end)]
    page, cut_at = _cut(rows, limit, newest_first=newest_first)
    return page, end if cut_at is None else cut_at
