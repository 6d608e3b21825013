"""A cache of campaigns, bounded by size in bytes."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import msgspec

from domain.campaign.state import CampaignState
from domain.ids import CampaignId

SNAPSHOT_EVERY_EVENTS = 128
"""The distance of two snapshots in events, and so how many are folded again after a lost race."""


MEMORY_PER_JSON_BYTE = 6
"""Measured: a state's Python objects take four to six times the bytes of its JSON."""


def measured_until(seq: int) -> int:
    """The seq at which a size measured now is measured again: some hundred events later, or doubled.

    A new campaign is tiny when first measured, and has most of its characters a hundred events later.
    """
    return min(2 * seq, seq + SNAPSHOT_EVERY_EVENTS)


def size_of(*states: CampaignState) -> int:
    """Approximate bytes of memory of these states."""
    return MEMORY_PER_JSON_BYTE * sum(len(msgspec.json.encode(state)) for state in states)


class HasSize(Protocol):
    """A cache entry with a size."""

    def size(self) -> int:
        """Approximate bytes; an expensive measurement may be cached."""
        ...


Entry = TypeVar("Entry", bound=HasSize)


class _SizedEntry(Generic[Entry]):
    """An entry with its last known size."""

    __slots__ = ("entry", "size")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.size = 0


class LruCache(Generic[Entry]):
    """The most recently used entries by campaign, up to a number of bytes; one entry always stays.

    Entries that are in use (`is_pinned`) stay, however large they are.
    """

    def __init__(self, bytes_max: int) -> None:
        self.is_pinned: Callable[[CampaignId], bool] = lambda _: False
        self._bytes_max = bytes_max
        self._entries: OrderedDict[CampaignId, _SizedEntry[Entry]] = OrderedDict()
        self._bytes = 0

    def get(self, campaign_id: CampaignId) -> Entry | None:
        """A cached entry, marked as used."""
        slot = self._entries.get(campaign_id)
        if slot is None:
            return None
        self._entries.move_to_end(campaign_id)
        return slot.entry

    def peek(self, campaign_id: CampaignId) -> Entry | None:
        """A cached entry, whose place among the used ones stays."""
        slot = self._entries.get(campaign_id)
        return None if slot is None else slot.entry

    def holds(self, campaign_id: CampaignId, entry: Entry) -> bool:
        """Whether this very entry is cached."""
        slot = self._entries.get(campaign_id)
        return slot is not None and slot.entry is entry

    def keep(self, campaign_id: CampaignId, entry: Entry) -> None:
        """Add an entry, or update its size, and evict the least recently used ones."""
        if not self.resize(campaign_id, entry):
            self.evict(campaign_id)
            self._entries[campaign_id] = _SizedEntry(entry)
            self.resize(campaign_id, entry)

    def resize(self, campaign_id: CampaignId, entry: Entry) -> bool:
        """Update the size of an entry that was just got; False: it is not cached."""
        slot = self._entries.get(campaign_id)
        if slot is None or slot.entry is not entry:
            return False
        size = entry.size()
        self._bytes += size - slot.size
        slot.size = size
        if self._bytes > self._bytes_max:
            self._evict()
        return True

    def _evict(self) -> None:
        for campaign_id in [*self._entries][:-1]:
            if self._bytes <= self._bytes_max:
                return
            if not self.is_pinned(campaign_id):
                self.evict(campaign_id)

    def campaigns(self) -> list[CampaignId]:
        """The cached campaigns."""
        return list(self._entries)

    def evict(self, campaign_id: CampaignId) -> None:
        """Drop an entry that is not needed, or may be wrong."""
        slot = self._entries.pop(campaign_id, None)
        if slot is not None:
            self._bytes -= slot.size
