"""Folds rows of the event store into the state that one audience knows."""

from collections.abc import Collection, Iterable

from domain.campaign.evolve import evolve, evolve_all, evolve_undone
from domain.campaign.secrecy.audience import Audience, redacted_for
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event, record_of
from domain.campaign.storage.snapshot import FORM, decode_state
from domain.event_store_types import StoredEvent, StoredFact
from domain.ids import ActionId
from domain.recorded_event import RecordedEvent
from domain.stored_view_types import StoredFold


def fold(
    state: CampaignState,
    audience: Audience,
    rows: Iterable[StoredEvent],
    undone_ids: Collection[ActionId] = (),
    revealed_ids: Collection[ActionId] = (),
) -> CampaignState:
    """The state after rows, as `fold_event` folds each of them."""
    for row in rows:
        state = fold_event(state, audience, record_of(row), undone_ids, revealed_ids)
    return state


def fold_event(
    state: CampaignState,
    audience: Audience,
    record: RecordedEvent,
    undone_ids: Collection[ActionId] = (),
    revealed_ids: Collection[ActionId] = (),
) -> CampaignState:
    """The state after one event as an audience may see it; only the dice of undone actions count.

    `revealed_ids` are the actions that were hidden and are open to everyone.
    """
    happens = evolve_undone if record.action_id in undone_ids else evolve
    return happens(state, redacted_for(audience, record, revealed_ids).event)


def decode_fold(stored_fold: StoredFold | None) -> tuple[int, CampaignState]:
    """The seq and state of a stored fold; those of an empty campaign if there is none in this format."""
    if stored_fold is None or stored_fold.form != FORM:
        return 0, CampaignState()
    return stored_fold.seq, decode_state(stored_fold.content)


def fold_facts(state: CampaignState, facts: Iterable[StoredEvent | StoredFact]) -> CampaignState:
    """The state after more events, for deciding: as GMs know it, unredacted."""
    return evolve_all(state, map(decode_event, facts))
