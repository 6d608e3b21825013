"""Decides commands: the rules module for each type of command."""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.mechanics.dispatch import Decide, decide_command, without_dice
from domain.systems.overdrive import (
    attacks,
    configurations_and_reactions,
    creation,
    defenses,
    duels,
    gm_questions,
    initiative,
    movement,
    outcomes,
    progression,
    relations,
    rolls,
    scenes,
    stabilisation,
    turns,
)
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.events import Event
from domain.systems.overdrive.state import OverdriveState

DECIDE: Decide[OverdriveState, Event] = {
    **without_dice(
        {
            c.SpendTacticalPoints: initiative.spend_tactical_points,
            c.BeginTurns: initiative.begin_turns,
            c.EndTurn: turns.end_turn,
            c.DelayTurn: turns.delay_turn,
            c.Move: movement.move,
            c.Protect: movement.protect,
            c.ChooseStabilisationLoss: stabilisation.choose_stabilisation_loss,
            c.EndCombat: initiative.end_combat,
            c.RechargeMech: initiative.recharge_mech,
            c.Restore: stabilisation.restore,
            c.CreateCharacter: creation.create_character,
            c.CreateMech: creation.create_mech,
            c.ChangePairing: creation.change_pairing,
            c.LeaveMech: creation.leave_mech,
            c.AllowInvocation: relations.allow_invocation,
            c.GiveBonusDice: rolls.give_bonus_dice,
            c.SpendOverdriveSuccess: outcomes.spend_overdrive_success,
            c.CloseRoll: outcomes.close_roll,
            c.ActivateConfiguration: configurations_and_reactions.activate_configuration,
            c.PlayReaction: configurations_and_reactions.play_reaction,
            c.DeclineReaction: configurations_and_reactions.decline_reaction,
            c.AddRelation: relations.add_relation,
            c.RenameRelation: relations.rename_relation,
            c.RepairRelation: relations.repair_relation,
            c.OpenScene: scenes.open_scene,
            c.SpendRecovery: scenes.spend_recovery,
            c.AskQuestion: gm_questions.ask_question,
            c.AnswerQuestion: gm_questions.answer_question,
            c.RecordRevelation: scenes.record_revelation,
            c.DuelRaise: duels.duel_raise,
            c.DuelFold: duels.duel_fold,
            c.Advance: progression.advance,
            c.EndChapter: progression.end_chapter,
            c.RecordRecap: progression.record_recap,
            c.TakeObjective: progression.take_objective,
            c.AchieveObjective: progression.achieve_objective,
            c.PostObjectiveAward: progression.post_objective_award,
        }
    ),
    c.BoardMech: creation.board_mech,
    c.StartCombat: initiative.start_combat,
    c.JoinCombat: initiative.join_combat,
    c.RollDefense: defenses.roll_defense,
    c.ResolveAttack: defenses.resolve_attack,
    c.MakeRoll: outcomes.roll,
    c.StartDuel: duels.start_duel,
    c.RollDuel: duels.roll_duel,
    **outcomes.rolling(
        {
            c.RollInitiative: initiative.roll_initiative,
            c.RollMovement: movement.roll_movement,
            c.DeclareAttack: attacks.declare_attack,
            c.ResolveRelation: relations.resolve_relation,
            c.CloseScene: scenes.close_scene,
        }
    ),
}


def decide(state: OverdriveState, context: CommandContext, dice: Dice) -> list[Event]:
    """The events of a command. Raises `Rejection`; never changes the state."""
    return decide_command(DECIDE, state, context, dice, "OD-1")
