"""What was done in downtime, found by the chronicle's index, however long ago that was."""

from collections.abc import AsyncIterator
from typing import Any

from msgspec import structs

from domain.campaign.messages.downtime import ActivityFinished, ActivityStarted, ActivityStopped
from domain.lifecycle_events import DowntimeEnded, DowntimeStarted
from domain.recorded_event import Recorded
from projections.campaign import chronicle
from projections.campaign.downtime import DowntimeView, downtime_view, past_of
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.queries.campaign_reader import VisibleCampaign
from services.queries.indexed_list import IndexedList

PAST_MAX = 200
"""So many actions of each kind are looked at, the newest."""
KINDS: tuple[type[Any], ...] = (ActivityStarted, ActivityFinished, ActivityStopped, DowntimeStarted, DowntimeEnded)


async def downtime_with_past(log: EventStore, views: ProjectionStore, seen: VisibleCampaign) -> DowntimeView:
    """Downtime as the reader may see it, with what was done in it before."""
    view = downtime_view(seen.state, seen.seq, seen.name, seen.language)
    records = {record.seq: record for kind in KINDS async for record in _standing(log, views, seen, kind)}
    periods, past = past_of(seen.state, [records[seq] for seq in sorted(records)], seen.name, seen.language)
    return structs.replace(view, periods=periods, past=past)


async def _standing(
    log: EventStore, views: ProjectionStore, seen: VisibleCampaign, kind: type[Any]
) -> AsyncIterator[Recorded]:
    """The last standing events of a kind, redacted for the reader."""
    index = IndexedList(log, views, chronicle.VIEW, lambda records: chronicle.index_rows(records, set()))
    keys = [f"type:{kind.__struct_config__.tag}"]
    before: int | None = seen.seq + 1
    found = 0
    while before is not None and found < PAST_MAX:
        rows, before = await index.page_before(seen, before, PAST_MAX, keys)
        found += len(rows)
        actions = [each for row in rows if (each := chronicle.action_of(row)) not in seen.state.undone]
        for row in await log.actions(seen.campaign_id, actions) if actions else []:
            record = seen.read(row)
            if row.seq <= seen.seq and isinstance(record.event, kind):
                yield record
