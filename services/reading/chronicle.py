"""Pages of a campaign's past: actions as sentences, and events as they were stored."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import partial
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct, structs

from domain.campaign.events import Hidden
from domain.campaign.play.characters import characters as campaign_characters
from domain.campaign.secrecy.audience import without_secrets
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_request, record_of
from domain.campaign.subjects import subjects_in
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId
from domain.recorded_event import RecordedEvent
from domain.rejection import Missing
from domain.sentences import say
from domain.stored_view_types import ViewRow
from domain.word_search import folded
from projections.campaign import chronicle, ledger
from projections.campaign.chronicle import ActionEntry, action_entry
from projections.campaign.ledger import LedgerEntry
from projections.timestamps import moment
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.reading.action_sentences import Telling, telling
from services.reading.event_scan import actions_after, actions_before, by_action
from services.reading.indexed_list import SCANNED_MAX, IndexedList, merge_pages
from services.reading.numbered_events import EventJson, json_with_seq
from services.runtime.sliced_work import Pace

LIMIT_MAX = 500
WORDS_SEARCHED_MAX = 5_000
"""Events of which one page tells the words, to look for some in them."""
OPENING_PAGES_MAX = 40
TOLD_TOGETHER = 100
"""Actions whose words are looked through at once."""


class Filters(Struct, frozen=True):
    """Filters of the chronicle. `type` is a command's or an event's wire name.

    `only_hidden` are the actions that not everybody can read.
    """

    character: str | None = None
    actor: AccountId | None = None
    type: str | None = None
    text: str | None = None
    only_hidden: bool = False

    @property
    def by_index(self) -> bool:
        """Whether the chronicle's index has keys for any of these filters."""
        return (self.character, self.actor, self.type) != (None, None, None)

    def keys(self, state: CampaignState) -> list[list[str]]:
        """The keys of these filters in the chronicle's index: an action that has all of one list passes.

        A member who is said to be a person of an import did what that person did.
        """
        by_kind = {"character": self.character, "type": self.type}
        others = [f"{kind}:{subject}" for kind, subject in by_kind.items() if subject is not None]
        member = state.owner_of(self.actor)
        if member is None:
            return [others]
        return [[f"actor:{person}", *others] for person in sorted(state.people_of(member))]

    def text_in(self, entry: ActionEntry, other_names: Iterable[str] = ()) -> bool:
        """Whether the text searched for stands in an action's sentences, or in other names of its things."""
        words = (*entry.summary, entry.note or "", *other_names)
        return self.text is None or folded(self.text) in folded(" ".join(words))


class ActionsPage(Struct, frozen=True):
    """Actions, oldest first, or with `before` newest first.

    `next_after`, or with `before` `next_before`, goes into the next request; null where the log ends there.
    `names` are those of the ids in it.
    """

    as_of: int
    actions: list[ActionEntry]
    next_after: int | None
    next_before: int | None
    names: dict[str, str] = {}


class EventsPage(Struct, frozen=True):
    """Events, oldest first, or with `before` newest first.

    Each comes with its payload and, under `recorded`, its place in the log. `next_after`, or with `before`
    `next_before`, goes into the next request; null where the log ends there.
    `names` are those of the ids in it.
    """

    as_of: int
    events: list[EventJson]
    next_after: int | None
    next_before: int | None
    names: dict[str, str] = {}


async def actions_page(
    log: EventStore,
    views: ProjectionStore,
    campaign: VisibleCampaign,
    after: int,
    limit: int,
    filters: Filters,
    before: int | None = None,
) -> ActionsPage:
    """The next actions after a seq that pass the filters: by the index where there is one, else by reading on.

    With `before`, the last ones before that seq, newest first.
    """
    if filters.text is not None or filters.only_hidden or not filters.by_index:
        actions, reached = await _scanned(log, campaign, after, limit, filters, before)
    else:
        actions, reached = await indexed_actions(log, views, campaign, after, limit, filters, before)
    entries = await entries_of(log, actions, campaign)
    onwards, backwards = (reached, None) if before is None else (None, reached)
    return ActionsPage(as_of=campaign.seq, actions=entries, next_after=onwards, next_before=backwards)


