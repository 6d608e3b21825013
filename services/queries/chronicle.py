"""Pages of a campaign's past: actions in words, and events as they were stored."""

from collections import Counter
from functools import partial

import msgspec
from msgspec import Raw, Struct

from domain.campaign.events import Hidden
from domain.campaign.play.characters import characters as campaign_characters
from domain.campaign.secrecy.audience import without_secrets
from domain.campaign.storage.event_codec import decode_request, recorded
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId
from domain.recorded_event import Recorded
from domain.rejection import Missing
from domain.sentences import say
from projections.campaign import chronicle, ledger
from projections.campaign.chronicle import ActionEntry, action_entry
from projections.campaign.ledger import LedgerEntry
from projections.timestamps import moment
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import actions_after, by_action
from services.queries.indexed_list import SCANNED_MAX, IndexedList
from services.queries.numbered_events import numbered
from services.queries.quotation import Telling, telling

LIMIT_MAX = 500
OPENING_PAGES_MAX = 40


class Filters(Struct, frozen=True):
    """Which actions somebody wants to read. `type` is a command's or an event's wire name."""

    character: str | None = None
    actor: AccountId | None = None
    type: str | None = None
    text: str | None = None

    @property
    def keys(self) -> list[str]:
        """What the chronicle's index finds actions by."""
        by_kind = {"character": self.character, "actor": self.actor, "type": self.type}
        return [f"{kind}:{wanted}" for kind, wanted in by_kind.items() if wanted is not None]

    def text_in(self, entry: ActionEntry) -> bool:
        """Whether the wanted text stands in the words of an action."""
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


async def actions_page(
    log: EventStore, views: ProjectionStore, seen: VisibleCampaign, after: int, limit: int, filters: Filters
) -> ActionsPage:
    """The next actions after a seq that pass the filters: by the index where there is one, else by reading on."""
    if filters.text is not None or not filters.keys:
        return await _scanned_page(log, seen, after, limit, filters)
    characters = {str(known.character) for known in campaign_characters(seen.state)}
    index = IndexedList(log, views, chronicle.VIEW, lambda records: chronicle.index_rows(records, characters))
    rows, next_after = await index.page(seen, after, limit, filters.keys)
    actions = [chronicle.action_of(row) for row in rows]
    events = await log.actions(seen.campaign_id, actions) if actions else []
    return ActionsPage(as_of=seen.seq, actions=await _entries(log, by_action(events), seen), next_after=next_after)


async def _scanned_page(
    log: EventStore, seen: VisibleCampaign, after: int, limit: int, filters: Filters
) -> ActionsPage:
    found: list[list[StoredEvent]] = []
    reached, next_after = after, None
    characters = {str(known.character) for known in campaign_characters(seen.state)}
    async for action in actions_after(log, seen.campaign_id, after, seen.seq):
        if len(found) == limit or reached - after >= SCANNED_MAX:
            next_after = reached
            break
        if action[0].command is None:
            continue  # `after` points into this action: what is left of it is none
        index = chronicle.index_rows(_seen_records(action, seen), characters)
        if set(filters.keys) <= set(index[0].keys) and (
            filters.text is None or filters.text_in((await _entries(log, [action], seen))[0])
        ):
            found.append(action)
        reached = action[-1].seq
    return ActionsPage(as_of=seen.seq, actions=await _entries(log, found, seen), next_after=next_after)


async def one_action(log: EventStore, seen: VisibleCampaign, action_id: ActionId) -> tuple[ActionEntry, list[Raw]]:
    """One action in words, and its events, as far as it had happened then. Refuses `action_not_found`."""
    rows = [row for row in await log.action(seen.campaign_id, action_id) if row.seq <= seen.seq]
    if not rows:
        raise Missing("action_not_found", seen.told(say("No action of this campaign has that id.")))
    [entry] = await _entries(log, [rows], seen)
    return entry, [_event(row, seen) for row in rows]


async def events_page(log: EventStore, seen: VisibleCampaign, after: int, limit: int) -> EventsPage:
    """The next events after a seq."""
    found = await events_after(log, seen, after, limit)
    return EventsPage(
        as_of=seen.seq,
        events=[event for _, event in found],
        next_after=found[-1][0] if found and found[-1][0] < seen.seq else None,
    )


async def events_after(log: EventStore, seen: VisibleCampaign, after: int, limit: int) -> list[tuple[int, Raw]]:
    """The next events after a seq, each with its own."""
    rows = await log.tail(seen.campaign_id, after, limit=limit, upto=seen.seq)
    return [(row.seq, _event(row, seen)) for row in rows]


