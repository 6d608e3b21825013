"""How much the events of Angst matter in a recap."""

from domain.systems.angst import events as e
from projections.recap_weights import QUIET, Emphasis, of

MISSED_BY_FAR = 6
"""A test made exactly, or missed by this much, is memorable."""


def _test(event: e.TestResolved) -> int:
    margin = event.margin
    return 2 if margin is not None and (margin == 0 or margin <= -MISSED_BY_FAR) else 0


EMPHASIS = Emphasis(
    {
        7: (e.CharacterDied, e.CharacterSpared),
        6: (e.CharacterRemovedFromScene,),
        5: (e.MilestoneReached,),
        4: (e.OpposedTestResolved, e.RelationshipGradeChanged, e.CharacterAdopted),
        3: (e.PositiveEventRecorded, e.AngstGained, e.AngstPurged),
        QUIET: (
            e.TestCalled,
            e.TestCancelled,
            e.StoryPointsSpent,
            e.LifeExperienceRefreshed,
            e.DiceRerolled,
            e.PurgeOffered,
            e.SessionStarted,
            e.SceneStarted,
            e.CharacterAssigned,
        ),
    },
    (of(e.TestResolved, _test),),
)
"""Deaths first, then who collapsed, milestones, and changed relationships.

A test is told by its roll and its end, a purchase by what was bought.
"""
