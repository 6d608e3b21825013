"""Reads campaigns for their members, always up to date: folds in memory plus newer events."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import blake2b
from math import inf
from operator import attrgetter
from time import monotonic
from typing import Any

from msgspec import Struct, field, structs

from domain.accounts import watcher_of
from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.calendar_checks import require_date
from domain.campaign.calendar_shapes import CalendarDate
from domain.campaign.knowledge.audience_states import MERELY_TOLD, decides
from domain.campaign.messages.text_erasure import TextsErased
from domain.campaign.secrecy.audience import GM, TABLE, Audience, private_keys, redacted_for, standing_for
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import record_of
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.command_context import Role
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, CampaignId
from domain.names.members_by_name import member_called
from domain.recorded_event import RecordedEvent
from domain.rejection import Forbidden, Missing, Rejection
from domain.sentences import Sentence, say
from projections.campaign.dates import date_in, day_in_words
from projections.languages import render, tell_refusal
from services.campaign.action_boundary import action_end
from services.campaign.audience_fold import decode_fold, fold, fold_event
from services.campaign.game_time_history import clock_moves, move_past
from services.campaign.history_changes import (
    changes_earlier_events,
    earliest_change,
    history_changes_in,
    revealed_by,
    undone_by,
)
from services.campaign.lru_cache import LruCache, measured_until, size_of
from services.campaign.name_resolver import NameResolver
from services.campaign.state_at import StateReader
from services.campaign.wait_starts import Waits
from services.errors import campaign_not_found
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.runtime.event_loop_cost import charge_nobody
from services.runtime.reader_language import reader_language, watching_code

CHANGES_NOTHING = MERELY_TOLD - {TextsErased}
"""After these a campaign stands as before, but for its dice. An erased text may have been a name."""
CONTENT_BYTES = 16
NEWS = "news"
NEWS_MAX = 16
"""So many events that were folded last are kept for feeds, which tell them next.

An event that changes earlier ones, or erases a text, drops them with all that is made of the folds.
"""
OVERTAKEN = "overtaken"
"""In what was made of folds that have gone on since: their hashes may be of later folds, or of earlier copies."""
APPLIED_AT_ONCE = 100
"""So many events are folded before other tasks get their turn: after an import, all of a campaign is new."""


class CachedStates(Struct, eq=False):
    """The folds of one campaign up to `seq`, one for each audience that has read it lately."""

    seq: int = 0
    last_change: int = 0
    """The last seq that changed more of one of them than its dice, as far as is known."""
    read_at: float = -inf
    """When the log was last asked for more."""
    states: dict[Audience, CampaignState] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    """The accounts that have events of their own."""
    contents: dict[Audience, tuple[int, bytes]] = field(default_factory=dict)
    """Hashes of the folds, each with the last change that it is of."""
    cache: dict[Any, Any] = field(default_factory=dict)
    """Things made of the folds as they stand, for the next reader."""
    folding: dict[Audience, asyncio.Task[None]] = field(default_factory=dict)
    """The audiences whose folds are made again."""
    waits: dict[Audience, Waits] = field(default_factory=dict)
    """Since when audiences that have asked wait for answers, up to `seq` or to an earlier one."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    measured_size: int = 0
    measured_until: int = 0
    measured_states: int = 0

    def size(self) -> int:
        """Approximate bytes; measured again for another audience, and after growth."""
        if len(self.states) != self.measured_states or self.seq >= self.measured_until:
            self.measured_size = size_of(*self.states.values())
            self.measured_until, self.measured_states = measured_until(self.seq), len(self.states)
        return self.measured_size

    async def apply(self, rows: list[StoredEvent]) -> None:
        """Fold more rows for every audience. None of the rows may change history at or before `seq`.

        If it is interrupted, a part is folded, and an undo of that part changes history before `seq`.
        """
        rewrites = history_changes_in(rows)
        undone_ids = undone_by(rewrites)
        revealed_ids = revealed_by(rewrites).union(*(state.revealed for state in self.states.values()))
        if rows:
            news = [*self.cache.get(NEWS, []), *rows][-NEWS_MAX:]
            self.cache[OVERTAKEN] = True  # slow readers hold it still
            self.cache = {}
        for folded, row in enumerate(rows, 1):
            if row.visibility != "all":
                self.private |= private_keys([row.visibility])
            event = record_of(row)
            if row.visibility != "all" or type(event.event) not in CHANGES_NOTHING:
                self.last_change = row.seq
            for audience, state in self.states.items():
                self.states[audience] = fold_event(state, audience, event, undone_ids, revealed_ids)
                waits = self.waits.get(audience)
                if waits is not None and waits.seq == row.seq - 1:
                    waits.follow(self.states[audience], row)
            self.seq = row.seq
            if folded % APPLIED_AT_ONCE == 0:
                await asyncio.sleep(0)
        if rows:
            self.cache[NEWS] = news