async def indexed_actions(
    log: EventStore,
    views: ProjectionStore,
    campaign: VisibleCampaign,
    after: int,
    limit: int,
    filters: Filters,
    before: int | None,
) -> tuple[list[list[StoredEvent]], int | None]:
    """The next actions that pass filters which are `by_index`, and where to go on, as in `actions_page`."""
    characters = {str(character.character) for character in campaign_characters(campaign.state)}
    index = IndexedList(log, views, chronicle.VIEW, lambda records: chronicle.index_rows(records, characters))
    pages = [
        await index.page(campaign, after, limit, keys)
        if before is None
        else await index.page_before(campaign, before, limit, keys, after)
        for keys in filters.keys(campaign.state)
    ]
    rows, reached = merge_pages(pages, limit, newest_first=before is not None)
    actions = [chronicle.action_of(row) for row in rows]
    events = await log.actions(campaign.campaign_id, actions) if actions else []
    return by_action(events)[:: 1 if before is None else -1], reached


async def _scanned(
    log: EventStore, campaign: VisibleCampaign, after: int, limit: int, filters: Filters, before: int | None
) -> tuple[list[list[StoredEvent]], int | None]:
    matches: list[list[StoredEvent]] = []
    if before is None:
        start, end = after, -1
        actions = actions_after(log, campaign.campaign_id, after, campaign.seq)
    else:
        start, end = min(before, campaign.seq + 1), 0
        actions = actions_before(log, campaign.campaign_id, before, campaign.seq, after)
    reached = start
    most = SCANNED_MAX if filters.text is None else WORDS_SEARCHED_MAX
    characters = {str(character.character) for character in campaign_characters(campaign.state)}
    async for together in _together(actions, 1 if filters.text is None else TOLD_TOGETHER):
        # The rest of an action into which `after` points is left out.
        whole = [action for action in together if action[0].command is not None]
        candidates = [action for action in whole if _passes(action, campaign, filters, characters)]
        if filters.text is not None:
            entries = await entries_of(log, candidates, campaign)
            candidates = [
                action
                for action, entry in zip(candidates, entries, strict=True)
                if filters.text_in(entry, _all_names(action, campaign))
            ]
        action_ids = {action[0].action_id for action in candidates}
        for action in whole:
            if len(matches) == limit or abs(reached - start) >= most:
                return matches, reached
            if action[0].action_id in action_ids:
                matches.append(action)
            reached = action[end].seq
    return matches, None


async def _together(
    actions: AsyncIterator[list[StoredEvent]], count: int
) -> AsyncIterator[list[list[StoredEvent]]]:
    """So many actions at a time: their sentences are read for all of them at once."""
    together: list[list[StoredEvent]] = []
    async for action in actions:
        together.append(action)
        if len(together) == count:
            yield together
            together = []
    if together:
        yield together


def _passes(action: list[StoredEvent], campaign: VisibleCampaign, filters: Filters, characters: set[str]) -> bool:
    """Whether an action passes the filters, but for the text."""
    if filters.only_hidden and not _is_hidden(action, campaign):
        return False
    if not filters.by_index:
        return True
    index = chronicle.index_rows([campaign.read(row) for row in action], characters)
    return any({*keys} <= {*index[0].keys} for keys in filters.keys(campaign.state))


def _all_names(rows: list[StoredEvent], campaign: VisibleCampaign) -> Iterator[str]:
    """Every name, of any time, of the things in an action that were renamed."""
    former = campaign.state.former_names
    if not former:
        return
    for thing in subjects_in([campaign.read(row).event for row in rows]) & former.keys():
        yield campaign.name(thing)
        yield from (name.name for name in former[thing])


def _is_hidden(rows: list[StoredEvent], campaign: VisibleCampaign) -> bool:
    """Whether not everybody can read an action."""
    return rows[0].action_id not in campaign.state.revealed and any(row.visibility != "all" for row in rows)


Rare = TypeVar("Rare", bound=Struct)


async def events_of_kind(
    log: EventStore, views: ProjectionStore, campaign: VisibleCampaign, kind: type[Rare]
) -> AsyncIterator[Rare]:
    """Every event of a rare kind that the reader may see, oldest first."""
    tag, after = str(kind.__struct_config__.tag), 0
    while True:
        actions, reached = await indexed_actions(log, views, campaign, after, LIMIT_MAX, Filters(type=tag), None)
        for event in (campaign.read(row).event for rows in actions for row in rows if row.seq <= campaign.seq):
            if isinstance(event, kind):
                yield event
        if reached is None:
            return
        after = reached


