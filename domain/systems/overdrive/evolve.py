"""From facts to state: which chapter lets which fact have happened."""

from typing import assert_never

from domain.systems.overdrive import (
    adoption,
    attacks,
    creation,
    defenses,
    duels,
    entrance,
    initiative,
    ledger,
    movement,
    outcomes,
    progression,
    reactions,
    relations,
    rolls,
    scenes,
    stabilisation,
    turns,
)
from domain.systems.overdrive import events as e
from domain.systems.overdrive.state import OverdriveState


def evolve(state: OverdriveState, event: e.Event) -> OverdriveState:
    """Apply one stored fact, in place. Never fails: what is missing is passed over."""
    _in_combat(state, event)
    return state


def _in_combat(state: OverdriveState, event: e.Event) -> None:  # noqa: PLR0915 — one line per event
    """The facts of a fight; the others happen below."""
    match event:
        case e.CombatStarted():
            initiative.combat_started(state, event)
            scenes.recoveries_lapse(state)
        case e.CombatJoined():
            initiative.combat_joined(state, event)
        case e.DamageTaken():
            stabilisation.damage_taken(state, event)
        case e.StabilisationRolled():
            stabilisation.stabilisation_rolled(state, event)
        case e.FatalModeEntered():
            stabilisation.fatal_mode_entered(state, event)
        case e.CharacterGravelyWounded():
            stabilisation.gravely_wounded(state, event)
        case e.ConfigurationLost() | e.WeaponDisabled():
            stabilisation.lost(state, event)
        case e.CharacterStayedInCombat() | e.CharacterStunned():
            stabilisation.stayed(state, event)
        case e.InitiativeSet():
            initiative.initiative_set(state, event)
        case e.TacticalPointsSpent():
            initiative.tactical_points_spent(state, event)
        case e.TurnsBegun():
            turns.turns_begun(state, event)
        case e.TurnDelayed():
            turns.turn_delayed(state, event)
        case e.TurnEnded():
            turns.turn_ended(state, event)
        case e.CombatTurnStarted():
            turns.combat_turn_started(state, event)
        case e.MovementPointsGained() | e.CoverDiceGained() | e.AdvantageDiceGained():
            movement.gained(state, event)
        case e.UnitMoved():
            movement.unit_moved(state, event)
        case e.ProtectionStarted():
            movement.protection_started(state, event)
        case e.CinematicActionUsed():
            attacks.cinematic_action_used(state, event)
        case e.WeaponCooling():
            attacks.weapon_cooling(state, event)
        case e.AttackResolved():
            defenses.attack_resolved(state, event)
        case e.UnitRecoiled():
            defenses.unit_recoiled(state, event)
        case e.CombatEnded():
            initiative.combat_ended(state, event)
        case e.MechDischarged() | e.MechRecharged():
            initiative.charged(state, event)
        case e.StateRestored():
            stabilisation.restored(state, event)
        case e.UnrechargedPenaltyApplied():
            pass  # told, but nothing is kept of it
        case _:
            _between_fights(state, event)


def _between_fights(state: OverdriveState, event: e.StoryEvent) -> None:
    match event:
        case e.CharacterCreated():
            creation.character_created(state, event)
        case e.CharacterAdopted():
            adoption.character_adopted(state, event)
        case e.CharacterAssigned():
            creation.assigned(state, event)
        case e.CharacterEntered() | e.MechEntered():
            entrance.evolve_entered(state, event)
        case e.MechCreated():
            creation.mech_created(state, event)
        case e.MechBoarded():
            creation.boarded(state, event)
        case e.MechLeft():
            creation.left(state, event)
        case e.InvocationAllowed():
            relations.invocation_allowed(state, event)
        case e.RelationInvoked():
            rolls.relation_invoked(state, event)
        case e.RelationStressed():
            relations.stressed(state, event)
        case e.RollMade():
            _roll_made(state, event)
        case e.CinematicTriggered():
            rolls.cinematic_triggered(state, event)
        case e.SuccessAdded():
            outcomes.success_added(state, event)
        case e.RollClosed():
            outcomes.roll_closed(state, event)
        case e.OverdriveGained():
            ledger.gained(state, event)
        case e.OverdriveSpent():
            ledger.spent(state, event)
        case e.OverdriveRetired():
            ledger.retired(state, event)
        case e.ConfigurationActivated():
            reactions.configuration_activated(state, event)
        case e.ReactionOffered():
            reactions.reaction_offered(state, event)
        case e.ReactionPlayed():
            reactions.reaction_played(state, event)
        case e.ReactionDeclined():
            reactions.reaction_declined(state, event)
        case e.QuestionAsked() | e.RevelationReached() | e.ObjectiveJudged() | e.ChapterEnded() | e.RecapTold():
            pass  # told, but nothing is kept of it
        case _:
            _with_time(state, event)


def _with_time(state: OverdriveState, event: e.LongEvent) -> None:
    """Relations, scenes, duels and progression."""
    match event:
        case e.RelationAdded():
            relations.added(state, event)
        case e.RelationRenamed():
            relations.renamed(state, event)
        case e.RelationStrengthened():
            relations.strengthened(state, event)
        case e.RelationBroken():
            relations.broken(state, event)
        case e.RelationRepaired():
            relations.repaired(state, event)
        case e.RelationTaskOpened():
            scenes.task_opened(state, event)
        case e.SceneOpened():
            scenes.opened(state, event)
        case e.SceneEnded():
            scenes.ended(state, event)
        case e.TacticalPointGained():
            scenes.tactical_point_gained(state, event)
        case e.RecoveryEarned():
            scenes.recovery_earned(state, event)
        case e.DamageRepaired():
            scenes.damage_repaired(state, event)
        case e.ConfigurationRestored():
            scenes.configuration_restored(state, event)
        case e.DuelOpened():
            duels.opened(state, event)
        case e.DuelSideRolled():
            duels.side_rolled(state, event)
        case e.DuelStarted():
            duels.started(state, event)
        case e.DuelRaised():
            duels.raised(state, event)
        case e.DuelLost():
            duels.lost(state, event)
        case e.TraitAdvanced():
            progression.trait_advanced(state, event)
        case e.ObjectiveTaken():
            progression.objective_taken(state, event)
        case e.ObjectiveSessionPassed():
            progression.objective_session_passed(state, event)
        case e.ObjectivePaid():
            progression.objective_paid(state, event)
        case _:
            assert_never(event)


def _roll_made(state: OverdriveState, event: e.RollMade) -> None:
    """A roll matters to whatever it was for."""
    outcomes.roll_made(state, event)
    scenes.scene_rolled(state, event)
    movement.movement_rolled(state, event)
    attacks.attack_rolled(state, event)
    defenses.defense_rolled(state, event)
