"""Folds rows of the event store into the state that one audience knows."""

from collections.abc import Collection, Iterable

from domain.campaign.evolve import evolve, evolve_all, evolve_undone
from domain.campaign.secrecy.audience import Audience, seen_by
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event, recorded
from domain.campaign.storage.snapshot import FORM, decode_state
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
    """The state after one event as an audience may see it; only the dice of undone actions count.

    `revealed` are the actions that were hidden and are open to everyone.
    """
    happens = evolve_undone if record.action_id in undone else evolve
    return happens(state, seen_by(audience, record, revealed).event)


def decode_fold(stored: StoredFold | None) -> tuple[int, CampaignState]:
    """The seq and state of a stored fold; those of an empty campaign if there is none in this format."""
    if stored is None or stored.form != FORM:
        return 0, CampaignState()
    return stored.seq, decode_state(stored.content)


def fold_facts(state: CampaignState, facts: Iterable[StoredEvent | StoredFact]) -> CampaignState:
    """The state after more events, for deciding: as GMs know it, unredacted."""
    return evolve_all(state, map(decode_event, facts))