async def one_action(
    log: EventStore, campaign: VisibleCampaign, action_id: ActionId
) -> tuple[ActionEntry, list[Raw]]:
    """One action as sentences, and its events, as of the reader's seq. Raises `action_not_found`."""
    rows = [row for row in await log.action(campaign.campaign_id, action_id) if row.seq <= campaign.seq]
    if not rows:
        raise Missing("action_not_found", campaign.text_of(say("No action of this campaign has that id.")))
    [entry] = await entries_of(log, [rows], campaign)
    return entry, [event_json(row, campaign) for row in rows]


async def events_page(
    log: EventStore, campaign: VisibleCampaign, after: int, limit: int, before: int | None = None
) -> EventsPage:
    """The next events after a seq, or the last ones before one, newest first."""
    if before is not None:
        after = max(0, min(before - 1, campaign.seq) - limit)
        limit = min(before - 1, campaign.seq) - after
    pairs = await events_after(log, campaign, after, limit) if limit > 0 else []
    events = [event for _, event in pairs]
    if before is not None:
        return EventsPage(campaign.seq, events[::-1], None, after + 1 if after else None)
    more = pairs and pairs[-1][0] < campaign.seq
    return EventsPage(campaign.seq, events, pairs[-1][0] if more else None, None)


async def events_after(
    log: EventStore, campaign: VisibleCampaign, after: int, limit: int
) -> list[tuple[int, Raw]]:
    """The next events after a seq, each with its seq."""
    rows = await log.tail(campaign.campaign_id, after, limit=limit, upto=campaign.seq)
    return [(row.seq, event_json(row, campaign)) for row in rows]


async def entries_page(
    log: EventStore,
    views: ProjectionStore,
    campaign: VisibleCampaign,
    account: str | None,
    after: int,
    limit: int,
    running: Counter[str] | None = None,
    currency: str | None = None,
) -> tuple[list[LedgerEntry], int | None]:
    """The next ledger entries after a seq, and where the next page begins: of one account, one currency, or all.

    Entries of one account have its balance after each. `running` is the balance before, by currency, for a caller
    that reads page after page; it is updated in place. Left out, it is added up, unless that would take too many
    entries.
    """
    rows_of = partial(ledger.statement_rows, reader=campaign.state)
    statement = IndexedList(log, views, ledger.VIEW, rows_of)
    if account and running is None:
        running = await _opening(statement, campaign, account, after)
    rows, next_after = await statement.page(campaign, after, limit, ledger.keys_of(account or None, currency))
    return await _ledger_entries(log, campaign, rows, account, running), next_after


async def entries_without_words(
    log: EventStore, views: ProjectionStore, campaign: VisibleCampaign, after: int, limit: int
) -> tuple[list[LedgerEntry], int | None]:
    """The next ledger entries after a seq, without their notes, and where the next page begins."""
    statement = IndexedList(log, views, ledger.VIEW, partial(ledger.statement_rows, reader=campaign.state))
    rows, next_after = await statement.page(campaign, after, limit, [])
    return [ledger.entry(row, campaign.name, None) for row in rows], next_after


async def entries_before(
    log: EventStore,
    views: ProjectionStore,
    campaign: VisibleCampaign,
    account: str | None,
    before: int,
    limit: int,
    after: int = 0,
    currency: str | None = None,
) -> tuple[list[LedgerEntry], int | None]:
    """The last ledger entries before a seq and after another, newest first, and before which to go on."""
    statement = IndexedList(log, views, ledger.VIEW, partial(ledger.statement_rows, reader=campaign.state))
    keys = ledger.keys_of(account or None, currency)
    rows, next_before = await statement.page_before(campaign, before, limit, keys, after)
    running = await _opening(statement, campaign, account, rows[-1].seq - 1) if account and rows else None
    entries = await _ledger_entries(log, campaign, rows[::-1], account, running)
    return entries[::-1], next_before


class AccountMovement(Struct, frozen=True):
    """The sums that came into an account and went out of it, of one currency."""

    came: int
    went: int


