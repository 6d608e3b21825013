"""What the log keeps of an event, as bytes, and what is appended together with it.

These are the shapes that every event log takes and gives, the one in PostgreSQL and the one in memory.
"""

from typing import Literal

from msgspec import Struct

from domain.command_context import Role
from domain.ids import AccountId, ActionId, CampaignId

STRIKING_KINDS = frozenset({"campaign.action_undone", "campaign.action_redone"})
"""The kinds of events that change which earlier ones count."""

REVEALED_KIND = "campaign.action_revealed"
"""The kind of event that changes who may read earlier ones."""

REWRITE_KINDS = STRIKING_KINDS | {REVEALED_KIND}
"""All that changes what folding earlier events gives."""


class StoredEvent(Struct, frozen=True, gc=False):
    """One row of the log. `domain.campaign.storage.event_codec` makes it from an event and reads it back.

    `seq` counts from 1 without gaps within the campaign; `recorded_at` is microseconds UTC, never below its
    predecessor's; `game_time` is seconds of campaign time. `command` is the request as asked, on the
    first event of its action only. `body` and `command` are canonical JSON in which every personal text is
    replaced by its salted hash; `texts` holds those texts as a JSON object by path, and is kept beside the
    log under `text_salt`, so that it can be erased (None: there were none, or they are erased).
    `hash` is `domain.hash_chain.event_hash`.
    """

    seq: int
    action_id: ActionId
    kind: str
    kind_version: int
    recorded_at: int
    game_time: int
    actor: AccountId | None
    cause: str
    visibility: str
    command: bytes | None
    body: bytes
    salt: bytes
    hash: bytes
    text_salt: bytes | None = None
    texts: bytes | None = None


class UnsealedEvent(Struct, frozen=True, gc=False):
    """A row without what seals it, of which following the log makes nothing: a third less to read."""

    seq: int
    action_id: ActionId
    kind: str
    kind_version: int
    recorded_at: int
    game_time: int
    actor: AccountId | None
    cause: str
    visibility: str
    command: bytes | None
    body: bytes
    texts: bytes | None = None


def unsealed(row: StoredEvent) -> UnsealedEvent:
    """The same event without its seal."""
    return UnsealedEvent(*(getattr(row, field) for field in UnsealedEvent.__struct_fields__))


class StoredFact(Struct, frozen=True, gc=False):
    """What a fold for deciding needs of a row. Of a long past nothing else is read, for a third of the time."""

    seq: int
    kind: str
    kind_version: int
    body: bytes
    texts: bytes | None = None


class Head(Struct, frozen=True, gc=False):
    """Where a campaign's log ends. Before the first event: seq 0, a hash of zeros, recorded_at 0."""

    seq: int
    hash: bytes
    recorded_at: int


class KeyedAnswer(Struct, frozen=True, gc=False):
    """What an idempotency key stands for: the request it came with (as a hash) and the answer given.

    The hash is empty where words of the request were erased, since they could be guessed from it.
    """

    account_id: AccountId
    key: str
    request_hash: bytes
    action_id: ActionId
    answer: bytes

    def is_for(self, request_hash: bytes) -> bool:
        """Whether it is the answer to this request, as far as anybody can still tell."""
        return self.request_hash in (request_hash, b"")


class MembershipChange(Struct, frozen=True, gc=False):
    """A row of the list of who is in which campaign; `role` None takes the account out."""

    account_id: AccountId
    role: Role | None


NEVER = 2**63 - 1
"""A moment that never comes."""


class Timer(Struct, frozen=True, gc=False):
    """What a campaign owes itself, as the database knows it: enough to find it when it is due.

    `cause` and `subject` are its key in the campaign. `due` is seconds of campaign time or microseconds UTC,
    and 0 where it is owed at once. `wake_at` is the real moment, in microseconds UTC, from which on a worker
    shall look after it; `NEVER` until the calendar has moved far enough.
    """

    cause: ActionId
    subject: str
    clock: Literal["game", "real", "now"]
    due: int
    wake_at: int


class KeptTimer(Struct, frozen=True, gc=False):
    """A timer with what became of it so far: how often it failed, why, and since when nobody tries it any more."""

    timer: Timer
    attempts: int = 0
    parked_at: int | None = None
    error: str | None = None


