"""Since when a campaign has waited for answers without a gap, by the actions that one audience may read."""

from collections.abc import Iterable

from msgspec import Struct

from domain.campaign.pending_choices import pending
from domain.campaign.state import CampaignState
from domain.event_store_types import StoredEvent
from domain.ids import ActionId

Thing = tuple[str, str]
"""The kind and the subject of a pending choice."""


class Waits(Struct):
    """All that waits at `seq`.

    In the middle of an action, an answer and a new question in it leave no gap in the wait.
    """

    seq: int
    since: dict[Thing, int]
    """The first seq of the action since which each thing waits; 0: it waited at the seq where this began."""
    before: dict[Thing, int] = {}
    """The things that waited before the action in the middle of which this is."""
    first_seq: int = 0
    """The first of that action."""
    action_id: ActionId | None = None

    @classmethod
    def beginning(cls, state: CampaignState, seq: int) -> "Waits":
        """Where to follow from."""
        return cls(seq, dict.fromkeys(waiting_in(state), 0))

    def follow(self, state: CampaignState, row: StoredEvent) -> None:
        """The next event led to this state. Those who hold `since` keep it as it was."""
        if row.action_id != self.action_id:
            self.before, self.first_seq, self.action_id = self.since, row.seq, row.action_id
        self.since = {thing: self.before.get(thing, self.first_seq) for thing in waiting_in(state)}
        self.seq = row.seq

    def until(self, seq: int) -> "Waits":
        """The waits up to a seq, where all that came after it is told otherwise."""
        if seq >= self.seq:
            return self
        return Waits(seq, {thing: since for thing, since in self.since.items() if since <= seq})


def waiting_in(state: CampaignState) -> Iterable[Thing]:
    """All that a campaign waits for in a state."""
    return ((choice.kind, choice.subject) for choice in pending(state))
