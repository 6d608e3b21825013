"""Reads campaigns for their members, always up to date: folds in memory plus newer events."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from math import inf
from time import monotonic
from typing import Any

from msgspec import Struct, field, structs

from domain.campaign.knowledge.audience_states import MERELY_TOLD
from domain.campaign.names.member_names import member_called
from domain.campaign.secrecy.audience import GM, TABLE, Audience, private_keys, seen_by
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import recorded
from domain.command_context import Role
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, CampaignId
from domain.recorded_event import Recorded
from domain.rejection import Forbidden, Missing, Rejection
from domain.sentences import Sentence, say
from projections.languages import render, tell_refusal
from services.errors import campaign_not_found
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.queries.name_resolver import NameResolver
from services.runtime.reader_language import reader_language
from services.state.audience_fold import decode_fold, fold_event
from services.state.history_changes import changes_earlier_events, history_changes_in, revealed_by, undone_by
from services.state.lru_cache import LruCache, measured_until, size_of
from services.state.state_at import StateReader

APPLIED_AT_ONCE = 1_000
"""So many events are folded before other tasks get their turn: after an import, all of a campaign is new."""


class CachedStates(Struct, eq=False):
    """The folds of one campaign up to `seq`, one for each audience that has read it lately.

    `moved` is the last seq that changed more of one of them than its dice, as far as is known. `private` are the
    accounts that have events of their own. `read_at` is when the log was last asked for more. `made` is what was
    made of the folds as they stand, for who asks next.
    """

    seq: int = 0
    moved: int = 0
    read_at: float = -inf
    states: dict[Audience, CampaignState] = field(default_factory=dict)
    private: set[str] = field(default_factory=set)
    made: dict[Any, Any] = field(default_factory=dict)
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
        undone = undone_by(rewrites)
        revealed = revealed_by(rewrites).union(*(state.revealed for state in self.states.values()))
        if rows:
            self.made = {}
        for folded, row in enumerate(rows, 1):
            if row.visibility != "all":
                self.private |= private_keys([row.visibility])
            event = recorded(row)
            if row.visibility != "all" or type(event.event) not in MERELY_TOLD:
                self.moved = row.seq
            for audience, state in self.states.items():
                self.states[audience] = fold_event(state, audience, event, undone, revealed)
            self.seq = row.seq
            if folded % APPLIED_AT_ONCE == 0:
                await asyncio.sleep(0)


class PointInTime(Struct, frozen=True):
    """A point of a campaign's past: a seq, or microseconds UTC."""

    seq: int | None = None
    microseconds: int | None = None


