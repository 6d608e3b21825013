"""Things that may be hidden in FREE/FALL. Turns and time modes are open; clocks, harm and gear may be hidden."""

from typing import Any

from domain.hideable_commands import ALWAYS, NEVER, WITH_SUBJECT, Hiding, between, ending, unless
from domain.systems.freefall import commands as c
from domain.systems.freefall.harm_slots import in_slot
from domain.systems.freefall.state import FreefallState


def _is_called(command: c.ReceiveHarm | c.AllocateMachineHarm) -> bool:
    """Whether the command calls harm by its type, rather than answering harm that was called."""
    return command.harm_type is not None


_CALLED_OR_ANSWERED = Hiding("with_subject", ("call",), _is_called)

HIDING: dict[type, Hiding] = {
    c.DefineClass: NEVER,
    c.DefineClasses: NEVER,
    c.CreateCharacter: ALWAYS,
    c.SetPermanent: ALWAYS,
    c.AddGear: ALWAYS,
    c.Equip: ALWAYS,
    c.Install: ALWAYS,
    c.Unequip: ALWAYS,
    c.Discard: ALWAYS,
    c.DescribeGear: WITH_SUBJECT,
    c.CreateMachine: ALWAYS,
    c.BoardMachine: WITH_SUBJECT,
    c.LeaveMachine: WITH_SUBJECT,
    c.SetTimeMode: NEVER,
    c.OpenClock: ALWAYS,
    c.CloseClock: WITH_SUBJECT,
    c.StartTurn: NEVER,
    c.JoinTurn: NEVER,
    c.EndTurn: NEVER,
    c.DeclareActions: WITH_SUBJECT,
    c.OrderResolution: NEVER,
    c.RollAction: unless("action"),
    c.NameTn: WITH_SUBJECT,
    c.AbandonAction: WITH_SUBJECT,
    c.ForceSuccess: WITH_SUBJECT,
    c.ResolveConflict: between("participants.id"),
    c.DecideTie: WITH_SUBJECT,
    c.NegateAction: WITH_SUBJECT,
    c.IntroduceComplication: WITH_SUBJECT,
    c.ReceiveHarm: _CALLED_OR_ANSWERED,
    c.WithdrawHarm: WITH_SUBJECT,
    c.DescribePermanentHarm: ALWAYS,
    c.DecideFate: ALWAYS,
    c.ClearTemporaryHarm: WITH_SUBJECT,
    c.DismissRecovery: ALWAYS,
    c.StartTreatment: WITH_SUBJECT,
    c.CompleteTreatment: WITH_SUBJECT,
    c.CancelTreatment: WITH_SUBJECT,
    c.StartRepair: ending("item"),
    c.CompleteRepair: ending("item"),
    c.CancelRepair: ending("item"),
    c.RecordRequirement: WITH_SUBJECT,
    c.RestoreAttribute: ALWAYS,
    c.Regroup: ALWAYS,
    c.AllocateMachineHarm: _CALLED_OR_ANSWERED,
    c.AwardCredits: ALWAYS,
    c.ChargeCredits: ALWAYS,
}


def meant_ids(state: FreefallState, command: Any) -> list[str]:
    """The ids that a command without one may mean: clocks, calls of harm, treatments, ties, the last roll.

    Also the harm in a slot, so that an open one is noticed, and the repair of a thing, which may be an old one
    that was agreed hidden.
    """
    if isinstance(command, c.ClearTemporaryHarm | c.StartTreatment):
        hurt = (character for character in state.people() if command.character in (None, character.character_id))
        slots = (in_slot(character, command.slot) for character in hurt)
        return [harm.harm_id for harm in slots if harm is not None]
    if isinstance(command, c.CompleteRepair | c.CancelRepair):
        of = [repair for repair in state.listed_repairs() if command.item in (None, repair.item)]
        return [repair.repair_id for repair in of if command.character in (None, repair.character)]
    return _left_out(state, command)


def _left_out(state: FreefallState, command: Any) -> list[str]:
    match command:
        case c.CloseClock(clock=None):
            return [*state.clocks]
        case c.WithdrawHarm(call=None) | c.ReceiveHarm(call=None) | c.AllocateMachineHarm(call=None):
            return [call.call_id for call in state.called]
        case c.CompleteTreatment(treatment=None) | c.CancelTreatment(treatment=None):
            return [*state.treatments]
        case c.DecideTie(conflict=None):
            return [conflict.conflict_id for conflict in state.conflicts if conflict.first is None]
        case c.ForceSuccess(roll=None) | c.IntroduceComplication(roll=None):
            return [roll.roll_id for roll in state.rolls[-1:]]
        case _:
            return []
