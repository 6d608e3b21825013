"""From commands to facts: which chapter answers which command."""

from typing import assert_never

from domain.command_context import Asked
from domain.dice import Dice
from domain.rejection import Forbidden
from domain.systems.overdrive import (
    attacks,
    creation,
    defenses,
    duels,
    initiative,
    movement,
    outcomes,
    progression,
    reactions,
    relations,
    scenes,
    stabilisation,
    turns,
)
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.events import Event
from domain.systems.overdrive.state import OverdriveState


def decide(state: OverdriveState, asked: Asked, dice: Dice) -> list[Event]:
    """What a command makes happen. Raises `Rejection`; never changes the state."""
    if asked.role == "observer":
        raise Forbidden("observers_only_watch", "Observers watch; they do not act.", rule="OD-1")
    return _in_combat(state, asked, dice)


def _in_combat(state: OverdriveState, asked: Asked, dice: Dice) -> list[Event]:
    """The commands of a fight; the others are answered below."""
    command: c.AnyCommand = asked.command
    match command:
        case c.StartCombat():
            return initiative.start_combat(state, asked, command, dice)
        case c.JoinCombat():
            return initiative.join_combat(state, asked, command, dice)
        case c.RollInitiative():
            return outcomes.rolled(state, asked, initiative.roll_initiative(state, asked, command), dice)
        case c.SpendTacticalPoints():
            return [*initiative.spend_tactical_points(state, asked, command)]
        case c.BeginTurns():
            return [*initiative.begin_turns(state, asked, command)]
        case c.EndTurn():
            return turns.end_turn(state, asked, command)
        case c.DelayTurn():
            return [*turns.delay_turn(state, asked, command)]
        case c.RollMovement():
            return outcomes.rolled(state, asked, movement.roll_movement(state, asked, command), dice)
        case c.Move():
            return [*movement.move(state, asked, command)]
        case c.Protect():
            return [*movement.protect(state, asked, command)]
        case c.DeclareAttack():
            return outcomes.rolled(state, asked, attacks.declare_attack(state, asked, command), dice)
        case c.RollDefense():
            return defenses.roll_defense(state, asked, command, dice)
        case c.ResolveAttack():
            return defenses.resolve_attack(state, asked, command, dice)
        case c.ChooseStabilisationLoss():
            return [*stabilisation.choose_stabilisation_loss(state, asked, command)]
        case c.EndCombat():
            return [*initiative.end_combat(state, asked, command)]
        case c.RechargeMech():
            return [*initiative.recharge_mech(state, asked, command)]
        case c.Restore():
            return [*stabilisation.restore(state, asked, command)]
        case _:
            return _between_fights(state, asked, command, dice)


def _between_fights(state: OverdriveState, asked: Asked, command: c.StoryCommand, dice: Dice) -> list[Event]:
    match command:
        case c.CreateCharacter():
            return [*creation.create_character(state, asked, command)]
        case c.CreateMech():
            return [*creation.create_mech(state, asked, command)]
        case c.ChangePairing():
            return [*creation.change_pairing(state, asked, command)]
        case c.BoardMech():
            return [*creation.board_mech(state, asked, command)]
        case c.LeaveMech():
            return [*creation.leave_mech(state, asked, command)]
        case c.MakeRoll():
            return outcomes.roll(state, asked, command, dice)
        case c.AllowInvocation():
            return [*relations.allow_invocation(state, asked, command)]
        case c.SpendOverdriveSuccess():
            return [*outcomes.spend_overdrive_success(state, asked, command)]
        case c.CloseRoll():
            return [*outcomes.close_roll(state, asked, command)]
        case c.ActivateConfiguration():
            return [*reactions.activate_configuration(state, asked, command)]
        case c.PlayReaction():
            return [*reactions.play_reaction(state, asked, command)]
        case c.DeclineReaction():
            return [*reactions.decline_reaction(state, asked, command)]
        case c.AddRelation():
            return [*relations.add_relation(state, asked, command)]
        case c.RenameRelation():
            return [*relations.rename_relation(state, asked, command)]
        case c.ResolveRelation():
            return outcomes.rolled(state, asked, relations.resolve_relation(state, asked, command), dice)
        case c.RepairRelation():
            return [*relations.repair_relation(state, asked, command)]
        case c.OpenScene():
            return [*scenes.open_scene(state, asked, command)]
        case c.CloseScene():
            return outcomes.rolled(state, asked, scenes.close_scene(state, asked, command), dice)
        case c.SpendRecovery():
            return [*scenes.spend_recovery(state, asked, command)]
        case c.AskQuestion():
            return [*scenes.ask_question(state, asked, command)]
        case c.RecordRevelation():
            return [*scenes.record_revelation(state, asked, command)]
        case c.StartDuel():
            return duels.start_duel(state, asked, command, dice)
        case c.RollDuel():
            return duels.roll_duel(state, asked, command, dice)
        case c.DuelRaise():
            return [*duels.duel_raise(state, asked, command)]
        case c.DuelFold():
            return [*duels.duel_fold(state, asked, command)]
        case c.Advance():
            return [*progression.advance(state, asked, command)]
        case c.EndChapter():
            return [*progression.end_chapter(state, asked, command)]
        case c.RecordRecap():
            return [*progression.record_recap(state, asked, command)]
        case c.TakeObjective():
            return [*progression.take_objective(state, asked, command)]
        case c.AchieveObjective():
            return [*progression.achieve_objective(state, asked, command)]
        case c.PostObjectiveAward():
            return [*progression.post_objective_award(state, asked, command)]
        case _:
            assert_never(command)