class VisibleCampaign(Struct, frozen=True):
    """A campaign as one reader may see it, as of `seq`.

    `common` is the table's state; None: a moment of the past, when no choices are pending any more. At `moved` it
    stood as it does now, but for its dice. `made` keeps what was made of it, for all readers as of this seq.
    `reads` is the language that the reader wants. `shown_to` is the GM who reads it in place of `account`.
    """

    campaign_id: CampaignId
    account: AccountId
    role: Role
    audience: Audience
    seq: int
    state: CampaignState
    name: Callable[[Any], str]
    common: CampaignState | None = None
    reads: str | None = None
    shown_to: AccountId | None = None
    moved: int = 0
    made: dict[Any, Any] = {}

    @property
    def language(self) -> str:
        """The language that this campaign is told in: the reader's, else its own."""
        return self.reads or language_of(self.state.changed_settings)

    def read(self, row: StoredEvent) -> Recorded:
        """A stored row, decoded and redacted for this reader."""
        return self.as_read(recorded(row))

    def as_read(self, record: Recorded) -> Recorded:
        """An event, redacted for this reader."""
        return seen_by(self.audience, record, self.state.revealed, self.state.dice)

    def told(self, sentence: str | Sentence) -> str:
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

    async def see(
        self,
        campaign_id: CampaignId,
        account: AccountId,
        at: PointInTime | None = None,
        as_member: str | None = None,
    ) -> VisibleCampaign:
        """The campaign as this account may see it, now or at a moment; to a GM, as a member.

        What the account may read of the past depends on its membership now. Raises `campaign_not_found` for an
        account that is no member, and `moment_not_reached` for a seq that the log does not have; with `as_member`
        also `gm_only`, `unknown_member` and `ambiguous_name`.
        """
        seen = await self._see_now(campaign_id, account)
        if as_member is not None:
            shown = await self._see_now(campaign_id, _meant(seen, as_member))
            seen = structs.replace(shown, shown_to=account)
        if at is None:
            return seen
        seq = await self.seq_of(campaign_id, at)
        if seq > seen.seq:
            told = seen.told(
                say("The campaign is at {seq}; {wanted} has not happened yet.", seq=seen.seq, wanted=seq)
            )
            raise Missing("moment_not_reached", told)
        if seq < seen.seq:
            state = await self._states.at(campaign_id, seen.audience, seq)
            name = self._names.within(state, seen.reads)
            seen = structs.replace(seen, seq=seq, moved=seq, state=state, name=name, common=None, made={})
        return seen

    async def seq_of(self, campaign_id: CampaignId, moment: PointInTime) -> int:
        """The last seq that happened at or before a moment."""
        if moment.seq is not None:
            return moment.seq
        return await self._log.seq_at(campaign_id, moment.microseconds or 0)

    async def _see_now(self, campaign_id: CampaignId, account: AccountId) -> VisibleCampaign:
        folds = self.folds.get(campaign_id)
        if folds is None:
            folds = CachedStates()
            self.folds.keep(campaign_id, folds)
        asked_at = monotonic()
        async with folds.lock:
            if folds.read_at <= asked_at:  # else another reader has asked the log since
                await self._catch_up(campaign_id, folds)
            role = next(iter(folds.states.values())).members.get(account)
            if role is None:
                raise campaign_not_found()
            audience = _audience(role, account, folds)
            if audience not in folds.states:
                folds.states[audience] = await self._states.at(campaign_id, audience, folds.seq)
            state = folds.states[audience]
            self.folds.keep(campaign_id, folds)
            await self._names.fetch_all_in(state)
            common, reads = folds.states.get(TABLE), reader_language()
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
                moved=folds.moved,
                made=folds.made,
            )

    async def is_member(self, campaign_id: CampaignId, account: AccountId) -> bool:
        """Whether an account is in a campaign now."""
        try:
            await self.see(campaign_id, account)
        except Missing:
            return False
        return True

    async def _catch_up(self, campaign_id: CampaignId, folds: CachedStates) -> None:
        if not folds.states:
            stored = {fold.audience: fold for fold in await self._views.folds(campaign_id)}
            folds.private = {key for key in stored if key.startswith("account:")}
            folds.seq, folds.states[TABLE] = decode_fold(stored.get(TABLE.key))
            folds.moved = folds.seq
        read_at = monotonic()
        found = await self._log.since(campaign_id, folds.seq)
        if found is None:
            self.folds.evict(campaign_id)
            raise campaign_not_found()
        head, rows = found
        if changes_earlier_events(rows, folds.seq):
            folds.private |= private_keys(row.visibility for row in rows)
            for audience in folds.states:
                folds.states[audience] = await self._states.at(campaign_id, audience, head.seq)
            folds.seq = folds.moved = head.seq
            folds.made = {}
        else:
            await folds.apply(rows)
        folds.read_at = read_at


def _meant(seen: VisibleCampaign, said: str) -> AccountId:
    """The member that a GM wants to read as."""
    if seen.role != "gm":
        raise Forbidden("gm_only", seen.told(say("Only a GM may read as another member does.")))
    with seen.refusing():
        return member_called(said, {each: seen.name(each) for each in seen.state.members})


def _audience(role: Role, account: AccountId, folds: CachedStates) -> Audience:
    if role == "gm":
        return GM
    return Audience(gm=False, account=account) if f"account:{account}" in folds.private else TABLE
