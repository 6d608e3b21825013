"""How much the events of Mobile Frame matter in a recap."""

from domain.sentences import say
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.entrance_events import FrameEntered
from projections.recap_weights import QUIET, Chapter, Emphasis, of

BATTLE = "mobile-frame-battle"

EMPHASIS = Emphasis(
    {
        7: (e.BattleEnded,),
        6: (a.FrameDestroyed,),
        5: (e.ExtraRoundGranted,),
        4: (e.StationCaptured, FrameEntered),
        3: (a.StationAbandoned,),
        2: (a.CoverDestroyed,),
        1: (e.BattleStarted,),
        QUIET: (
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
        ),
    },
    chapters=(
        of(e.BattleStarted, lambda _: Chapter(BATTLE, say("Battle"), opens=True)),
        of(e.BattleEnded, lambda _: Chapter(BATTLE, "", opens=False)),
    ),
)
"""The end of a battle, destroyed frames, captured stations, ambushes, then withdrawals and destroyed cover.

An attack is told by what it did, a turn by its moves.
"""
