"""The activities of past downtime, found by the chronicle's index, however long ago that was."""

from collections.abc import AsyncIterator
from typing import Any

from msgspec import structs

from domain.campaign.messages.downtime import ActivityFinished, ActivityStarted, ActivityStopped
from domain.lifecycle_events import DowntimeEnded, DowntimeStarted
from domain.recorded_event import RecordedEvent
from projections.campaign import chronicle
from projections.campaign.downtime import DowntimeView, downtime_view, past_of
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.reading.indexed_list import IndexedList

PAST_MAX = 200
"""So many actions of each kind are looked at, the newest."""
KINDS: tuple[type[Any], ...] = (ActivityStarted, ActivityFinished, ActivityStopped, DowntimeStarted, DowntimeEnded)


async def downtime_with_past(log: EventStore, views: ProjectionStore, campaign: VisibleCampaign) -> DowntimeView:
    """Downtime as the reader may see it, with what was done in it before."""
    view = downtime_view(campaign.state, campaign.seq, campaign.name, campaign.language)
    records = {record.seq: record for kind in KINDS async for record in _standing(log, views, campaign, kind)}
    periods, past = past_of(
        campaign.state, [records[seq] for seq in sorted(records)], campaign.name, campaign.language
    )
    return structs.replace(view, periods=periods, past=past)


async def _standing(
    log: EventStore, views: ProjectionStore, campaign: VisibleCampaign, kind: type[Any]
) -> AsyncIterator[RecordedEvent]:
    """The last standing events of a kind, redacted for the reader."""
    index = IndexedList(log, views, chronicle.VIEW, lambda records: chronicle.index_rows(records, set()))
    keys = [f"type:{kind.__struct_config__.tag}"]
    before: int | None = campaign.seq + 1
    count = 0
    while before is not None and count < PAST_MAX:
        rows, before = await index.page_before(campaign, before, PAST_MAX, keys)
        count += len(rows)
        actions = [
            action_id for row in rows if (action_id := chronicle.action_of(row)) not in campaign.state.undone
        ]
        for row in await log.actions(campaign.campaign_id, actions) if actions else []:
            record = campaign.read(row)
            if row.seq <= campaign.seq and isinstance(record.event, kind):
                yield record
