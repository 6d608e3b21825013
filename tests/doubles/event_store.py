"""The campaigns' events in plain dicts."""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from uuid import UUID

from msgspec.structs import replace

from domain.campaign.messages.imports import first_recorded
from domain.command_context import Role
from domain.event_store_types import (
    AHEAD_MICROSECONDS_MAX,
    LATE_MICROSECONDS_MAX,
    REWRITE_KINDS,
    AppendResult,
    Deletion,
    Erasure,
    EventBatch,
    Head,
    KeptTimer,
    KeyedAnswer,
    StoredEvent,
    StoredFact,
    UnsealedEvent,
    unsealed,
)
from domain.ids import AccountId, ActionId, CampaignId
from domain.lifecycle_events import CalendarAdvanced
from infra.postgres.append_preconditions import require_well_formed

BATCH_EVENTS_MAX = 1_000
PAGE_CAMPAIGNS_MAX = 100

_BEFORE_ALL = UUID(int=0)


class MemoryEventStore:
    """Appends to and reads the logs of all campaigns of one event loop.

    `clock` gives microseconds UTC, as the database's clock does for the log in PostgreSQL.
    """

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._events: dict[CampaignId, list[StoredEvent]] = {}
        self._answers: dict[tuple[CampaignId, AccountId, str], KeyedAnswer] = {}
        self._seeds: dict[tuple[CampaignId, int], bytes] = {}
        self._members: dict[AccountId, dict[CampaignId, Role]] = defaultdict(dict)
        self.deleted: dict[CampaignId, Deletion] = {}
        """Kept here because nothing of these campaigns is found any more; `MemoryDeletionStore` writes it."""
        self.timers: dict[CampaignId, dict[tuple[ActionId, str], KeptTimer]] = defaultdict(dict)
        """Kept here because an append writes them; `MemoryTimerStore` reads them."""
        self.erasures: Counter[CampaignId] = Counter()
        self.take_back: Callable[[CampaignId, Erasure], None] = lambda *_: None
        """What takes back the folds that hold a campaign's erased texts; `MemoryProjectionStore` does."""
        self.void_invites: Callable[[CampaignId, AccountId], None] = lambda *_: None
        """Makes worthless the invites of an account, made by it or for it; `MemoryInviteStore` sets this."""

    async def append(self, batches: list[EventBatch]) -> list[AppendResult]:
        """Append each batch whole or not at all; what became of each, in their order.

        At most one batch per campaign, else ValueError. A batch that cannot be written drops out alone. One
        without events only compares the head.
        """
        require_well_formed(batches)
        return [self._append(batch) for batch in batches]

    def _append(self, batch: EventBatch) -> AppendResult:
        keys = [(batch.campaign_id, answer.account_id, answer.key) for answer in batch.answers]
        verdict = self._verdict(batch, keys)
        if verdict.status != "committed" or not batch.events:
            return verdict
        self._events.setdefault(batch.campaign_id, []).extend(batch.events)
        self._answers.update(zip(keys, batch.answers, strict=True))
        self._seeds.update({(batch.campaign_id, seeds.epoch): seeds.ciphertext for seeds in batch.seeds})
        for change in batch.members:
            if change.role != "gm" and batch.campaign_id in self._members[change.account_id]:
                self.void_invites(batch.campaign_id, change.account_id)
            if change.role is None:
                self._members[change.account_id].pop(batch.campaign_id, None)
            else:
                self._members[change.account_id][batch.campaign_id] = change.role
        timers = self.timers[batch.campaign_id]
        for key in batch.fired:
            timers.pop(key, None)
        timers.update({(timer.cause, timer.subject): KeptTimer(timer) for timer in batch.timers})
        if batch.erasure is not None:
            self._erase(batch.campaign_id, batch.erasure)
        return verdict

    def _verdict(self, batch: EventBatch, keys: list[tuple[CampaignId, AccountId, str]]) -> AppendResult:
        if batch.campaign_id in self.deleted:
            return AppendResult("gone")
        if duplicates := [place for place, key in enumerate(keys) if key in self._answers]:
            return AppendResult("duplicate_key", duplicates)
        head = self._head(batch.campaign_id) or Head(seq=0, hash=batch.expected_hash, recorded_at=0)
        if (head.seq, head.hash) != (batch.expected_seq, batch.expected_hash):
            return AppendResult("version_conflict")
        if batch.events:
            now = self._clock()
            first, last = batch.events[0].recorded_at, batch.events[-1].recorded_at
            is_late = first < head.recorded_at or (batch.decided_at or first) < now - LATE_MICROSECONDS_MAX
            if is_late or last > max(now + AHEAD_MICROSECONDS_MAX, head.recorded_at):
                return AppendResult("clock_skew")
        return AppendResult("committed")

    def gms_of(self, campaign_id: CampaignId) -> set[AccountId]:
        """Who leads a campaign."""
        return {each for each, roles in self._members.items() if roles.get(campaign_id) == "gm"}

    def memberships(self, account_id: AccountId) -> dict[CampaignId, Role]:
        """The campaigns that an account is in, deleted ones too."""
        return self._members.get(account_id, {})

    def every_event(self, campaign_id: CampaignId) -> list[StoredEvent]:
        """The events of a campaign, also of a deleted one."""
        return self._events.get(campaign_id, [])

    def all_heads(self) -> dict[CampaignId, Head]:
        """Where the logs of all campaigns end, of deleted ones too."""
        last = {campaign_id: events[-1] for campaign_id, events in self._events.items() if events}
        return {campaign_id: Head(each.seq, each.hash, each.recorded_at) for campaign_id, each in last.items()}

    def is_gm(self, campaign_id: CampaignId, account_id: AccountId) -> bool:
        """Whether an account is a GM of a campaign, deleted or not."""
        return self._members.get(account_id, {}).get(campaign_id) == "gm"

    def _living(self, campaign_id: CampaignId) -> list[StoredEvent]:
        """The events of a campaign; none of one that is deleted."""
        return [] if campaign_id in self.deleted else self._events.get(campaign_id, [])

    def _head(self, campaign_id: CampaignId) -> Head | None:
        events = self._living(campaign_id)
        if not events:
            return None
        return Head(seq=events[-1].seq, hash=events[-1].hash, recorded_at=events[-1].recorded_at)

    async def head(self, campaign_id: CampaignId) -> Head | None:
        """Where the campaign's log ends; None: there is no such campaign."""
        return self._head(campaign_id)

    async def moved_heads(self, since: int, after: CampaignId | None, limit: int) -> list[tuple[CampaignId, Head]]:
        """Return the heads of campaigns that went on after a moment, by campaign id."""
        heads = [
            (each, head)
            for each in sorted(self._events)
            if (head := self._head(each)) and head.recorded_at > since
        ]
        return [(each, head) for each, head in heads if after is None or each > after][:limit]

    async def tail(
        self, campaign_id: CampaignId, after: int, limit: int | None = None, upto: int | None = None
    ) -> list[StoredEvent]:
        """Return the events with `after` < seq ≤ `upto`, in order, the first `limit` of them."""
        return self._living(campaign_id)[max(after, 0) : upto][:limit]

    async def tails(self, places: Sequence[tuple[CampaignId, int]], limit: int) -> list[list[StoredEvent]]:
        """Return, for each campaign and seq, the first `limit` events after it, in order."""
        return [await self.tail(campaign_id, after, limit) for campaign_id, after in places]

    async def stream(self, campaign_id: CampaignId, after: int = 0) -> AsyncIterator[list[StoredEvent]]:
        """Yield the events after `after` in batches of up to 1,000, until none is left."""
        while batch := await self.tail(campaign_id, after, BATCH_EVENTS_MAX):
            yield batch
            after = batch[-1].seq

    async def unsealed(
        self, campaign_id: CampaignId, after: int, limit: int, upto: int | None = None
    ) -> list[UnsealedEvent]:
        """Return what followers need of the events with `after` < seq ≤ `upto`, the first `limit` of them."""
        return [unsealed(row) for row in await self.tail(campaign_id, after, limit, upto)]

    async def facts(self, campaign_id: CampaignId) -> AsyncIterator[list[StoredFact]]:
        """Yield what folding needs of all events, in batches of up to 1,000, until none is left."""
        async for batch in self.stream(campaign_id):
            yield [StoredFact(row.seq, row.kind, row.kind_version, row.body, row.texts) for row in batch]

    async def since(self, campaign_id: CampaignId, after: int) -> tuple[Head, list[StoredEvent]] | None:
        """Head and all events after `after`, of one moment; None: there is no such campaign."""
        head = self._head(campaign_id)
        return None if head is None else (head, self._living(campaign_id)[max(after, 0) :])

    async def answers_to(
        self, campaign_id: CampaignId, keys: Sequence[tuple[AccountId, str]]
    ) -> list[KeyedAnswer]:
        """Find what those of these keys stand for that are known; nothing for an account that is no member."""
        return [
            self._answers[campaign_id, account_id, key]
            for account_id, key in keys
            if (campaign_id, account_id, key) in self._answers
            and campaign_id in self._members.get(account_id, {})
            and campaign_id not in self.deleted
        ]

    async def is_purged(self, campaign_id: CampaignId) -> bool:  # noqa: ARG002 — whatever its id
        """Whether there was a campaign of this id that is gone for good: from memory none is taken."""
        return False

    async def sealed_seeds(self, campaign_id: CampaignId, epoch: int) -> bytes | None:
        """Find the encrypted seeds of a dice epoch; None: it has none."""
        return self._seeds.get((campaign_id, epoch))

    def heads(self) -> dict[CampaignId, Head]:
        """Where every campaign's log ends, for the views kept beside it."""
        return {
            campaign_id: Head(seq=events[-1].seq, hash=events[-1].hash, recorded_at=events[-1].recorded_at)
            for campaign_id, events in self._events.items()
            if campaign_id not in self.deleted
        }

    async def actions(self, campaign_id: CampaignId, action_ids: list[ActionId]) -> list[StoredEvent]:
        """Return the events of several actions, in order."""
        return [event for event in self._living(campaign_id) if event.action_id in set(action_ids)]

    async def action(self, campaign_id: CampaignId, action_id: ActionId) -> list[StoredEvent]:
        """Return the events of one action, in order; empty: there is no such action."""
        return [event for event in self._living(campaign_id) if event.action_id == action_id]

    async def rewrites(self, campaign_id: CampaignId, upto: int) -> list[StoredEvent]:
        """Return the undos and redos up to a seq, in order."""
        return [event for event in self._living(campaign_id)[:upto] if event.kind in REWRITE_KINDS]

    async def advances(self, campaign_id: CampaignId, upto: int) -> list[StoredEvent]:
        """Return the events up to a seq that moved the campaign's clock, in order."""
        return [
            event
            for event in self._living(campaign_id)[:upto]
            if event.kind == CalendarAdvanced.__struct_config__.tag
        ]

    async def hidden_visibilities(self, campaign_id: CampaignId) -> list[str]:
        """List every visibility but `all` that events of the campaign have."""
        return sorted({event.visibility for event in self._living(campaign_id)} - {"all"})

    async def seq_at(self, campaign_id: CampaignId, moment: int) -> int:
        """Find the last seq that happened at a moment (microseconds UTC) or before it; 0: there is none."""
        happened = (event.seq for event in self._living(campaign_id) if first_recorded(event) <= moment)
        return max(happened, default=0)

    async def campaigns_of(
        self,
        account_id: AccountId,
        after: CampaignId | None = None,
        limit: int = PAGE_CAMPAIGNS_MAX,
        *,
        before: CampaignId | None = None,
    ) -> list[tuple[CampaignId, Role]]:
        """Page through the campaigns that the account is a member of: by campaign id, those after `after`.

        Or those before `before`, the last ones first.
        """
        mine = [each for each in sorted(self._members.get(account_id, {}).items()) if each[0] not in self.deleted]
        if before is not None:
            return [each for each in reversed(mine) if each[0] < before][:limit]
        return [each for each in mine if each[0] > (after or _BEFORE_ALL)][:limit]

    async def now(self) -> int:
        """Read the log's clock, microseconds UTC."""
        return self._clock()

    async def answers_saying(
        self, campaign_id: CampaignId, content: bytes, after: tuple[AccountId, str], limit: int
    ) -> list[KeyedAnswer]:
        """Return kept answers that hold some bytes, in the order of account and key, those after one of them."""
        found = sorted(
            key
            for key, answer in self._answers.items()
            if key[0] == campaign_id and key[1:] > after and content in answer.answer
        )
        return [self._answers[key] for key in found[:limit]]

    async def replace_answer(self, campaign_id: CampaignId, before: KeyedAnswer, answer: bytes) -> bool:
        """Give another answer from now on; False: it is not what it was before."""
        key = (campaign_id, before.account_id, before.key)
        if key not in self._answers or self._answers[key].answer != before.answer:
            return False
        self._answers[key] = replace(self._answers[key], answer=answer)
        return True

    async def trim_answers(
        self, campaign_id: CampaignId, before: int, after: tuple[AccountId, str], limit: int
    ) -> tuple[AccountId, str] | None:
        """Let go of the answers to actions that were recorded before a moment, microseconds UTC.

        Looks at the first `limit` keys with an answer behind one of them; returns the last of these, None: there
        were none.
        """
        recorded_at = {event.action_id: event.recorded_at for event in self._living(campaign_id)}
        found = [key for key, kept in self._answers.items() if key[0] == campaign_id and kept.answer]
        page = sorted(key for key in found if key[1:] > after)[:limit]
        for key in page:
            if recorded_at.get(self._answers[key].action_id, before) < before:
                self._answers[key] = replace(self._answers[key], answer=b"")
        return page[-1][1:] if page else None

    async def forget_answers(self, campaign_id: CampaignId, account_id: AccountId) -> None:
        """Keep no answers to an account any more."""
        for key, kept in self._answers.items():
            if key[:2] == (campaign_id, account_id):
                self._answers[key] = replace(kept, request_hash=b"", answer=b"")

    async def led_alone(self, account_id: AccountId, limit: int) -> list[CampaignId]:
        """Page through campaigns with other members of which the account is the only GM."""
        found = []
        for campaign_id, role in sorted(self._members[account_id].items()):
            besides = [of for who, of in self._members.items() if who != account_id]
            others = [of[campaign_id] for of in besides if campaign_id in of]
            if role == "gm" and others and "gm" not in others and campaign_id not in self.deleted:
                found.append(campaign_id)
        return found[:limit]

    async def events_with_texts(
        self, campaign_id: CampaignId, after: int, limit: int, actor: AccountId | None = None
    ) -> list[StoredEvent]:
        """Return events after a seq that have personal texts; of one account's and of nobody's, if it is given."""
        found = [
            event
            for event in self._events.get(campaign_id, [])[max(after, 0) :]
            if event.texts is not None and (actor is None or event.actor in (None, actor))
        ]
        return found[:limit]

    async def answers_about(self, campaign_id: CampaignId, seqs: list[int]) -> list[KeyedAnswer]:
        """Return the kept answers that may tell of any of these events."""
        events = self._events.get(campaign_id, [])
        asked = {
            next((event.action_id for event in reversed(events[:seq]) if event.cause == "request"), None)
            for seq in seqs
        }
        of = [key for key, answer in self._answers.items() if key[0] == campaign_id and answer.action_id in asked]
        return [self._answers[key] for key in sorted(of)]

    def _erase(self, campaign_id: CampaignId, erasure: Erasure) -> None:
        events = self._events[campaign_id]
        for seq, left in erasure.texts:
            salt = None if left is None else events[seq - 1].text_salt
            events[seq - 1] = replace(events[seq - 1], text_salt=salt, texts=left)
        for answer in erasure.answers:
            self._answers[campaign_id, answer.account_id, answer.key] = replace(answer, request_hash=b"")
        self.erasures[campaign_id] += 1
        self.take_back(campaign_id, erasure)
