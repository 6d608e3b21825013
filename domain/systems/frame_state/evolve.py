"""Applies events: the rules module for each type of event."""

from domain.mechanics.dispatch import Evolve, each_of, only_told
from domain.systems.frame_state import (
    advancement,
    catalogue,
    character_import,
    creation,
    entrance,
    frame_loss,
    ledger,
    missions,
    point_buy,
    table_seats,
    test_calls,
)
from domain.systems.frame_state import events as e
from domain.systems.frame_state.frame_replacement_events import FrameReplacementAsked, FrameReplacementDeclined
from domain.systems.frame_state.state import FrameState


def _awarded(state: FrameState, event: e.CurrencyAwarded) -> None:
    ledger.awarded(state, event)
    missions.payout_posted(state, event)


EVOLVE: Evolve[FrameState] = {
    e.TestCalled: test_calls.test_called,
    e.TestResolved: test_calls.test_resolved,
    e.CurrencyAwarded: _awarded,
    e.TestProposed: test_calls.test_proposed,
    e.TestCancelled: test_calls.test_cancelled,
    e.CatalogueDefined: catalogue.defined,
    e.RoleAssigned: table_seats.seated,
    e.PilotCreated: creation.pilot_created,
    e.PilotAdopted: character_import.pilot_adopted,
    **entrance.EVOLVE,
    e.PilotAssigned: creation.pilot_assigned,
    e.UnitCreated: creation.unit_created,
    e.FrameCreated: creation.frame_created,
    e.FrameLost: frame_loss.frame_lost,
    FrameReplacementAsked: frame_loss.replacement_asked,
    FrameReplacementDeclined: frame_loss.replacement_declined,
    e.FrameReplaced: frame_loss.frame_replaced,
    e.SalvageCredited: frame_loss.salvage_credited,
    e.PointAllocated: point_buy.point_allocated,
    e.PointLost: point_buy.point_lost,
    e.PointGranted: point_buy.point_granted,
    e.CategoryAdvanced: advancement.category_advanced,
    e.UpgradeCostRecorded: advancement.upgrade_cost_recorded,
    e.ExperimentalInstalled: point_buy.experimental_installed,
    e.MissionStarted: missions.mission_started,
    e.MissionConcluded: missions.mission_concluded,
    e.CurrencyMoved: ledger.change_balance,
    e.CurrencyCharged: ledger.charged,
    e.CurrencySpent: ledger.spent,
    **each_of(e.SessionStarted | e.ConsequenceNarrated, only_told),
}


def evolve(state: FrameState, event: e.Event) -> FrameState:
    """Apply one stored event, in place. Never fails: an event about a missing thing changes nothing."""
    EVOLVE[type(event)](state, event)
    return state