async def entries_moved(
    log: EventStore, views: ProjectionStore, campaign: VisibleCampaign, account: str, after: int, upto: int
) -> dict[str, AccountMovement] | None:
    """The sums that came in and went out between two seqs, by currency; None: that would take too many entries."""
    statement = IndexedList(log, views, ledger.VIEW, partial(ledger.statement_rows, reader=campaign.state))
    span = structs.replace(campaign, seq=upto)
    came, went = Counter[str](), Counter[str]()
    going_on: int | None = after
    for _ in range(OPENING_PAGES_MAX):
        if going_on is None:
            break
        rows, going_on = await statement.page(span, going_on, LIMIT_MAX, ledger.keys_of(account, None))
        for currency, change in ledger.changes_in(rows, account):
            (came if change > 0 else went)[currency] += abs(change)
    if going_on is not None:
        return None
    return {currency: AccountMovement(came[currency], went[currency]) for currency in {*came, *went}}


async def _ledger_entries(
    log: EventStore,
    campaign: VisibleCampaign,
    rows: list[ViewRow],
    account: str | None,
    running: Counter[str] | None,
) -> list[LedgerEntry]:
    """Rows as people read them, oldest first; `running` is what the account held before them."""
    by_hand = [ledger.action_of(row) for row in rows if ledger.is_by_hand(row)]
    events = await log.actions(campaign.campaign_id, by_hand) if by_hand else []
    notes = {row.seq: ledger.words_of(campaign.read(row).event) for row in events}
    balances = ledger.balances_after(rows, account, running) if account and running is not None else {}
    return [ledger.entry(row, campaign.name, notes.get(row.seq), balances.get((row.seq, row.nth))) for row in rows]


async def _opening(
    statement: IndexedList, campaign: VisibleCampaign, account: str, upto: int
) -> Counter[str] | None:
    """The balance of an account by currency up to a seq; None: too far into a long ledger."""
    opening: Counter[str] = Counter()
    after: int | None = 0
    for _ in range(OPENING_PAGES_MAX):
        if after is None or after >= upto:
            return opening
        rows, after = await statement.page(campaign, after, LIMIT_MAX, ledger.keys_of(account, None))
        ledger.balances_after([row for row in rows if row.seq <= upto], account, opening)
    return None


async def entries_of(
    log: EventStore, actions: list[list[StoredEvent]], campaign: VisibleCampaign
) -> list[ActionEntry]:
    """The entries of actions, with quotes of the actions they are about."""
    pace = Pace()
    whole: list[list[RecordedEvent]] = []
    visible_records: list[list[RecordedEvent]] = []
    for rows in actions:
        whole.append([record_of(row) for row in rows])
        visible_records.append([campaign.as_read(record) for record in whole[-1]])
        await pace.step()
    telling_all = await telling(log, campaign, (record.event for records in visible_records for record in records))
    entries: list[ActionEntry] = []
    for action in zip(actions, whole, visible_records, strict=True):
        entries.append(_entry(*action, campaign, telling_all))
        await pace.step()
    return entries


def _entry(
    rows: list[StoredEvent],
    whole: list[RecordedEvent],
    records: list[RecordedEvent],
    campaign: VisibleCampaign,
    telling: Telling,
) -> ActionEntry:
    visible = records[0].command is not None
    request = decode_request(rows[0]) if visible else None
    if request is not None and not campaign.audience.gm and any(map(_has_a_secret_taken_out, whole, records)):
        request["note"] = None  # a note beside a secret may tell it
    name = telling.name_at(records[0].seq)
    return action_entry(records, request, campaign.state, name, telling.quote, campaign.language)


def _has_a_secret_taken_out(whole: RecordedEvent, redacted_record: RecordedEvent) -> bool:
    return redacted_record.kind == whole.kind and without_secrets(whole.event) is not whole.event


class EventPlace(Struct, frozen=True):
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


def event_json(row: StoredEvent, campaign: VisibleCampaign) -> Raw:
    """A row as its reader may see it: `{"seq":12,"type":…,…payload…,"recorded":{…}}`."""
    record = campaign.read(row)
    place = EventPlace(
        action_id=record.action_id,
        at=moment(record.recorded_at),
        game_time=None if isinstance(record.event, Hidden) else record.game_time,
        actor=record.actor,
        cause=record.cause,
        visibility=record.visibility,
        hash=row.hash.hex(),
        imported_at=moment(record.imported_at) if record.imported_at is not None else None,
    )
    payload = bytes(json_with_seq(row.seq, record.event))
    return Raw(payload[:-1] + b',"recorded":' + _encoder.encode(place) + b"}")
