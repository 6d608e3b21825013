"""From facts to state: which chapter lets which fact have happened."""

from typing import assert_never

from domain.systems.frame_state import (
    adoption,
    advancement,
    catalogue,
    creation,
    entrance,
    frames,
    ledger,
    missions,
    point_buy,
    seats,
    test_calls,
)
from domain.systems.frame_state import events as e
from domain.systems.frame_state.entered_events import FrameEntered, PilotEntered, UnitEntered
from domain.systems.frame_state.state import FrameState
from domain.systems.frame_state.wish_events import FrameReplacementAsked, FrameReplacementDeclined


def evolve(state: FrameState, event: e.Event) -> FrameState:  # noqa: PLR0915 — one line per event
    """Apply one stored fact, in place. Never fails: what is missing is passed over."""
    match event:
        # Cases are tried from the top, and most of a campaign are its tests and awards.
        case e.TestCalled():
            test_calls.test_called(state, event)
        case e.TestResolved():
            test_calls.test_resolved(state, event)
        case e.CurrencyAwarded():
            ledger.awarded(state, event)
            missions.payout_posted(state, event)
        case e.TestProposed():
            test_calls.test_proposed(state, event)
        case e.TestCancelled():
            test_calls.test_cancelled(state, event)
        case e.CatalogueDefined():
            catalogue.defined(state, event)
        case e.RoleAssigned():
            seats.seated(state, event)
        case e.PilotCreated():
            creation.pilot_created(state, event)
        case e.PilotAdopted():
            adoption.pilot_adopted(state, event)
        case PilotEntered() | FrameEntered() | UnitEntered():
            entrance.evolve_entered(state, event)
        case e.PilotAssigned():
            creation.pilot_assigned(state, event)
        case e.UnitCreated():
            creation.unit_created(state, event)
        case e.FrameCreated():
            creation.frame_created(state, event)
        case e.FrameLost():
            frames.frame_lost(state, event)
        case FrameReplacementAsked():
            frames.replacement_asked(state, event)
        case FrameReplacementDeclined():
            frames.replacement_declined(state, event)
        case e.FrameReplaced():
            frames.frame_replaced(state, event)
        case e.SalvageCredited():
            frames.salvage_credited(state, event)
        case e.PointAllocated():
            point_buy.point_allocated(state, event)
        case e.PointLost():
            point_buy.point_lost(state, event)
        case e.CategoryAdvanced():
            advancement.category_advanced(state, event)
        case e.UpgradeCostRecorded():
            advancement.upgrade_cost_recorded(state, event)
        case e.ExperimentalInstalled():
            point_buy.experimental_installed(state, event)
        case e.MissionStarted():
            missions.mission_started(state, event)
        case e.MissionConcluded():
            missions.mission_concluded(state, event)
        case e.CurrencyMoved():
            ledger.moved(state, event)
        case e.CurrencyCharged():
            ledger.charged(state, event)
        case e.CurrencySpent():
            ledger.spent(state, event)
        case e.SessionStarted() | e.PointGranted() | e.ConsequenceNarrated():
            pass  # told, but nothing is kept of them
        case _:
            assert_never(event)
    return state