class PointInTime(Struct, frozen=True):
    """A point of a campaign's past: a seq, microseconds UTC, or the end of a day of the campaign's calendar.

    A seq within an action means the action's end.
    """

    seq: int | None = None
    microseconds: int | None = None
    date: CalendarDate | None = None


class VisibleCampaign(Struct, frozen=True):
    """A campaign as one reader may see it, as of `seq`.

    `contents`, `cache` and `waits` are those of `CachedStates`, while nothing that was before is changed.
    """

    campaign_id: CampaignId
    account: AccountId
    role: Role
    audience: Audience
    seq: int
    state: CampaignState
    name: Callable[[Any], str]
    common: CampaignState | None = None
    """The table's state; None: a moment of the past, when no choices are pending any more."""
    reads: str | None = None
    """The language that the reader wants."""
    shown_to: AccountId | None = None
    """The GM who reads it in place of `account`."""
    watching_code: str = ""
    """The code of the watching link by which it is read; empty: its reader is a member."""
    last_change: int = 0
    """There it stood as it does now, but for its dice."""
    contents: dict[Audience, tuple[int, bytes]] = {}
    cache: dict[Any, Any] = {}
    waits: dict[Audience, Waits] = {}

    @property
    def is_watched(self) -> bool:
        """Whether its reader has no account but a watching link."""
        return self.account == watcher_of(self.campaign_id)

    @property
    def content(self) -> bytes:
        """A hash of what the reader and the table know, but for dice: the same for all who know the same.

        It is of the states as they are when it is asked for: folds go on beside slow readers.
        """
        own = self._content_of(self.audience, self.state)
        if self.common is None:
            return own
        table = self._content_of(TABLE, self.common)
        return own if own == table else own + table

    def _content_of(self, audience: Audience, state: CampaignState) -> bytes:
        is_overtaken = OVERTAKEN in self.cache
        last_change, content = self.contents.get(audience, (-1, b""))
        if is_overtaken or last_change != self.last_change:
            content = blake2b(decides(state), digest_size=CONTENT_BYTES).digest()
        if not is_overtaken:
            self.contents[audience] = self.last_change, content
        return content

    def standing_still(self) -> "VisibleCampaign":
        """The same campaign, which does not go on while several things are read of it.

        Its states are copies that all who read it at this moment share, so they must not be changed.
        """
        common = None if self.common is None else self._copy(TABLE, self.common)
        return structs.replace(self, state=self._copy(self.audience, self.state), common=common)

    def _copy(self, audience: Audience, state: CampaignState) -> CampaignState:
        key = ("copy", audience)
        if key not in self.cache:
            self.cache[key] = decode_state(encode_state(state))
        copy: CampaignState = self.cache[key]
        return copy

    @property
    def language(self) -> str:
        """The language that this campaign is told in: the reader's, else its own."""
        return self.reads or language_of(self.state.changed_settings)

    def news_after(self, seq: int) -> list[StoredEvent] | None:
        """All events after a seq, where they are those that were folded last; None: they have to be read."""
        rows: list[StoredEvent] = self.cache.get(NEWS, [])
        return [row for row in rows if row.seq > seq] if rows and rows[0].seq <= seq + 1 else None

    def read(self, row: StoredEvent) -> RecordedEvent:
        """A stored row, decoded and redacted for this reader."""
        return self.as_read(record_of(row))

    def as_read(self, record: RecordedEvent) -> RecordedEvent:
        """An event, redacted for this reader."""
        return redacted_for(self.audience, record, self.state.revealed, self.state.dice)

    def text_of(self, sentence: str | Sentence) -> str:
        """A sentence in the language of the reader, such as why something of it cannot be read."""
        return render(sentence, self.language)

    def refusing(self) -> AbstractContextManager[None]:
        """Refusals from within are told in the language of the reader."""
        return refusing_in(self.language)


@contextmanager
def refusing_in(language: str) -> Iterator[None]:
    """Within it, refusals are rendered in this language."""
    try:
        yield
    except Rejection as refusal:
        tell_refusal(refusal, language)
        raise