class DueTimer(Struct, frozen=True, gc=False):
    """A timer that one worker, and nobody else, shall fire now; it is `late` by so many microseconds."""

    campaign_id: CampaignId
    cause: ActionId
    subject: str
    late: int


class Backlog(Struct, frozen=True, gc=False):
    """How many timers should have fired by now, and how many are parked.

    `next_in` is how many microseconds it is until the next one that is not parked, below zero where it is
    over time, None where none waits for a real moment.
    """

    due: int
    next_in: int | None
    parked: int


class LedgerCheck(Struct, frozen=True, gc=False):
    """What an accountant found as of `seq`: balances added up from the log, and drift, both JSON."""

    seq: int
    checked_at: int
    balances: bytes
    drift: bytes


class SealedSeeds(Struct, frozen=True, gc=False):
    """The seeds of a dice epoch as the database keeps them: encrypted with a key that it does not have."""

    epoch: int
    sealed: bytes


class Erasure(Struct, frozen=True, gc=False):
    """What is erased together with an append: texts beside events, as (seq, what is left of them; None: nothing).

    `answers` take the place of those that were kept under the same keys; which request each came with is
    forgotten, because the request held the texts, too. `afresh`: so much was folded since then that stored views
    are forgotten as a whole.
    """

    texts: list[tuple[int, bytes | None]]
    answers: list[KeyedAnswer] = []
    afresh: bool = False

    @property
    def first_seq(self) -> int:
        """The first event that loses texts: nothing that was folded before it holds any of them."""
        return min(seq for seq, _ in self.texts)


class Chunk(Struct, frozen=True, gc=False):
    """Actions of one campaign that are appended together or not at all.

    `expected_seq` and `expected_hash` name the head that everything in it was decided on; `events` follow it
    without gaps. Where `expected_seq` is 0 the campaign is new and the append makes its head. Without `events` the
    chunk appends nothing and only asks whether the head is still that one. `answers` are those of its actions that
    came with an idempotency key. `timers` are new, or have another moment than before; `fired` are those (cause,
    subject) that nothing is owed for any more. `seeds` are those of the dice epochs that they start. With an
    `erasure` the chunk has a transaction of its own, in which every fold that may hold the erased texts is taken
    back.
    `decided_at` is the earliest moment at which anything in it was decided (0: when its first event was recorded).
    No event is recorded before its predecessor, so that their own times would hide a clock that went back.
    """

    campaign_id: CampaignId
    expected_seq: int
    expected_hash: bytes
    events: list[StoredEvent]
    answers: list[KeyedAnswer] = []
    members: list[MembershipChange] = []
    timers: list[Timer] = []
    fired: list[tuple[ActionId, str]] = []
    seeds: list[SealedSeeds] = []
    erasure: Erasure | None = None
    decided_at: int = 0


class Outcome(Struct, frozen=True, gc=False):
    """What became of a chunk.

    `committed`: it is in the log durably; of a chunk without events, the head is the expected one.
    `version_conflict`: the head is not the expected one, or there is no such campaign.
    `duplicate_key`: some of its keys already stand for something, those of the answers in `duplicates` (places
    from 0); nothing of the chunk was written. `clock_skew`: what it was decided at is too far from the database's
    clock, late by more than `LATE_MICROSECONDS_MAX` or ahead by more than `AHEAD_MICROSECONDS_MAX`. `gone`: the
    campaign is deleted.
    """

    status: Literal["committed", "version_conflict", "duplicate_key", "clock_skew", "gone"]
    duplicates: list[int] = []


LATE_MICROSECONDS_MAX = 15_000_000
"""What was decided may wait so long for its commit: as long as any statement may take."""

AHEAD_MICROSECONDS_MAX = 1_000_000
"""Clocks of two machines may be so far apart."""


class Deletion(Struct, frozen=True, gc=False):
    """A campaign that is deleted; from `gone_at` on it may be purged. Moments are microseconds UTC.

    `rested`: it was archived only because it was deleted.
    """

    campaign_id: CampaignId
    name: str
    deleted_at: int
    deleted_by: AccountId
    gone_at: int
    rested: bool


class DatabaseUnavailable(Exception):  # noqa: N818 — a state of the world, worded like its problem code
    """The log cannot be reached now; whether a write that was under way got committed is not known."""
