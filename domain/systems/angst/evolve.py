"""Applies events: the rules module for each type of event."""

from domain.mechanics.dispatch import Evolve, each_of, only_told
from domain.systems.angst import (
    angst_tests,
    character_import,
    creation,
    crucial_tests,
    entrance,
    open_tests,
    outcomes,
    recovery,
    scenes,
    spendables,
    spends,
    story_effects,
    test_calls,
)
from domain.systems.angst import events as e
from domain.systems.angst.state import Angst

EVOLVE: Evolve[Angst] = {
    e.AngstTypesDefined: creation.types_defined,
    e.CharacterCreated: creation.character_created,
    e.CharacterAdopted: character_import.character_adopted,
    e.CharacterEntered: entrance.evolve_entered,
    e.CharacterAssigned: creation.character_assigned,
    e.RelationshipGradeChanged: story_effects.relationship_changed,
    e.SessionStarted: scenes.session_started,
    e.LifeExperienceRefreshed: spendables.refreshed,
    e.SceneStarted: scenes.scene_started,
    e.SceneEnded: scenes.scene_ended,
    e.TestCalled: test_calls.test_called,
    e.TestCancelled: open_tests.test_cancelled,
    e.StoryPointsSpent: spendables.spent,
    e.StoryPointEarned: spendables.earned,
    e.AngstTapped: test_calls.angst_tapped,
    e.TestRolled: test_calls.test_rolled,
    e.DiceRerolled: spends.dice_rerolled,
    e.LifeExperienceSpent: spendables.life_experience_spent,
    e.TestResolved: open_tests.test_resolved,
    e.OpposedTestResolved: open_tests.opposed_resolved,
    e.CoreReduced: crucial_tests.core_reduced,
    e.CharacterRemovedFromScene: crucial_tests.removed,
    e.CharacterDied: crucial_tests.died,
    e.CharacterSpared: crucial_tests.spared,
    e.CoreRecovered: recovery.recovered,
    e.CoreAdjusted: recovery.adjusted,
    **each_of(e.AngstGained | e.AngstPurged, outcomes.angst_changed),
    e.ComfortUsed: angst_tests.comfort_used,
    e.PurgeOffered: outcomes.purge_offered,
    **each_of(e.MilestoneReached | e.PositiveEventRecorded, only_told),
}


def evolve(state: Angst, event: e.Event) -> Angst:
    """Apply one stored event, in place. Never fails: an event about a missing thing changes nothing."""
    EVOLVE[type(event)](state, event)
    return state
