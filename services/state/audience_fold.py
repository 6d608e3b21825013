"""Folding rows of the event store into the state that one audience knows."""

from collections.abc import Collection, Iterable

from domain.campaign.evolve import evolve, evolve_all, evolve_undone
from domain.campaign.secrecy.audience import Audience, seen_by
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event, recorded
from domain.campaign.storage.snapshot import FORM, thaw
from domain.event_store_types import StoredEvent, StoredFact
from domain.ids import ActionId
from domain.projection_types import StoredFold
from domain.recorded_event import Recorded


def fold(
    state: CampaignState,
    audience: Audience,
    rows: Iterable[StoredEvent],
    undone: Collection[ActionId] = (),
    revealed: Collection[ActionId] = (),
) -> CampaignState:
    """The state after rows, as `fold_event` folds each of them."""
    for row in rows:
        state = fold_event(state, audience, recorded(row), undone, revealed)
    return state


def fold_event(
    state: CampaignState,
    audience: Audience,
    record: Recorded,
    undone: Collection[ActionId] = (),
    revealed: Collection[ActionId] = (),
) -> CampaignState:
    """The state after one event as an audience may see it; of actions that are undone only the dice count.

    `revealed` are the actions that were hidden and are open to everybody.
    """
    happens = evolve_undone if record.action_id in undone else evolve
    return happens(state, seen_by(audience, record, revealed).event)


def decode_fold(stored: StoredFold | None) -> tuple[int, CampaignState]:
    """The seq and state of a stored fold; the beginning, where there is none that this code can read."""
    if stored is None or stored.form != FORM:
        return 0, CampaignState()
    return stored.seq, thaw(stored.content)


def fold_facts(state: CampaignState, facts: Iterable[StoredEvent | StoredFact]) -> CampaignState:
    """The state after some more of the log, for deciding: nothing in it is hidden."""
    return evolve_all(state, map(decode_event, facts))
