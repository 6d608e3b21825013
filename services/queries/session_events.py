"""The standing events of one play session, found from the log's end backwards: the last one is asked for most."""

from domain.event_store_types import StoredEvent
from domain.lifecycle_events import SessionStarted
from domain.recorded_event import Recorded
from domain.rejection import Missing
from domain.sentences import say
from projections.campaign.recap import lasting
from services.ports.event_store import EventStore
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import FOLDED_MAX

WINDOW = 1_000
EVENTS_MAX = 10_000
"""Events of one session that are told, counted from its beginning."""

STARTED = SessionStarted.__struct_config__.tag


async def session_events(log: EventStore, seen: VisibleCampaign, number: int | None) -> list[Recorded]:
    """The events from a session's start up to the next one's, as their reader sees them; None is the last.

    Without what was undone and redone in it, which left nothing behind.
    Refuses `session_not_found`, also for one that lies more than 50,000 events back.
    """
    upto = seen.seq
    struck = set(seen.state.undone)
    later: list[StoredEvent] = []
    while upto > max(0, seen.seq - FOLDED_MAX):
        after = max(0, upto - WINDOW)
        rows = await log.tail(seen.campaign_id, after, upto=upto)
        for row in reversed(rows):
            later.append(row)
            found = _started(row, seen) if row.action_id not in struck else None
            if found is None:
                continue
            if number is None or found.number == number:
                later.reverse()
                standing = [each for each in later if each.action_id not in struck]
                return lasting([seen.read(each) for each in standing[:EVENTS_MAX]])
            later.clear()
        del later[:-EVENTS_MAX]
        upto = after
    told = say("No play session has begun yet, as far back as recaps are told.")
    if number is not None:
        told = say("There was no play session {number}, as far back as recaps are told.", number=number)
    raise Missing("session_not_found", seen.told(told))


def _started(row: StoredEvent, seen: VisibleCampaign) -> SessionStarted | None:
    """The start of a session that this row is, if the reader may see it."""
    if row.kind != STARTED:
        return None
    event = seen.read(row).event
    return event if isinstance(event, SessionStarted) else None
