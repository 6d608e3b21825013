"""The inputs and results of the event store: events as bytes, and the rows appended together with them.

The event stores in PostgreSQL and in memory share these types.
"""

from typing import Literal

from msgspec import Struct

from domain.command_context import Role
from domain.ids import AccountId, ActionId, CampaignId

STRIKING_KINDS = frozenset({"campaign.action_undone", "campaign.action_redone"})
"""The kinds of events that change which earlier events count."""

REVEALED_KIND = "campaign.action_revealed"
"""The kind of event that changes who may read earlier ones."""

IDENTIFIED_KIND = "campaign.person_identified"
"""The kind of event that lets one account read what was for another id."""

REWRITE_KINDS = STRIKING_KINDS | {REVEALED_KIND, IDENTIFIED_KIND}
"""The kinds of events that change the result of folding earlier events."""


class StoredEvent(Struct, frozen=True, gc=False):
    """One row of the event store. `domain.campaign.storage.event_codec` encodes and decodes it.

    `body` and `command` are canonical JSON in which every personal text is replaced by its salted hash.
    """

    seq: int
    """Counts from 1 without gaps within the campaign."""
    action_id: ActionId
    kind: str
    kind_version: int
    recorded_at: int
    """Microseconds UTC, never below its predecessor's."""
    game_time: int
    """Seconds of campaign time."""
    actor: AccountId | None
    cause: str
    visibility: str
    command: bytes | None
    """The request as asked, on the first event of its action only."""
    body: bytes
    salt: bytes
    hash: bytes
    """`domain.hash_chain.event_hash`."""
    text_salt: bytes | None = None
    texts: bytes | None = None
    """The personal texts as a JSON object by path; None: there were none, or they are erased.

    They are kept beside the log under `text_salt` so that they can be erased.
    """


class UnsealedEvent(Struct, frozen=True, gc=False):
    """A row without its hash and salts, which a fold does not need: a third less to read."""

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
    """The same event without its hash and salts."""
    return UnsealedEvent(*(getattr(row, field) for field in UnsealedEvent.__struct_fields__))


class StoredFact(Struct, frozen=True, gc=False):
    """The columns that a fold for deciding needs: a long past loads in a third of the time with them alone."""

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
    """An idempotency record: the hash of the request that first used the key, and the answer to it.

    The hash is empty where texts of the request were erased, because they could be guessed from it.
    """

    account_id: AccountId
    key: str
    request_hash: bytes
    action_id: ActionId
    answer: bytes

    def is_for(self, request_hash: bytes) -> bool:
        """Whether the record answers this request; True where its hash was erased."""
        return self.request_hash in (request_hash, b"")


class MembershipChange(Struct, frozen=True, gc=False):
    """A change to the list of members by campaign; `role` None removes the account."""

    account_id: AccountId
    role: Role | None


NEVER = 2**63 - 1
"""A moment that never comes, in microseconds UTC."""


class Timer(Struct, frozen=True, gc=False):
    """A row that says when a due command has to run. `cause` and `subject` are its key in the campaign."""

    cause: ActionId
    subject: str
    clock: Literal["game", "real", "now"]
    due: int
    """Seconds of campaign time or microseconds UTC; 0: at once."""
    wake_at: int
    """The real moment, in microseconds UTC, from which on a worker may fire it.

    `NEVER` until the calendar has moved far enough.
    """


class KeptTimer(Struct, frozen=True, gc=False):
    """A timer with its failures: how many, the last error, and since when it is parked."""

    timer: Timer
    attempts: int = 0
    parked_at: int | None = None
    error: str | None = None


class DueTimer(Struct, frozen=True, gc=False):
    """A timer claimed by one worker, which is `late` by so many microseconds."""

    campaign_id: CampaignId
    cause: ActionId
    subject: str
    late: int


class Backlog(Struct, frozen=True, gc=False):
    """How many timers are overdue, and how many are parked.

    `next_in` is how many microseconds remain until the next one that is not parked, below zero if it is overdue,
    None if no timer waits for a real moment. `next_in_share` is the same for one share of the campaigns.
    """

    due: int
    next_in: int | None
    parked: int
    next_in_share: int | None


