"""The past of a campaign as one reader may see it, for what is folded on demand."""

from collections.abc import AsyncIterator, Collection
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from domain.campaign.history.redecide import PastAction, follows
from domain.campaign.storage.event_codec import past_action
from domain.event_store_types import StoredEvent, UnsealedEvent
from domain.ids import CampaignId
from domain.recorded_event import Recorded
from services.ports.event_store import EventStore
from services.queries.campaign_reader import VisibleCampaign

FOLDED_MAX = 50_000
"""Events that one answer folds at most, the newest: a hundred long sessions, in a second or two."""


def folded_from(seen: VisibleCampaign, after: int = 0) -> int:
    """The seq after which an answer's fold begins."""
    return max(after, seen.seq - FOLDED_MAX)


async def events_of(
    log: EventStore,
    seen: VisibleCampaign,
    after: int = 0,
    kinds: Collection[str] | None = None,
    *,
    undone: bool = False,
) -> AsyncIterator[Recorded]:
    """Events after a seq up to what was seen, oldest first; of these kinds (wire names), or of all.

    Those that were undone since are left out unless asked for.
    """
    left_out = frozenset() if undone else frozenset(seen.state.undone)
    async for rows in log.stream(seen.campaign_id, folded_from(seen, after)):
        for row in rows:
            if row.seq > seen.seq:
                return
            if row.action_id not in left_out and (kinds is None or row.kind in kinds):
                yield seen.read(row)


Row = TypeVar("Row", StoredEvent, UnsealedEvent)


_ACTION = attrgetter("action_id.int")  # numbers are compared eight times as fast as UUIDs


def by_action(rows: list[Row]) -> list[list[Row]]:
    """Events grouped into their actions; an action's events always stand together."""
    return [list(events) for _, events in groupby(rows, key=_ACTION)]


async def actions_after(
    log: EventStore, campaign_id: CampaignId, after: int, upto: int
) -> AsyncIterator[list[StoredEvent]]:
    """The log after a seq, one whole action at a time."""
    held: list[StoredEvent] = []
    async for batch in log.stream(campaign_id, after):
        *whole, held = by_action(held + [row for row in batch if row.seq <= upto]) or [[]]
        for action in whole:
            yield action
        if batch[-1].seq >= upto:
            break
    if held:
        yield held


async def with_what_follows(
    actions: AsyncIterator[list[StoredEvent]],
) -> AsyncIterator[tuple[PastAction, PastAction | None]]:
    """Every action, with the hidden one that follows it, if any."""
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
