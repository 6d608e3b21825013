"""What matters when a battle of Mobile Frame is told again."""

from domain.sentences import say
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.entered_events import FrameEntered
from projections.emphasis import Chapter, Emphasis

QUIET = (
    e.StationMeasured,
    e.TacticalOrderSet,
    e.TurnPassed,
    e.TurnEnded,
    e.TurnResumed,
    e.TargetDeclared,
    e.DicepoolRolled,
    e.DieAssigned,
    e.LeftoverDiceDiscarded,
    a.SituationNamed,
    a.ChoicePending,
)
"""An attack is told by what it did, a turn by its moves."""

BATTLE = "mobile-frame-battle"


WEIGHTS: dict[type, int] = {
    e.BattleEnded: 7,
    a.FrameDestroyed: 6,
    e.ExtraRoundGranted: 5,
    e.StationCaptured: 4,
    FrameEntered: 4,
    a.StationAbandoned: 3,
    a.CoverDestroyed: 2,
    e.BattleStarted: 1,
}
"""The end of a battle, frames destroyed, stations taken, ambushes, then ground given up and cover razed."""


def weight(event: e.Event) -> int:
    """How much a recap would miss it."""
    return WEIGHTS.get(type(event), 0)


def quiet(event: e.Event) -> bool:
    """Whether another event tells more."""
    return isinstance(event, QUIET)


def chapter(event: e.Event) -> Chapter | None:
    """A battle is the larger part of a session."""
    match event:
        case e.BattleStarted():
            return Chapter(BATTLE, say("Battle"), opens=True)
        case e.BattleEnded():
            return Chapter(BATTLE, "", opens=False)
        case _:
            return None


EMPHASIS = Emphasis(weight, quiet, chapter)
