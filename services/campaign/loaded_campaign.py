"""Loaded campaigns, kept in memory up to a number of bytes.

They are for deciding: a loaded campaign is ahead of the log by what is being committed, and may lag behind the
appends of other processes. Neither does harm: every append names the head it was decided on, and a refusal is
confirmed against the log before it is sent.
"""

from collections.abc import Collection, Sequence

from domain.campaign.knowledge.audience_states import Knowledge, readers
from domain.campaign.secrecy.audience import Audience
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.dice.seeded_dice import EpochSeeds
from domain.event_store_types import IDENTIFIED_KIND, REVEALED_KIND, Head, KeptTimer, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import ActionId
from services.campaign.campaign_timers import CampaignTimers
from services.campaign.history_changes import ERASED_KIND, history_changes_in, undone_by
from services.campaign.lru_cache import MEMORY_PER_JSON_BYTE, LruCache, measured_until
from services.campaign.unsealed_action import OwnKey, UnsealedAction

MEMORY_PER_ROW = 1_200
"""Approximate bytes of a kept row."""

MEMORY_PER_KEY = 200
"""Approximate bytes of a remembered idempotency key (measured: 177)."""

RECENT_KEYS_MAX = 1_024
"""Idempotency keys remembered per campaign, so that a repetition need not be decided and dropped again."""

RELOADING_KINDS = frozenset({REVEALED_KIND, IDENTIFIED_KIND, ERASED_KIND})
"""Events after which a campaign in memory has to be loaded again."""

GENESIS_HEAD = Head(seq=0, hash=GENESIS, recorded_at=0)


