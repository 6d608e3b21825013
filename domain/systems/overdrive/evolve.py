"""Applies events: the rules module for each type of event."""

from domain.mechanics.dispatch import Evolve, each_of, only_told
from domain.systems.overdrive import (
    attacks,
    character_import,
    configurations_and_reactions,
    creation,
    defenses,
    duels,
    entrance,
    gm_questions,
    initiative,
    ledger,
    movement,
    outcomes,
    progression,
    relations,
    rolls,
    scenes,
    stabilisation,
    turns,
)
from domain.systems.overdrive import events as e
from domain.systems.overdrive.state import OverdriveState


def _combat_started(state: OverdriveState, event: e.CombatStarted) -> None:
    initiative.combat_started(state, event)
    scenes.recoveries_lapse(state)


def _roll_made(state: OverdriveState, event: e.RollMade) -> None:
    """Apply a roll to its purpose."""
    rolls.given_dice_used(state, event)
    outcomes.roll_made(state, event)
    scenes.scene_rolled(state, event)
    movement.movement_rolled(state, event)
    attacks.attack_rolled(state, event)
    defenses.defense_rolled(state, event)


EVOLVE: Evolve[OverdriveState] = {
    e.CombatStarted: _combat_started,
    e.CombatJoined: initiative.combat_joined,
    e.DamageTaken: stabilisation.damage_taken,
    e.StabilisationRolled: stabilisation.stabilisation_rolled,
    e.FatalModeEntered: stabilisation.fatal_mode_entered,
    e.CharacterGravelyWounded: stabilisation.gravely_wounded,
    **each_of(e.ConfigurationLost | e.WeaponDisabled, stabilisation.lost),
    **each_of(e.CharacterStayedInCombat | e.CharacterStunned, stabilisation.stayed),
    e.InitiativeSet: initiative.initiative_set,
    e.TacticalPointsSpent: initiative.tactical_points_spent,
    e.TurnsBegun: turns.turns_begun,
    e.TurnDelayed: turns.turn_delayed,
    e.TurnEnded: turns.turn_ended,
    e.CombatTurnStarted: turns.combat_turn_started,
    **each_of(e.MovementPointsGained | e.CoverDiceGained | e.AdvantageDiceGained, movement.gained),
    e.UnitMoved: movement.unit_moved,
    e.ProtectionStarted: movement.protection_started,
    e.CinematicActionUsed: attacks.cinematic_action_used,
    e.WeaponCooling: attacks.weapon_cooling,
    e.AttackResolved: defenses.attack_resolved,
    e.UnitRecoiled: defenses.unit_recoiled,
    e.CombatEnded: initiative.combat_ended,
    **each_of(e.MechDischarged | e.MechRecharged, initiative.charged),
    e.StateRestored: stabilisation.restored,
    e.UnrechargedPenaltyApplied: only_told,
    e.CharacterCreated: creation.character_created,
    e.CharacterAdopted: character_import.character_adopted,
    e.CharacterAssigned: creation.assigned,
    **entrance.EVOLVE,
    e.MechCreated: creation.mech_created,
    e.MechBoarded: creation.boarded,
    e.MechLeft: creation.mech_left,
    e.InvocationAllowed: relations.invocation_allowed,
    e.BonusDiceGiven: rolls.bonus_dice_given,
    e.RelationInvoked: rolls.relation_invoked,
    e.RelationStressed: relations.stressed,
    e.RollMade: _roll_made,
    e.CinematicTriggered: rolls.cinematic_triggered,
    e.SuccessAdded: outcomes.success_added,
    e.RollClosed: outcomes.roll_closed,
    e.OverdriveGained: ledger.gained,
    e.OverdriveSpent: ledger.spent,
    e.OverdriveRetired: ledger.retired,
    e.ConfigurationActivated: configurations_and_reactions.configuration_activated,
    e.ReactionOffered: configurations_and_reactions.reaction_offered,
    e.ReactionPlayed: configurations_and_reactions.reaction_played,
    e.ReactionDeclined: configurations_and_reactions.reaction_declined,
    e.QuestionAsked: gm_questions.question_asked,
    e.QuestionAnswered: gm_questions.question_answered,
    **each_of(e.RevelationReached | e.ObjectiveJudged | e.ChapterEnded | e.RecapTold, only_told),
    e.RelationAdded: relations.relation_added,
    e.RelationRenamed: relations.renamed,
    e.RelationStrengthened: relations.strengthened,
    e.RelationBroken: relations.broken,
    e.RelationRepaired: relations.repaired,
    e.RelationTaskOpened: scenes.task_opened,
    e.SceneOpened: scenes.scene_opened,
    e.SceneEnded: scenes.ended,
    e.TacticalPointGained: scenes.tactical_point_gained,
    e.RecoveryEarned: scenes.recovery_earned,
    e.DamageRepaired: scenes.damage_repaired,
    e.ConfigurationRestored: scenes.configuration_restored,
    e.DuelOpened: duels.duel_opened,
    e.DuelSideRolled: duels.side_rolled,
    e.DuelStarted: duels.started,
    e.DuelRaised: duels.raised,
    e.DuelLost: duels.lost,
    e.TraitAdvanced: progression.trait_advanced,
    e.ObjectiveTaken: progression.objective_taken,
    e.ObjectiveSessionPassed: progression.objective_session_passed,
    e.ObjectivePaid: progression.objective_paid,
}


def evolve(state: OverdriveState, event: e.Event) -> OverdriveState:
    """Apply one stored event, in place. Never fails: an event about a missing thing changes nothing."""
    EVOLVE[type(event)](state, event)
    return state
