"""Things that may be hidden in Overdrive: scenes, duels and fights are open; rolls and relations need not be."""

from typing import Any

from domain.hideable_commands import ALWAYS, NEVER, WITH_SUBJECT, Hiding, answering
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.gm_questions import open_questions
from domain.systems.overdrive.state import OverdriveState

HIDING: dict[type, Hiding] = {
    c.CreateCharacter: ALWAYS,
    c.CreateMech: ALWAYS,
    c.ChangePairing: ALWAYS,
    c.BoardMech: WITH_SUBJECT,
    c.LeaveMech: WITH_SUBJECT,
    c.MakeRoll: ALWAYS,
    c.AllowInvocation: ALWAYS,
    c.GiveBonusDice: NEVER,
    c.SpendOverdriveSuccess: WITH_SUBJECT,
    c.CloseRoll: WITH_SUBJECT,
    c.ActivateConfiguration: ALWAYS,
    c.PlayReaction: WITH_SUBJECT,
    c.DeclineReaction: WITH_SUBJECT,
    c.AddRelation: ALWAYS,
    c.RenameRelation: ALWAYS,
    c.ResolveRelation: ALWAYS,
    c.RepairRelation: ALWAYS,
    c.OpenScene: NEVER,
    c.CloseScene: NEVER,
    c.SpendRecovery: WITH_SUBJECT,
    c.AskQuestion: ALWAYS,
    c.AnswerQuestion: answering("question"),
    c.RecordRevelation: ALWAYS,
    c.StartDuel: NEVER,
    c.RollDuel: NEVER,
    c.DuelRaise: NEVER,
    c.DuelFold: NEVER,
    c.Advance: ALWAYS,
    c.EndChapter: NEVER,
    c.RecordRecap: ALWAYS,
    c.TakeObjective: ALWAYS,
    c.AchieveObjective: ALWAYS,
    c.PostObjectiveAward: ALWAYS,
    c.StartCombat: NEVER,
    c.JoinCombat: NEVER,
    c.RollInitiative: WITH_SUBJECT,
    c.SpendTacticalPoints: WITH_SUBJECT,
    c.BeginTurns: NEVER,
    c.EndTurn: WITH_SUBJECT,
    c.DelayTurn: WITH_SUBJECT,
    c.RollMovement: WITH_SUBJECT,
    c.Move: WITH_SUBJECT,
    c.Protect: WITH_SUBJECT,
    c.DeclareAttack: WITH_SUBJECT,
    c.RollDefense: WITH_SUBJECT,
    c.ResolveAttack: WITH_SUBJECT,
    c.ChooseStabilisationLoss: ALWAYS,
    c.EndCombat: NEVER,
    c.RechargeMech: ALWAYS,
    c.Restore: ALWAYS,
}


def meant_ids(state: OverdriveState, command: Any) -> list[str]:
    """The ids that a command may mean: held rolls, open questions, the open attack's sides, or the actor."""
    if getattr(command, "character", None) is not None:
        return []
    match command:
        case c.CloseRoll(roll_id=None) | c.SpendOverdriveSuccess(roll_id=None):
            return [roll.roll_id for roll in state.rolls.values() if roll.held]
        case c.AnswerQuestion(question=None):
            return [question.question_id for question in open_questions(state)]
        case c.ResolveAttack() | c.RollDefense() if state.combat is not None and state.combat.attack is not None:
            return [state.combat.attack.attacker]
        case c.EndTurn() | c.DelayTurn() | c.RollMovement() | c.Move() | c.Protect() | c.DeclareAttack():
            return [state.acting] if state.acting is not None else []
        case _:
            return []
