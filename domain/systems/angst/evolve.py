"""From facts to state: which chapter lets which fact have happened."""

from typing import assert_never

from domain.systems.angst import (
    adoption,
    angst_tests,
    creation,
    crucial,
    entrance,
    ledger,
    open_tests,
    outcomes,
    recovery,
    scenes,
    spends,
    story,
    test_calls,
)
from domain.systems.angst import events as e
from domain.systems.angst.state import Angst


def evolve(state: Angst, event: e.Event) -> Angst:  # noqa: PLR0915 — one line per event
    """Apply one stored fact, in place. Never fails: what is missing is passed over."""
    match event:
        case e.AngstTypesDefined():
            creation.types_defined(state, event)
        case e.CharacterCreated():
            creation.character_created(state, event)
        case e.CharacterAdopted():
            adoption.character_adopted(state, event)
        case e.CharacterEntered():
            entrance.evolve_entered(state, event)
        case e.CharacterAssigned():
            creation.character_assigned(state, event)
        case e.RelationshipGradeChanged():
            story.relationship_changed(state, event)
        case e.SessionStarted():
            scenes.session_started(state, event)
        case e.LifeExperienceRefreshed():
            ledger.refreshed(state, event)
        case e.SceneStarted():
            scenes.scene_started(state, event)
        case e.SceneEnded():
            scenes.scene_ended(state, event)
        case e.TestCalled():
            test_calls.test_called(state, event)
        case e.TestCancelled():
            open_tests.test_cancelled(state, event)
        case e.StoryPointsSpent():
            ledger.spent(state, event)
        case e.StoryPointEarned():
            ledger.earned(state, event)
        case e.AngstTapped():
            test_calls.angst_tapped(state, event)
        case e.TestRolled():
            test_calls.test_rolled(state, event)
        case e.DiceRerolled():
            spends.dice_rerolled(state, event)
        case e.LifeExperienceSpent():
            ledger.life_experience_spent(state, event)
        case e.TestResolved():
            open_tests.test_resolved(state, event)
        case e.OpposedTestResolved():
            open_tests.opposed_resolved(state, event)
        case e.CoreReduced():
            crucial.core_reduced(state, event)
        case e.CharacterRemovedFromScene():
            crucial.removed(state, event)
        case e.CharacterDied():
            crucial.died(state, event)
        case e.CharacterSpared():
            crucial.spared(state, event)
        case e.CoreRecovered():
            recovery.recovered(state, event)
        case e.CoreAdjusted():
            recovery.adjusted(state, event)
        case e.AngstGained() | e.AngstPurged():
            outcomes.angst_changed(state, event)
        case e.ComfortUsed():
            angst_tests.comfort_used(state, event)
        case e.PurgeOffered():
            outcomes.purge_offered(state, event)
        case e.MilestoneReached() | e.PositiveEventRecorded():
            pass  # told, but nothing is kept of them
        case _:
            assert_never(event)
    return state
