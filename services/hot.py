"""Campaigns kept folded in memory, bounded by their size.

For deciding: what is kept may run ahead of the database by what is being committed just now, and may lag
behind what another process wrote. Neither does harm: every append names the head it was decided on, and a
refusal is confirmed against the database before anybody hears it.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from domain.campaign.codec import decode_event
from domain.campaign.evolve import evolve
from domain.campaign.knowledge import Knowledge, readers
from domain.campaign.state import CampaignState
from domain.dice.seeds import EpochSeeds
from domain.ids import CampaignId
from domain.stored import Head, KeptTimer, StoredEvent, StoredFact
from services.owing import Owing

WEIGH_AGAIN_EVENTS = 256
MEMORY_PER_JSON_BYTE = 6
"""Measured: a state's Python objects take four to six times the bytes of its JSON."""


def weighed_until(seq: int) -> int:
    """The seq at which what was weighed at this one must be weighed again: some hundred events later, or doubled.

    A new campaign is weighed when it is next to nothing, and has most of its characters a hundred events later.
    """
    return min(2 * seq, seq + WEIGH_AGAIN_EVENTS)


def weight_of(*states: CampaignState) -> int:
    """About how many bytes of memory these states take."""
    return MEMORY_PER_JSON_BYTE * sum(len(msgspec.json.encode(state)) for state in states)


class Weighed(Protocol):
    """Something that knows about how many bytes of memory it takes."""

    def weigh(self) -> int:
        """Bytes; what is expensive to measure may be measured only now and then."""
        ...


Entry = TypeVar("Entry", bound=Weighed)


class UsedLast(Generic[Entry]):
    """What was used last of each campaign, up to a number of bytes; one entry is always kept."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._entries: OrderedDict[CampaignId, tuple[int, Entry]] = OrderedDict()
        self._bytes = 0

    def get(self, campaign_id: CampaignId) -> Entry | None:
        """An entry that is in memory, now the one used last."""
        found = self._entries.get(campaign_id)
        if found is None:
            return None
        self._entries.move_to_end(campaign_id)
        return found[1]

    def keep(self, campaign_id: CampaignId, entry: Entry) -> None:
        """Remember an entry, or notice that it grew, and forget those used longest ago."""
        weight = entry.weigh()
        found = self._entries.get(campaign_id)
        if found is not None and found[1] is entry and found[0] == weight:
            return  # as it was when it was got, and so became the one used last
        self.forget(campaign_id)
        self._entries[campaign_id] = (weight, entry)
        self._bytes += weight
        while self._bytes > self._bytes_max and len(self._entries) > 1:
            self.forget(next(iter(self._entries)))

    def campaigns(self) -> list[CampaignId]:
        """Which campaigns are in memory."""
        return list(self._entries)

    def forget(self, campaign_id: CampaignId) -> None:
        """Drop what is no longer wanted, or may no longer be true."""
        found = self._entries.pop(campaign_id, None)
        if found is not None:
            self._bytes -= found[0]


def folded(state: CampaignState, facts: Iterable[StoredEvent | StoredFact]) -> CampaignState:
    """The state after some more of the log, for deciding: nothing in it is hidden."""
    for fact in facts:
        state = evolve(state, decode_event(fact))
    return state


class HotCampaign:
    """One campaign's fold for deciding, its head, what it owes itself, and what others than GMs know of it.

    `seeds` are those of its open dice epoch; None: it has none, or they were sealed with another key.
    """

    def __init__(self, head: Head, state: CampaignState, kept: Sequence[KeptTimer] = ()) -> None:
        self.head = head
        self.state = state
        self.owing = Owing(kept)
        self.seeds: EpochSeeds | None = None
        self.knowledge = Knowledge()
        self._weight = 0
        self._weighed_until = 0

    def advance(self, row: StoredEvent, event: Any) -> None:
        """Let one more event have happened, before it is committed."""
        self.become(row, self.knowledge.advance(self.state, row.visibility, event))

    def become(self, row: StoredEvent, state: CampaignState) -> None:
        """Let the campaign stand at a row in this state, before it is committed."""
        self.state = state
        self.owing.moved_on()
        self.head = Head(row.seq, row.hash, row.recorded_at)

    def game_time_for(self, visibilities: Sequence[str]) -> int:
        """The campaign's time as those know it who know least of all who will read what has these visibilities."""
        known = (self.knowledge.of(readers(each), self.state) for each in visibilities)
        return min((each.game_time for each in known), default=self.state.game_time)

    def weigh(self) -> int:
        """Measured anew when it has outgrown what was measured."""
        if self.head.seq >= self._weighed_until:
            self._weight = weight_of(self.state, *self.knowledge.states)
            self._weighed_until = weighed_until(self.head.seq)
        return self._weight


HotCampaigns = UsedLast[HotCampaign]
