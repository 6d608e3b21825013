"""Folding rows of the event store into the state that one audience knows."""

from collections.abc import Collection, Iterable

from domain.campaign.dice.epochs import keep_struck
from domain.campaign.evolve import evolve
from domain.campaign.secrecy.audience import Audience, seen_by
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event, recorded
from domain.campaign.storage.snapshot import FORM, thaw
from domain.event_store_types import StoredEvent, StoredFact
from domain.ids import ActionId
from domain.projection_types import StoredFold


def fold(
    state: CampaignState,
    audience: Audience,
    rows: Collection[StoredEvent],
    struck: Collection[ActionId],
    revealed: Collection[ActionId],
) -> CampaignState:
    """Fold rows as an audience may see them; of actions that are struck only the dice count."""
    for row in rows:
        happens = keep_struck if row.action_id in struck else evolve
        state = happens(state, seen_by(audience, recorded(row), revealed).event)
    return state


def restored(stored: StoredFold | None) -> tuple[int, CampaignState]:
    """The seq and state of a stored fold; the beginning, where there is none that this code can read."""
    if stored is None or stored.form != FORM:
        return 0, CampaignState()
    return stored.seq, thaw(stored.content)


def folded(state: CampaignState, facts: Iterable[StoredEvent | StoredFact]) -> CampaignState:
    """The state after some more of the log, for deciding: nothing in it is hidden."""
    for fact in facts:
        state = evolve(state, decode_event(fact))
    return state
