"""How much the events of Frame State matter in a recap."""

from domain.sentences import say
from domain.systems.frame_state import events as e
from domain.systems.frame_state.frame_replacement_events import FrameReplacementAsked, FrameReplacementDeclined
from projections.recap_weights import QUIET, Chapter, Emphasis, of

EMPHASIS = Emphasis(
    {
        6: (e.FrameLost,),
        4: (e.FrameReplaced, e.PilotAdopted),
        3: (e.MissionConcluded,),
        1: (e.ExperimentalInstalled, e.SalvageCredited),
        QUIET: (
            e.TestProposed,
            e.TestCalled,
            e.TestCancelled,
            FrameReplacementAsked,
            FrameReplacementDeclined,
            e.UpgradeCostRecorded,
            e.PointGranted,
            e.SessionStarted,
            e.RoleAssigned,
            e.CurrencySpent,
        ),
    },
    weighs=(
        of(e.TestResolved, lambda event: 5 if event.outcome in ("critical", "fumble") else 0),
        of(e.CurrencyAwarded, lambda event: 0 if event.mission_id is None else 2),
    ),
    chapters=(
        of(
            e.MissionStarted,
            lambda event: Chapter(event.mission_id, say("Mission “{mission}”", mission=event.name), opens=True),
        ),
        of(e.MissionConcluded, lambda event: Chapter(event.mission_id, "", opens=False)),
    ),
)
"""Losses first, then extreme dice, then new machines, missions and pay.

A test is told by its roll, a purchase by what was bought.
"""
