"""Campaigns kept folded in memory for deciding, bounded by their size.

What is kept may run ahead of the database by what is being committed just now, and may lag behind what
another process wrote. Neither does harm: every append names the head it was decided on, and a refusal
is confirmed against the database before anybody hears it.
"""

from collections import OrderedDict
from typing import Any

import msgspec

from domain.campaign.codec import decode_event
from domain.campaign.evolve import evolve
from domain.campaign.state import CampaignState
from domain.ids import CampaignId
from domain.stored import Head, StoredEvent

WEIGH_AGAIN_EVENTS = 256
MEMORY_PER_JSON_BYTE = 6
"""Measured: a state's Python objects take four to six times the bytes of its JSON."""


class HotCampaign:
    """One campaign's fold and the head it stands at."""

    def __init__(self, head: Head, state: CampaignState) -> None:
        self.head = head
        self.state = state
        self.weight = 0
        self._events_since_weighed = WEIGH_AGAIN_EVENTS

    @classmethod
    def folded(cls, head: Head, rows: list[StoredEvent]) -> "HotCampaign":
        """A campaign from all its events."""
        state = CampaignState()
        for row in rows:
            state = evolve(state, decode_event(row))
        return cls(head, state)

    def advance(self, row: StoredEvent, event: Any) -> None:
        """Let one more event have happened, before it is committed."""
        self.state = evolve(self.state, event)
        self.head = Head(seq=row.seq, hash=row.hash, recorded_at=row.recorded_at)
        self._events_since_weighed += 1

    def weigh(self) -> int:
        """About how many bytes of memory this takes; measured anew now and then."""
        if self._events_since_weighed >= WEIGH_AGAIN_EVENTS:
            self.weight = MEMORY_PER_JSON_BYTE * len(msgspec.json.encode(self.state))
            self._events_since_weighed = 0
        return self.weight


class HotCampaigns:
    """The campaigns used last, up to a number of bytes; one is always kept."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._campaigns: OrderedDict[CampaignId, HotCampaign] = OrderedDict()
        self._bytes = 0

    def get(self, campaign_id: CampaignId) -> HotCampaign | None:
        """A campaign that is in memory, now the one used last."""
        campaign = self._campaigns.get(campaign_id)
        if campaign is not None:
            self._campaigns.move_to_end(campaign_id)
        return campaign

    def keep(self, campaign_id: CampaignId, campaign: HotCampaign) -> None:
        """Remember a campaign, or notice that it grew, and forget those used longest ago."""
        self._bytes -= campaign.weight if campaign_id in self._campaigns else 0
        self._campaigns[campaign_id] = campaign
        self._campaigns.move_to_end(campaign_id)
        self._bytes += campaign.weigh()
        while self._bytes > self._bytes_max and len(self._campaigns) > 1:
            _, forgotten = self._campaigns.popitem(last=False)
            self._bytes -= forgotten.weight

    def forget(self, campaign_id: CampaignId) -> None:
        """Drop what may no longer be true."""
        campaign = self._campaigns.pop(campaign_id, None)
        if campaign is not None:
            self._bytes -= campaign.weight
