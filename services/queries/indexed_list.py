"""Pages of a stored list, never stale: what is stored, and what the log has on top of it."""

from collections.abc import Callable

from domain.campaign.events import ActionRevealed
from domain.campaign.storage.snapshot import FORM
from domain.projection_types import ViewRow
from domain.recorded_event import Recorded
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import actions_after
from services.state.history_changes import history_changes_in

SCANNED_MAX = 20_000
"""Events that one page looks through in the log; it then says where to go on."""

ROWS_OF_ONE_EVENT_MAX = 16
"""Rows of one event are never torn apart, so a page may be longer than asked for by as many."""


class IndexedList:
    """One list of a campaign; `rows_of` makes the rows of one action as its reader sees it."""

    def __init__(
        self,
        log: EventStore,
        views: ProjectionStore,
        view: str,
        rows_of: Callable[[list[Recorded]], list[ViewRow]],
    ) -> None:
        self._log = log
        self._views = views
        self._view = view
        self._rows_of = rows_of

    async def page(
        self, seen: VisibleCampaign, after: int, limit: int, keys: list[str]
    ) -> tuple[list[ViewRow], int | None]:
        """The next rows after a seq that carry all keys, and where to go on (None: the list ends)."""
        followed, rows = await self._views.rows(
            seen.campaign_id,
            seen.audience.key,
            FORM,
            self._view,
            after=after,
            upto=seen.seq,
            limit=limit + ROWS_OF_ONE_EVENT_MAX,
            keys=keys,
        )
        followed = await self._up_to_date(seen, followed)
        rows = [row for row in rows if row.seq <= followed]
        reached = max(after, followed)
        start = reached
        if len(rows) <= limit:
            async for action in actions_after(self._log, seen.campaign_id, start, seen.seq):
                if len(rows) > limit:
                    break
                if reached - start >= SCANNED_MAX:
                    return rows, reached
                made = self._rows_of([seen.read(row) for row in action])
                rows += [row for row in made if set(keys) <= set(row.keys)]
                reached = action[-1].seq
        return _cut(rows, limit)

    async def _up_to_date(self, seen: VisibleCampaign, followed: int) -> int:
        """Up to which seq what is stored reads as it does now: not beyond what was revealed on top of it."""
        if not seen.state.revealed:
            return followed
        rewrites = history_changes_in(await self._log.rewrites(seen.campaign_id, seen.seq))
        newer = [each for each in rewrites if each.how is ActionRevealed and each.seq > followed]
        return min([followed, *(each.first_seq - 1 for each in newer)])


def _cut(rows: list[ViewRow], limit: int) -> tuple[list[ViewRow], int | None]:
    if len(rows) <= limit:
        return rows, None
    last = rows[limit - 1].seq
    page = [row for row in rows if row.seq <= last]
    return page, last if len(page) < len(rows) else None
