"""Play sessions, found by the chronicle's index, however long ago they were."""

from bisect import bisect_right
from collections.abc import AsyncIterator
from operator import itemgetter

from msgspec import Struct, structs

from domain.lifecycle_events import SessionEnded, SessionStarted
from domain.recorded_event import RecordedEvent
from domain.rejection import Missing
from domain.sentences import Sentence, say
from projections.campaign import chronicle
from projections.campaign.recap import lasting
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.reading.event_scan import FOLDED_MAX, events_of
from services.reading.indexed_list import IndexedList

PAGE = 200

EVENTS_MAX = 10_000
"""Events of one session that are told, counted from its beginning."""


class SessionHeld(Struct, frozen=True):
    """A play session."""

    number: int
    title: str | None
    first: int
    """The seq of its beginning."""
    last: int
    """The seq of its end, or of the last event before the next one."""
    began: int
    """Seconds of campaign time."""
    ended: int
    """Seconds of campaign time."""


async def sessions_held(log: EventStore, views: ProjectionStore, campaign: VisibleCampaign) -> list[SessionHeld]:
    """Every play session of a campaign as its reader knows them, the first one first."""
    started = [start async for start in _standing(log, views, campaign, SessionStarted)]
    ended = [(end.seq, end.game_time) async for end in _standing(log, views, campaign, SessionEnded)]
    next_ones = [
        *((start.seq - 1, start.game_time) for start in started[1:]),
        (campaign.seq, campaign.state.game_time),
    ]
    sessions = []
    for start, next_one in zip(started, next_ones, strict=False):
        after = bisect_right(ended, start.seq, key=itemgetter(0))
        last, end = min([*ended[after : after + 1], next_one])
        sessions.append(
            SessionHeld(
                start.event.number,
                _title(campaign, start.event),
                start.seq,
                last,
                start.game_time,
                max(start.game_time, end),
            )
        )
    return sessions


def _title(campaign: VisibleCampaign, started: SessionStarted) -> str | None:
    """The present title of a play session."""
    return campaign.state.later_titles.get(started.session_id, started.title)


def session_title(number: int, title: str | None) -> Sentence:
    """The name of a play session."""
    return say("Play session {n}: {title}", n=number, title=title) if title else say("Play session {n}", n=number)


async def session_events(
    log: EventStore, views: ProjectionStore, campaign: VisibleCampaign, number: int | None
) -> list[RecordedEvent]:
    """The events from a session's start up to the next one's, redacted for the reader; None is the last.

    Leaves out undos and redos that changed nothing of what was known before it. Raises `session_not_found`.
    """
    first, last = await _between_starts(log, views, campaign, number)
    campaign_then = structs.replace(campaign, seq=min(last, first - 1 + FOLDED_MAX))
    events: list[RecordedEvent] = []
    async for event in events_of(log, campaign_then, first - 1):
        events.append(event)
        if len(events) == EVENTS_MAX:
            break
    return lasting(events)


class PlaySession(Struct, frozen=True):
    """A play session that stands: its title, when it began (microseconds UTC), and the first and last of its seqs.

    The last is that before the next session began, or the reader's.
    """

    number: int
    title: str | None
    began_at: int
    first: int
    last: int


async def play_sessions(log: EventStore, views: ProjectionStore, campaign: VisibleCampaign) -> list[PlaySession]:
    """The play sessions that the reader knows, the first first."""
    starts = [start async for start in _standing(log, views, campaign, SessionStarted)]
    lasts = [start.seq - 1 for start in starts[1:]] + [campaign.seq]
    return [
        PlaySession(start.event.number, _title(campaign, start.event), start.recorded_at, start.seq, last)
        for start, last in zip(starts, lasts, strict=False)
        if isinstance(start.event, SessionStarted)
    ]


async def session_span(
    log: EventStore, views: ProjectionStore, campaign: VisibleCampaign, number: int
) -> tuple[int, int]:
    """The seqs of a session's start and of its end, or of the last event before the next one.

    The end of a running session is the reader's seq. Raises `session_not_found`.
    """
    first, last = await _between_starts(log, views, campaign, number)
    async for ended in _standing(log, views, campaign, SessionEnded, after=first):
        return first, min(ended.seq, last)
    return first, last


async def _between_starts(
    log: EventStore, views: ProjectionStore, campaign: VisibleCampaign, number: int | None
) -> tuple[int, int]:
    """The seqs of a session's start and of the last event before the next one."""
    first: int | None = None
    async for started in _standing(log, views, campaign, SessionStarted):
        if first is not None and number is not None:
            return first, started.seq - 1
        if number in (None, started.event.number):
            first = started.seq
    if first is not None:
        return first, campaign.seq
    missing = say("No play session has begun yet.")
    if number is not None:
        missing = say("There was no play session {number}.", number=number)
    raise Missing("session_not_found", campaign.text_of(missing))


async def _standing(
    log: EventStore,
    views: ProjectionStore,
    campaign: VisibleCampaign,
    kind: type[SessionStarted | SessionEnded],
    after: int = 0,
) -> AsyncIterator[RecordedEvent]:
    """The standing events of a kind after a seq, in order, redacted for the reader."""
    index = IndexedList(log, views, chronicle.VIEW, lambda records: chronicle.index_rows(records, set()))
    tag = kind.__struct_config__.tag
    going_on: int | None = after
    while going_on is not None:
        rows, going_on = await index.page(campaign, going_on, PAGE, [f"type:{tag}"])
        actions = [
            action_id for row in rows if (action_id := chronicle.action_of(row)) not in campaign.state.undone
        ]
        for row in await log.actions(campaign.campaign_id, actions) if actions else []:
            record = campaign.read(row)
            if isinstance(record.event, kind):
                yield record
