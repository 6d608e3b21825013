"""From where to where in the log a play session went, found by the chronicle's index however long ago it was."""

from domain.lifecycle_events import SessionEnded, SessionStarted
from domain.recorded_event import Recorded
from domain.rejection import Missing
from domain.sentences import say
from projections.campaign import chronicle
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.queries.campaign_reader import VisibleCampaign
from services.queries.indexed_list import IndexedList

PAGE = 200


async def session_span(
    log: EventStore, views: ProjectionStore, seen: VisibleCampaign, number: int
) -> tuple[int, int]:
    """The seqs of a session's start and of its end, or of the last event before the next one; both as they stand.

    Of one that goes on, the end is the last event that its reader sees. Refuses `session_not_found`.
    """
    first: int | None = None
    for record in await _moments(log, views, seen, SessionStarted, SessionEnded):
        match record.event:
            case SessionStarted() if first is not None:
                return first, record.seq - 1
            case SessionStarted() if record.event.number == number:
                first = record.seq
            case SessionEnded() if first is not None:
                return first, record.seq
    if first is None:
        missing = say("There was no play session {number}.", number=number)
        raise Missing("session_not_found", seen.told(missing))
    return first, seen.seq


async def _moments(
    log: EventStore, views: ProjectionStore, seen: VisibleCampaign, *kinds: type[SessionStarted | SessionEnded]
) -> list[Recorded]:
    """Every event of these kinds that stands, in order, as its reader sees it."""
    index = IndexedList(log, views, chronicle.VIEW, lambda records: chronicle.index_rows(records, set()))
    struck = set(seen.state.undone)
    found = []
    for kind in kinds:
        tag = kind.__struct_config__.tag
        after: int | None = 0
        while after is not None:
            rows, after = await index.page(seen, after, PAGE, [f"type:{tag}"])
            actions = [action for row in rows if (action := chronicle.action_of(row)) not in struck]
            events = await log.actions(seen.campaign_id, actions) if actions else []
            found += [seen.read(row) for row in events if row.kind == tag]
    return sorted(found, key=lambda record: record.seq)
