"""Pages of a campaign's past: actions in words, and events as they were stored."""

from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from domain.campaign.codec import decode_request, recorded
from domain.campaign.visibility import seen_by
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Missing
from domain.stored import StoredEvent
from projections.chronicle import ActionEntry, action_entry
from projections.ledger import LedgerEntry, entries
from projections.moments import moment
from services.decision import numbered
from services.ports import EventLog
from services.reading import Seen

LIMIT_MAX = 500
SCANNED_MAX = 20_000
"""Events that one filtered page looks through; it then says where to go on."""

Limit = Annotated[int, Meta(ge=1, le=LIMIT_MAX)]
After = Annotated[int, Meta(ge=0, le=2**53)]


class Filters(Struct, frozen=True):
    """Which actions somebody wants to read. `type` is a command's or an event's wire name."""

    character: str | None = None
    actor: AccountId | None = None
    type: str | None = None
    text: str | None = None

    def pass_(self, entry: ActionEntry, rows: list[StoredEvent]) -> bool:
        """Whether an action is wanted. `rows` are its events that the reader may see."""
        if self.actor is not None and entry.actor != self.actor:
            return False
        if self.type is not None and self.type != entry.type and self.type not in entry.events:
            return False
        if self.character is not None and not any(f'"{self.character}"'.encode() in row.body for row in rows):
            return False
        words = " ".join((*entry.summary, entry.note or "")).casefold()
        return self.text is None or self.text.casefold() in words


class ActionsPage(Struct, frozen=True):
    """Actions, oldest first. `next_after` goes into the next request; null where the log ends."""

    as_of: int
    actions: list[ActionEntry]
    next_after: int | None


class EventsPage(Struct, frozen=True):
    """Events, oldest first, each with its payload and, under `recorded`, its place in the log."""

    as_of: int
    events: list[Raw]
    next_after: int | None


async def actions_page(log: EventLog, seen: Seen, after: int, limit: int, filters: Filters) -> ActionsPage:
    """The next actions after a seq that pass the filters."""
    entries: list[ActionEntry] = []
    reached = after
    async for rows in _by_action(log, seen.campaign_id, after):
        if rows[0].seq > seen.seq:
            break
        if len(entries) == limit or reached - after >= SCANNED_MAX:
            return ActionsPage(as_of=seen.seq, actions=entries, next_after=reached)
        entry = _entry(rows, seen)
        if filters.pass_(entry, [row for row in rows if entry.type is not None]):
            entries.append(entry)
        reached = rows[-1].seq
    return ActionsPage(as_of=seen.seq, actions=entries, next_after=None)


async def one_action(log: EventLog, seen: Seen, action_id: ActionId) -> tuple[ActionEntry, list[Raw]]:
    """One action in words, and its events. Refuses `action_not_found`."""
    rows = await log.action(seen.campaign_id, action_id)
    if not rows:
        raise Missing("action_not_found", "There is no such action in this campaign.")
    return _entry(rows, seen), [_event(row, seen) for row in rows]


async def events_page(log: EventLog, seen: Seen, after: int, limit: int) -> EventsPage:
    """The next events after a seq."""
    rows = await log.tail(seen.campaign_id, after, limit=limit, upto=seen.seq)
    return EventsPage(
        as_of=seen.seq,
        events=[_event(row, seen) for row in rows],
        next_after=rows[-1].seq if rows and rows[-1].seq < seen.seq else None,
    )


async def entries_page(
    log: EventLog, seen: Seen, account: str | None, after: int, limit: int
) -> tuple[list[LedgerEntry], int | None]:
    """The next ledger entries after a seq, of one account or of all, and where to go on."""
    found: list[LedgerEntry] = []
    reached = after
    async for rows in log.stream(seen.campaign_id, after):
        for row in rows:
            if row.seq > seen.seq:
                return found, None
            if len(found) >= limit or reached - after >= SCANNED_MAX:
                return found, reached
            posted = entries(seen_by(seen.audience, recorded(row)), seen.name)
            found += [entry for entry in posted if account in (None, entry.debit, entry.credit)]
            reached = row.seq
    return found, None


async def _by_action(log: EventLog, campaign_id: CampaignId, after: int) -> AsyncIterator[list[StoredEvent]]:
    """The log after a seq, one action at a time; an action's events always stand together."""
    rows: list[StoredEvent] = []
    async for batch in log.stream(campaign_id, after):
        for row in batch:
            if rows and row.action_id != rows[0].action_id:
                yield rows
                rows = []
            rows.append(row)
    if rows:
        yield rows


def _entry(rows: list[StoredEvent], seen: Seen) -> ActionEntry:
    records = [seen_by(seen.audience, recorded(row)) for row in rows]
    visible = records[0].command is not None
    request = decode_request(rows[0]) if visible else None
    return action_entry(records, request, seen.name)


class _Place(Struct, frozen=True):
    """Where an event stands in the log, as readers may know it."""

    action_id: ActionId
    at: str
    game_time: int
    actor: AccountId | None
    cause: str
    visibility: str
    hash: str


_encoder = msgspec.json.Encoder()


def _event(row: StoredEvent, seen: Seen) -> Raw:
    """`{"seq":12,"type":…,…payload…,"recorded":{…}}`."""
    record = seen_by(seen.audience, recorded(row))
    place = _Place(
        action_id=record.action_id,
        at=moment(record.recorded_at),
        game_time=record.game_time,
        actor=record.actor,
        cause=record.cause,
        visibility=record.visibility,
        hash=row.hash.hex(),
    )
    payload = bytes(numbered(row.seq, record.event))
    return Raw(payload[:-1] + b',"recorded":' + _encoder.encode(place) + b"}")