class LoadedCampaign:
    """One campaign folded for deciding, with its due commands and its audience states.

    A snapshot of a committed state is kept, with the rows after it, as the start of another fold if a decided
    action is not committed.
    """

    def __init__(self, head: Head, state: CampaignState, timers: Sequence[KeptTimer] = ()) -> None:
        self.head = head
        """Where its log ends as PostgreSQL confirmed it."""
        self.seq = head.seq
        """Where its log will end once the decided actions are committed; `state` includes them already."""
        self.state = state
        self.schedule = CampaignTimers(timers)
        self.seeds: EpochSeeds | None = None
        """Those of its open dice epoch; None: it has none, or they were encrypted with another key."""
        self.knowledge = Knowledge()
        self.has_hidden = False
        """Whether any event is hidden from any member."""
        self.is_shared = False
        """Another process appended to it lately, so that its tail is folded before the next decision."""
        self.is_current = False
        """It was folded, and nothing was appended here since, so that none need be read."""
        self.unfolded_tails: list[bytes] = []
        """The rows that other processes sent with news of their appends, not folded yet."""
        self.foreign_appends = 0
        """How often other processes appended since this one did."""
        self.named_in = -1
        self.recent_keys: dict[OwnKey, None] = {}
        """The idempotency keys that were committed last."""
        self._snapshot: bytes = b""
        self._known_states: dict[Audience, bytes] = {}
        self._since: list[StoredEvent] = []
        self._size = 0
        self._snapshot_at = 0

    @classmethod
    def new(cls) -> "LoadedCampaign":
        """A campaign before its first event."""
        return cls(GENESIS_HEAD, CampaignState())

    def copy(self) -> "LoadedCampaign":
        """A copy to decide several commands on, one after the other; it does not know what is committed."""
        copy = LoadedCampaign(self.head, decode_state(encode_state(self.state)))
        copy.seq, copy.seeds, copy.has_hidden = self.seq, self.seeds, self.has_hidden
        copy.knowledge = Knowledge(
            {audience: decode_state(encode_state(known)) for audience, known in self.knowledge.by_audience.items()}
        )
        return copy

    def advance(self, action: "UnsealedAction") -> None:
        """Apply an action's events before they are committed."""
        state, knowledge = self.state, self.knowledge
        for visibility, event in zip(action.visibilities, action.events, strict=True):
            state = knowledge.advance(state, visibility, event)
            if visibility != "all":
                self.has_hidden = True
        self.become(state, len(action.events))
        if action.seeds is not None:
            self.seeds = action.seeds

    def become(self, state: CampaignState, events: int) -> None:
        """Take this state, which follows after `events`, before they are committed."""
        self.state = state
        self.seq += events
        self.schedule.invalidate()

    def committed(self, rows: list[StoredEvent]) -> None:
        """Note that the decided actions are committed."""
        last = rows[-1]
        self.head = Head(last.seq, last.hash, last.recorded_at)
        self.is_current, self.foreign_appends = False, 0
        self._since += rows

    def remember(self, key: "OwnKey") -> None:
        """Remember a committed key; drops the oldest where there are many."""
        if len(self.recent_keys) >= RECENT_KEYS_MAX:
            del self.recent_keys[next(iter(self.recent_keys))]
        self.recent_keys[key] = None

    def take_snapshot(self) -> None:
        """Keep the committed state as the start of the next fold."""
        if self.knowledge and self.knowledge.is_common(self.state):
            self.knowledge = Knowledge()  # without hidden events there is one audience only
        self._snapshot = encode_state(self.state)
        self._known_states = {
            audience: encode_state(state) for audience, state in self.knowledge.by_audience.items()
        }
        self._since = []
        self._snapshot_at = self.head.seq
        self._size = (MEMORY_PER_JSON_BYTE + 1) * (
            len(self._snapshot) + sum(map(len, self._known_states.values()))
        )

    def can_fold(self, rows: Sequence[StoredEvent]) -> bool:
        """Whether `rows`, which follow the head, can be folded on what is in memory.

        Erased texts are still in memory, and a reveal, or who a person is, changes what others know of the past.
        An undo or redo is folded from the snapshot on, if that holds nothing of the action.
        """
        if any(row.kind in RELOADING_KINDS for row in rows):
            return False
        return all(change.first_seq > self._snapshot_at for change in history_changes_in(rows))

    def fold_on(self, rows: list[StoredEvent]) -> None:
        """Drop decided actions that are not committed, and fold `rows`, which follow the head: see `can_fold`."""
        rewrites = history_changes_in(rows)
        if rewrites or self.seq != self.head.seq:
            self.fold_again(rows, undone_by(rewrites))
        elif rows:
            self._since += rows
            self._advance(rows, self.state)
        if rewrites:
            self.take_snapshot()  # so that no other fold has to leave anything out

    def fold_again(self, rows: Sequence[StoredEvent] = (), undone_ids: Collection[ActionId] = ()) -> None:
        """Fold the snapshot and all rows after it again, without `undone_ids`, and `rows` after them."""
        self._since += rows
        state = decode_state(self._snapshot)
        self.knowledge = Knowledge(
            {audience: decode_state(known_state) for audience, known_state in self._known_states.items()}
        )
        self._advance(self._since, state, undone_ids)

    def _advance(
        self, rows: Sequence[StoredEvent], state: CampaignState, undone_ids: Collection[ActionId] = ()
    ) -> None:
        """Fold rows on a state that becomes the campaign's."""
        for row in rows:
            event = decode_event(row)
            if row.action_id in undone_ids:
                state = self.knowledge.advance_undone(state, row.visibility, event)
            else:
                state = self.knowledge.advance(state, row.visibility, event)
            self.has_hidden = self.has_hidden or row.visibility != "all"
        if rows:
            last = rows[-1]
            self.head = Head(last.seq, last.hash, last.recorded_at)
        self.seq = self.head.seq
        self.named_in = -1
        self.become(state, 0)

    def game_time_for(self, visibilities: Sequence[str]) -> int:
        """The game time as known to the audience that knows least among the readers of these visibilities."""
        states = (self.knowledge.of(readers(visibility), self.state) for visibility in visibilities)
        return min((state.game_time for state in states), default=self.state.game_time)

    def size(self) -> int:
        """Approximate bytes; takes another snapshot if enough was committed since the last one.

        Call it only when all decided actions are committed.
        """
        if not self._snapshot or self.head.seq >= measured_until(self._snapshot_at):
            self.take_snapshot()
        return self._size + MEMORY_PER_ROW * len(self._since) + MEMORY_PER_KEY * len(self.recent_keys)


CampaignCache = LruCache[LoadedCampaign]