class LedgerCheck(Struct, frozen=True, gc=False):
    """The result of a ledger check as of `seq`: balances added up from the log, and drift, both JSON."""

    seq: int
    checked_at: int
    balances: bytes
    drift: bytes


class SealedSeeds(Struct, frozen=True, gc=False):
    """The seeds of a dice epoch, encrypted with a key that is not in the database."""

    epoch: int
    ciphertext: bytes


class Erasure(Struct, frozen=True, gc=False):
    """The texts that an append erases: (seq, texts that remain; None: no texts remain).

    `answers` replace the stored answers under the same keys; their request hashes are removed, because the
    requests held the texts too. `afresh`: rebuild all stored views, because so much was folded since.
    """

    texts: list[tuple[int, bytes | None]]
    answers: list[KeyedAnswer] = []
    afresh: bool = False

    @property
    def first_seq(self) -> int:
        """The first event that loses texts; folds of earlier events hold none of them."""
        return min(seq for seq, _ in self.texts)


class EventBatch(Struct, frozen=True, gc=False):
    """Actions of one campaign that are appended together or not at all. Without events it only checks the head."""

    campaign_id: CampaignId
    expected_seq: int
    """The head that everything in it was decided on; 0: the append creates the campaign."""
    expected_hash: bytes
    """The hash of that head."""
    events: list[StoredEvent]
    """Follow the head without gaps."""
    answers: list[KeyedAnswer] = []
    """The idempotency records of its actions."""
    members: list[MembershipChange] = []
    timers: list[Timer] = []
    """Those that are new, or have another moment than before."""
    fired: list[tuple[ActionId, str]] = []
    """Keys (cause, subject) of timer rows to delete."""
    seeds: list[SealedSeeds] = []
    """Those of the dice epochs that start in it."""
    erasure: Erasure | None = None
    """Needs a transaction of its own, which also invalidates every fold that may hold the erased texts."""
    decided_at: int = 0
    """The earliest moment at which anything in it was decided (0: when its first event was recorded).

    `recorded_at` cannot show a clock that went back, because it never decreases.
    """


class AppendResult(Struct, frozen=True, gc=False):
    """The result of appending a batch.

    `committed`: its events are durable; without events, the head is the expected one. `version_conflict`: the
    head is another one, or the campaign does not exist. `duplicate_key`: nothing was written, because keys are
    in use already: those of the `answers` at the places in `duplicates` (from 0). `clock_skew`: `decided_at`
    differs from the database's clock by more than `LATE_MICROSECONDS_MAX` before or `AHEAD_MICROSECONDS_MAX`
    after it. `gone`: the campaign is deleted.
    """

    status: Literal["committed", "version_conflict", "duplicate_key", "clock_skew", "gone"]
    duplicates: list[int] = []


LATE_MICROSECONDS_MAX = 15_000_000
"""How long a decided batch may wait for its commit: as long as a statement may take."""

AHEAD_MICROSECONDS_MAX = 1_000_000
"""How far the clocks of two machines may differ."""


class Deletion(Struct, frozen=True, gc=False):
    """A deleted campaign. Moments are microseconds UTC."""

    campaign_id: CampaignId
    name: str
    deleted_at: int
    deleted_by: AccountId | None
    """None: the host."""
    gone_at: int
    """From then on it may be purged."""
    rested: bool
    """Whether it was archived only because it was deleted."""


class DatabaseUnavailable(Exception):  # noqa: N818 — a state of the world, worded like its problem code
    """The database cannot be reached now. A write that was under way may or may not have been committed."""


class DatabaseBusy(DatabaseUnavailable):
    """The service asks more of the database than there is time for: this waited in vain, and nothing was done."""


class PartlyAppended(Exception):  # noqa: N818 — a state of the world
    """Some of several batches could not be appended; `outcomes` has a failure in the place of each of them."""

    def __init__(self, outcomes: "list[AppendResult | Exception]") -> None:
        super().__init__("A part of the batches could not be appended.")
        self.outcomes = outcomes


class LockTimeout(DatabaseUnavailable):
    """Another transaction held a lock for too long. Nothing was written; another attempt may succeed."""
