"""Things that may be hidden in Frame State. The end of a test or a mission that others know of is open."""

from typing import Any

from domain.hideable_commands import ALWAYS, NEVER, WITH_SUBJECT, Hiding, ending, unless
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.state import FrameState

HIDING: dict[type, Hiding] = {
    c.DefineCatalogue: NEVER,
    c.AssignRole: NEVER,
    c.CreatePilot: ALWAYS,
    c.CreateUnit: ALWAYS,
    c.AllocatePoint: ALWAYS,
    c.ProposeTest: ALWAYS,
    c.CallTest: unless("proposal"),
    c.RollTest: WITH_SUBJECT,
    c.CancelTest: WITH_SUBJECT,
    c.NarrateConsequence: ALWAYS,
    c.StartMission: ALWAYS,
    c.ConcludeMission: ending("mission_id"),
    c.PostPayout: ending("mission_id"),
    c.AwardCurrency: ALWAYS,
    c.ChargeCurrency: ALWAYS,
    c.AdvanceCategory: ALWAYS,
    c.Refit: ALWAYS,
    c.InstallExperimental: ALWAYS,
    c.LoseFrame: ALWAYS,
    c.ReplaceFrame: ALWAYS,
    c.SalvageFrame: ALWAYS,
}


def meant_ids(state: FrameState, command: Any) -> list[str]:
    """The tests or missions that a command without an id may mean."""
    match command:
        case c.RollTest(test_id=None):
            return [test.test_id for test in state.tests]
        case c.CancelTest(test_id=None):
            return [
                *(test.test_id for test in state.tests),
                *(proposal.proposal_id for proposal in state.proposals),
            ]
        case c.ConcludeMission(mission_id=None):
            return [mission.mission_id for mission in state.missions if mission.state == "running"]
        case _:
            return []
