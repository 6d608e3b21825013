"""What matters when a play session of Angst is told again."""

from domain.systems.angst import events as e
from projections.emphasis import Chapter, Emphasis

QUIET = (
    e.TestCalled,
    e.TestCancelled,
    e.StoryPointsSpent,
    e.LifeExperienceRefreshed,
    e.DiceRerolled,
    e.PurgeOffered,
    e.SessionStarted,
    e.SceneStarted,
    e.CharacterAssigned,
)
"""A test is told by its roll and its end, a purchase by what was bought."""

MISSED_BY_FAR = 6
"""A test made exactly, or missed by this much, is one that people remember."""

WEIGHTS: tuple[tuple[tuple[type, ...], int], ...] = (
    ((e.CharacterDied, e.CharacterSpared), 7),
    ((e.CharacterRemovedFromScene,), 6),
    ((e.MilestoneReached,), 5),
    ((e.OpposedTestResolved, e.RelationshipGradeChanged, e.CharacterAdopted), 4),
    ((e.PositiveEventRecorded, e.AngstGained, e.AngstPurged), 3),
)
"""Lives first, then who fell, what the story reached, and how hearts changed."""


def weight(event: e.Event) -> int:
    """How much an event would be missed among the highlights."""
    if isinstance(event, e.TestResolved):
        margin = event.margin
        return 2 if margin is not None and (margin == 0 or margin <= -MISSED_BY_FAR) else 0
    return next((heavy for kinds, heavy in WEIGHTS if isinstance(event, kinds)), 0)


def quiet(event: e.Event) -> bool:
    """Whether another event tells more."""
    return isinstance(event, QUIET)


def chapter(event: e.Event) -> Chapter | None:  # noqa: ARG001 — scenes are known to every recap
    """Nothing larger than a scene."""
    return None


EMPHASIS = Emphasis(weight, quiet, chapter)