async def entries_page(
    log: EventStore,
    views: ProjectionStore,
    seen: VisibleCampaign,
    account: str | None,
    after: int,
    limit: int,
    running: Counter[str] | None = None,
) -> tuple[list[LedgerEntry], int | None]:
    """The next ledger entries after a seq, of one account or of all, and where to go on.

    Those of one account carry its balance after each. `running` is what it held before, by currency, for who reads
    page after page; it is moved on. Left out, it is added up, unless that would be too many entries.
    """
    rows_of = partial(ledger.statement_rows, reader=seen.state)
    statement = IndexedList(log, views, ledger.VIEW, rows_of)
    if account and running is None:
        running = await _opening(statement, seen, account, after)
    rows, next_after = await statement.page(seen, after, limit, [f"account:{account}"] if account else [])
    by_hand = [ledger.action_of(row) for row in rows if ledger.is_by_hand(row)]
    events = await log.actions(seen.campaign_id, by_hand) if by_hand else []
    notes = {row.seq: ledger.note_of(record.event) for row, record in _with_records(events, seen)}
    balances = ledger.balances_after(rows, account, running) if account and running is not None else {}
    return [
        ledger.entry(row, seen.name, notes.get(row.seq), balances.get((row.seq, row.nth))) for row in rows
    ], next_after


async def _opening(statement: IndexedList, seen: VisibleCampaign, account: str, upto: int) -> Counter[str] | None:
    """What an account held of each currency up to a seq; None where that is too far into a long ledger."""
    opening: Counter[str] = Counter()
    after: int | None = 0
    for _ in range(OPENING_PAGES_MAX):
        if after is None or after >= upto:
            return opening
        rows, after = await statement.page(seen, after, LIMIT_MAX, [f"account:{account}"])
        ledger.balances_after([row for row in rows if row.seq <= upto], account, opening)
    return None


def _with_records(rows: list[StoredEvent], seen: VisibleCampaign) -> list[tuple[StoredEvent, Recorded]]:
    return list(zip(rows, _seen_records(rows, seen), strict=True))


def _seen_records(rows: list[StoredEvent], seen: VisibleCampaign) -> list[Recorded]:
    return [seen.read(row) for row in rows]


async def _entries(log: EventStore, actions: list[list[StoredEvent]], seen: VisibleCampaign) -> list[ActionEntry]:
    """What was done, in words that quote what it was done about."""
    whole = [[recorded(row) for row in rows] for rows in actions]
    read = [[seen.as_read(record) for record in records] for records in whole]
    telling_all = await telling(log, seen, (record.event for records in read for record in records))
    return [_entry(*action, seen, telling_all) for action in zip(actions, whole, read, strict=True)]


def _entry(
    rows: list[StoredEvent],
    whole: list[Recorded],
    records: list[Recorded],
    seen: VisibleCampaign,
    telling: Telling,
) -> ActionEntry:
    visible = records[0].command is not None
    request = decode_request(rows[0]) if visible else None
    if request is not None and not seen.audience.gm and any(map(_has_a_secret_taken_out, whole, records)):
        request["note"] = None  # a note beside a secret may tell it
    return action_entry(records, request, seen.state, telling.name, telling.quote)


def _has_a_secret_taken_out(whole: Recorded, seen: Recorded) -> bool:
    return seen.kind == whole.kind and without_secrets(whole.event) is not whole.event


class _Place(Struct, frozen=True):
    """Where an event stands in the log, as readers may know it; its moments are those of an `ActionEntry`."""

    action_id: ActionId
    at: str
    game_time: int | None
    actor: AccountId | None
    cause: str
    visibility: str
    hash: str
    imported_at: str | None


_encoder = msgspec.json.Encoder()


def _event(row: StoredEvent, seen: VisibleCampaign) -> Raw:
    """`{"seq":12,"type":…,…payload…,"recorded":{…}}`."""
    record = seen.read(row)
    place = _Place(
        action_id=record.action_id,
        at=moment(record.recorded_at),
        game_time=None if isinstance(record.event, Hidden) else record.game_time,
        actor=record.actor,
        cause=record.cause,
        visibility=record.visibility,
        hash=row.hash.hex(),
        imported_at=moment(record.imported_at) if record.imported_at is not None else None,
    )
    payload = bytes(numbered(row.seq, record.event))
    return Raw(payload[:-1] + b',"recorded":' + _encoder.encode(place) + b"}")
