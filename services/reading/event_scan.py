"""Reads events of a campaign for one reader, for views that are folded on demand."""

from collections.abc import AsyncIterator, Collection
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from domain.campaign.recorded_action import PastAction, follows
from domain.campaign.storage.event_codec import past_action
from domain.event_store_types import StoredEvent, UnsealedEvent
from domain.ids import CampaignId
from domain.recorded_event import RecordedEvent
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.runtime.sliced_work import Pace

FOLDED_MAX = 50_000
"""Events that one view folds at most, the newest: a hundred long sessions, in a second or two."""


BACKWARDS_EVENTS = 256
"""As many are read at once by what goes backwards, which mostly wants a page."""


def folded_from(campaign: VisibleCampaign, after: int = 0) -> int:
    """The seq after which a view's fold begins."""
    return max(after, campaign.seq - FOLDED_MAX)


async def events_of(
    log: EventStore,
    campaign: VisibleCampaign,
    after: int = 0,
    kinds: Collection[str] | None = None,
    *,
    with_undone: bool = False,
) -> AsyncIterator[RecordedEvent]:
    """Events after a seq up to the reader's, oldest first; of these kinds (wire names), or of all.

    Undone events are left out unless asked for.
    """
    left_out = frozenset() if with_undone else frozenset(campaign.state.undone)
    pace = Pace()
    async for rows in log.stream(campaign.campaign_id, folded_from(campaign, after)):
        for row in rows:
            if row.seq > campaign.seq:
                return
            if row.action_id not in left_out and (kinds is None or row.kind in kinds):
                yield campaign.read(row)
            await pace.step()


Row = TypeVar("Row", StoredEvent, UnsealedEvent)


_ACTION = attrgetter("action_id.int")  # numbers are compared eight times as fast as UUIDs


def by_action(rows: list[Row]) -> list[list[Row]]:
    """Events grouped by action; the events of an action always stand together."""
    return [list(events) for _, events in groupby(rows, key=_ACTION)]


async def actions_after(
    log: EventStore, campaign_id: CampaignId, after: int, upto: int
) -> AsyncIterator[list[StoredEvent]]:
    """The events after a seq, one whole action at a time."""
    rest: list[StoredEvent] = []
    pace = Pace()
    async for batch in log.stream(campaign_id, after):
        *whole, rest = by_action(rest + [row for row in batch if row.seq <= upto]) or [[]]
        for action in whole:
            yield action
            await pace.step()
        if batch[-1].seq >= upto:
            break
    if rest:
        yield rest


async def actions_before(
    log: EventStore, campaign_id: CampaignId, before: int, upto: int, after: int = 0
) -> AsyncIterator[list[StoredEvent]]:
    """The whole actions that begin before a seq, newest first, as far as they had happened at `upto`.

    Actions that began at `after` or earlier are left out, but for their later consequences.
    """
    last = await end_of_action(log, campaign_id, before - 1, upto) if before <= upto else upto
    rest: list[StoredEvent] = []
    pace = Pace()
    while last > after:
        start = max(after, last - BACKWARDS_EVENTS)
        rows = await log.tail(campaign_id, start, limit=last - start, upto=last)
        rest, *whole = by_action(rows + rest)
        for action in reversed(whole):
            yield action
            await pace.step()
        last = start
    if rest:
        yield rest


async def end_of_action(log: EventStore, campaign_id: CampaignId, seq: int, upto: int) -> int:
    """The last seq of the action that an event belongs to."""
    rows = await log.tail(campaign_id, seq - 1, limit=1) if seq > 0 else []
    events = await log.action(campaign_id, rows[0].action_id) if rows else []
    return max((event.seq for event in events if event.seq <= upto), default=0)


async def with_what_follows(
    actions: AsyncIterator[list[StoredEvent]],
) -> AsyncIterator[tuple[PastAction, PastAction | None]]:
    """Every action with the hidden one that follows it, if there is one."""
    before: PastAction | None = None
    async for rows in actions:
        action = past_action(rows)
        if before is not None and follows(action, before):
            yield before, action
            before = None
            continue
        if before is not None:
            yield before, None
        before = action
    if before is not None:
        yield before, None