class CampaignReader:
    """Folds campaigns for their readers and caches the folds read last."""

    def __init__(self, log: EventStore, views: ProjectionStore, names: NameResolver, bytes_max: int) -> None:
        self._log = log
        self._views = views
        self._states = StateReader(log, views)
        self._names = names
        self.folds: LruCache[CachedStates] = LruCache(bytes_max)
        """The cached folds."""
        self.folds.is_pinned = self._is_folding

    async def see(
        self,
        campaign_id: CampaignId,
        account: AccountId,
        at: PointInTime | None = None,
        as_member: str | None = None,
    ) -> VisibleCampaign:
        """The campaign as this account may see it, now or at a moment; to a GM, as a member.

        A watcher (`watcher_of`) sees it as the table does.

        Its membership now decides how much of the past the account may read. Raises `campaign_not_found` for an
        account that is no member, `moment_not_reached` for a seq that the log does not have, and for a date what
        `seq_of` does; with `as_member` also `gm_only`, `unknown_member` and `ambiguous_name`.
        """
        campaign = await self._see_now(campaign_id, account)
        if as_member is not None:
            members_view = await self._see_now(campaign_id, _member_named(campaign, as_member))
            campaign = structs.replace(members_view, shown_to=account)
        if at is None:
            return campaign
        seq = await self.seq_of(campaign, at)
        if seq > campaign.seq:
            raise moment_not_reached(campaign, seq)
        if seq < campaign.seq:
            state = await self._states.at(campaign_id, campaign.audience, seq)
            name = self._names.within(state, campaign.reads)
            audience = standing_for(campaign.audience, state.stands_for)
            campaign = structs.replace(campaign, audience=audience, seq=seq, last_change=seq, state=state)
            campaign = structs.replace(campaign, name=name, common=None, contents={}, cache={}, waits={})
        return campaign

    async def see_as_table(self, campaign_id: CampaignId) -> VisibleCampaign:
        """The campaign now as far as every member may see it, an observer as well. Raises `campaign_not_found`."""
        return await self._see_now(campaign_id, watcher_of(campaign_id))

    async def seq_of(self, campaign: VisibleCampaign, moment: PointInTime) -> int:
        """The end of the action that a seq belongs to, or of the last one at or before an instant.

        Of a date, the end of the last action after which its day was not over, by the calendar that the campaign
        has. Raises `date_impossible`, `date_before_start` and `moment_not_reached` for dates.
        """
        if moment.date is not None:
            return await self._seq_on(campaign, moment.date)
        if moment.seq is not None:
            return await action_end(self._log, campaign.campaign_id, moment.seq)
        return await self._log.seq_at(campaign.campaign_id, moment.microseconds or 0)

    async def _seq_on(self, campaign: VisibleCampaign, date: CalendarDate) -> int:
        calendar = calendar_in(campaign.state)
        with campaign.refusing():
            begin = require_date(calendar, date)
            end = begin + calendar.day_seconds
            if begin > campaign.state.game_time:
                raise _not_reached_by_clock(campaign)
            if end <= 0:
                raise _before_start(campaign)
        if end > campaign.state.game_time:
            return campaign.seq
        rows = await self._log.advances(campaign.campaign_id, campaign.seq)
        rows += await self._log.rewrites(campaign.campaign_id, campaign.seq)
        moves = clock_moves(campaign.read(row) for row in sorted(rows, key=attrgetter("seq")))
        past = move_past(moves, end)
        if past is None:
            return campaign.seq
        return (await self._log.action(campaign.campaign_id, past.action_id))[0].seq - 1

    async def _see_now(self, campaign_id: CampaignId, account: AccountId) -> VisibleCampaign:
        folds = self.folds.get(campaign_id)
        if folds is None:
            folds = CachedStates()
            self.folds.keep(campaign_id, folds)
        asked_at = monotonic()
        while True:
            async with folds.lock:
                if folds.read_at <= asked_at:  # else another reader has asked the log since
                    await self._catch_up(campaign_id, folds)
                if (missing := _missing(campaign_id, account, folds)) is None:
                    return await self._seen_in(campaign_id, account, folds)
                folding = self._folding(campaign_id, folds, missing)
            await asyncio.wait([folding])  # which goes on for others if this reader hangs up
            folding.result()

    async def _seen_in(self, campaign_id: CampaignId, account: AccountId, folds: CachedStates) -> VisibleCampaign:
        """The campaign, from folds in memory."""
        common = folds.states[TABLE]
        role, audience = _reads_as(campaign_id, common, account, folds)
        state = folds.states[audience]
        self.folds.keep(campaign_id, folds)
        await self._names.fetch_all_in(state)
        reads = reader_language()
        name = self._names.within(state, reads)
        return VisibleCampaign(
            campaign_id,
            account,
            role,
            audience,
            folds.seq,
            state,
            name,
            common,
            reads,
            last_change=folds.last_change,
            contents=folds.contents,
            cache=folds.cache,
            waits=folds.waits,
            watching_code=watching_code() if account == watcher_of(campaign_id) else "",
        )

    async def is_member(self, campaign_id: CampaignId, account: AccountId) -> bool:
        """Whether an account is in a campaign now."""
        try:
            await self.see(campaign_id, account)
        except Missing:
            return False
        return True

    async def _catch_up(self, campaign_id: CampaignId, folds: CachedStates) -> None:
        if folds.seq == 0 and not folds.states:
            stored_folds = {fold.audience: fold for fold in await self._views.folds(campaign_id)}
            folds.private = {key for key in stored_folds if key.startswith("account:")}
            folds.seq, folds.states[TABLE] = decode_fold(stored_folds.get(TABLE.key))
            folds.last_change = folds.seq
        read_at = monotonic()
        tail = await self._log.since(campaign_id, folds.seq)
        if tail is None:
            self.folds.evict(campaign_id)
            raise campaign_not_found()
        head, rows = tail
        if changes_earlier_events(rows, folds.seq):
            folds.private |= private_keys(row.visibility for row in rows)
            folds.seq = folds.last_change = head.seq
            folds.states, folds.cache = {}, {}
            unchanged = int(earliest_change(rows)) - 1
            folds.waits = {audience: waits.until(unchanged) for audience, waits in folds.waits.items()}
        else:
            await folds.apply(rows)
        folds.read_at = read_at

    def _folding(self, campaign_id: CampaignId, folds: CachedStates, audience: Audience) -> asyncio.Task[None]:
        """The one task that makes an audience's fold, for all its readers; it ends whether or not they wait."""
        task = folds.folding.get(audience)
        if task is None:
            task = folds.folding[audience] = asyncio.create_task(self._fold(campaign_id, folds, audience))
            task.add_done_callback(lambda ended: _end_folding(folds, audience, ended))
        return task

    async def _fold(self, campaign_id: CampaignId, folds: CachedStates, audience: Audience) -> None:
        """Fold for an audience while others read and act, and then up to where the other folds are."""
        charge_nobody()  # else the first reader after an undo would pay for everybody
        while audience not in folds.states:
            seq = folds.seq
            state = await self._states.at(campaign_id, audience, seq)
            async with folds.lock:
                rows = await self._log.tail(campaign_id, seq, upto=folds.seq) if seq < folds.seq else []
                if not changes_earlier_events(rows, seq):
                    rewrites = history_changes_in(rows)
                    revealed_ids = revealed_by(rewrites) | {*state.revealed}
                    folds.states[audience] = fold(state, audience, rows, undone_by(rewrites), revealed_ids)

    def _is_folding(self, campaign_id: CampaignId) -> bool:
        folds = self.folds.peek(campaign_id)
        return folds is not None and bool(folds.folding)


