"""What matters when a play session of Frame State is told again."""

from domain.sentences import say
from domain.systems.frame_state import events as e
from domain.systems.frame_state.wish_events import FrameReplacementAsked, FrameReplacementDeclined
from projections.emphasis import Chapter, Emphasis

QUIET = (
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
)
"""A test is told by its roll, a purchase by what was bought."""


def weight(event: e.Event) -> int:  # noqa: PLR0911 — one line per weight
    """Losses first, then what dice did at their extremes, then new machines, missions and pay."""
    match event:
        case e.FrameLost():
            return 6
        case e.TestResolved() if event.outcome in ("critical", "fumble"):
            return 5
        case e.FrameReplaced() | e.PilotAdopted():
            return 4
        case e.MissionConcluded():
            return 3
        case e.CurrencyAwarded() if event.mission_id is not None:
            return 2
        case e.ExperimentalInstalled() | e.SalvageCredited():
            return 1
        case _:
            return 0


def quiet(event: e.Event) -> bool:
    """Whether another event tells more."""
    return isinstance(event, QUIET)


def chapter(event: e.Event) -> Chapter | None:
    """Missions are the larger parts of a session."""
    match event:
        case e.MissionStarted():
            return Chapter(event.mission_id, say("Mission “{mission}”", mission=event.name), opens=True)
        case e.MissionConcluded():
            return Chapter(event.mission_id, "", opens=False)
        case _:
            return None


EMPHASIS = Emphasis(weight, quiet, chapter)