def moment_not_reached(campaign: VisibleCampaign, seq: int) -> Missing:
    """The refusal of a seq that the log does not have yet."""
    text = say("The campaign is at {seq}; {wanted} has not happened yet.", seq=campaign.seq, wanted=seq)
    return Missing("moment_not_reached", campaign.text_of(text))


def _not_reached_by_clock(campaign: VisibleCampaign) -> Missing:
    now = date_in(campaign.language, campaign.state.game_time, calendar_in(campaign.state).shape)
    text = say("In the campaign it is {date}; that day has not come yet.", date=day_in_words(now))
    return Missing("moment_not_reached", text)


def _before_start(campaign: VisibleCampaign) -> Missing:
    first = date_in(campaign.language, 0, calendar_in(campaign.state).shape)
    return Missing("date_before_start", say("The campaign begins on {date}.", date=day_in_words(first)))


def _member_named(campaign: VisibleCampaign, name: str) -> AccountId:
    """The member that a GM wants to read as."""
    if campaign.role != "gm":
        raise Forbidden("gm_only", campaign.text_of(say("Only a GM may read as another member does.")))
    with campaign.refusing():
        return member_called(name, {account: campaign.name(account) for account in campaign.state.members})


def _end_folding(folds: CachedStates, audience: Audience, ended: asyncio.Task[None]) -> None:
    del folds.folding[audience]
    if not ended.cancelled():
        ended.exception()  # the readers that wait are told; there may be none


def _missing(campaign_id: CampaignId, account: AccountId, folds: CachedStates) -> Audience | None:
    """The audience whose fold an account's read has to wait for; None: it need not."""
    common = folds.states.get(TABLE)
    if common is None:
        return TABLE
    _, audience = _reads_as(campaign_id, common, account, folds)
    return None if audience in folds.states else audience


def _reads_as(
    campaign_id: CampaignId, common: CampaignState, account: AccountId, folds: CachedStates
) -> tuple[Role, Audience]:
    """The role and the audience of an account. Raises `campaign_not_found` for one that is no member.

    A watcher reads as an observer who has nothing of their own.
    """
    if account == watcher_of(campaign_id):
        return "observer", TABLE
    role = common.members.get(account)
    if role is None:
        raise campaign_not_found()
    if role == "gm":
        return role, GM
    if not any(f"account:{each}" in folds.private for each in common.people_of(account)):
        return role, TABLE
    return role, standing_for(Audience(gm=False, account=account), common.stands_for)
