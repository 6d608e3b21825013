"""From commands to facts: which chapter answers which command."""

from typing import assert_never

from domain.command_context import Asked
from domain.dice import Dice
from domain.rejection import Forbidden
from domain.systems.freefall import (
    action_rolls,
    attributes,
    complications,
    conflicts,
    creation,
    entrance,
    gear,
    harm_choices,
    ledger,
    machine_harm,
    machine_repair,
    machines,
    recovery,
    slots,
    target_numbers,
    time_modes,
    turns,
    work,
)
from domain.systems.freefall import commands as c
from domain.systems.freefall.events import CharacterOusted, Event
from domain.systems.freefall.state import FreefallState

HarmAndRecovery = (
    c.ReceiveHarm
    | c.WithdrawHarm
    | c.DescribePermanentHarm
    | c.DecideFate
    | c.ClearTemporaryHarm
    | c.DismissRecovery
    | c.StartTreatment
    | c.CompleteTreatment
    | c.CancelTreatment
    | c.StartRepair
    | c.CompleteRepair
    | c.CancelRepair
    | c.RecordRequirement
    | c.RestoreAttribute
    | c.Regroup
    | c.AllocateMachineHarm
    | c.AwardCredits
    | c.ChargeCredits
)


def decide(state: FreefallState, asked: Asked, dice: Dice) -> list[Event]:
    """What a command makes happen. Raises `Rejection`; never changes the state."""
    if asked.role == "observer":
        raise Forbidden("observers_only_watch", "Observers can only watch.", rule="FF-C1")
    state = entrance.as_the_table_goes_by(state, asked)
    events = _decided(state, asked, dice)
    ousted = [each.character for each in events if isinstance(each, CharacterOusted)]
    over = [each for character in ousted for each in work.given_up(state, asked, character)]
    return [*events, *over, *harm_choices.not_attempted(state, events)]


def _decided(state: FreefallState, asked: Asked, dice: Dice) -> list[Event]:
    """The first part of the table."""
    command: c.AnyCommand = asked.command
    match command:
        case c.RollAction():
            return action_rolls.roll_action(state, asked, command, dice)
        case c.ResolveConflict():
            return conflicts.resolve_conflict(state, asked, command, dice)
        case c.DefineClass():
            return [*creation.define_class(state, asked, command)]
        case c.DefineClasses():
            return [*creation.define_classes(state, asked, command)]
        case c.CreateCharacter():
            return [*creation.create_character(state, asked, command)]
        case c.SetPermanent():
            return [*attributes.set_permanent(state, asked, command)]
        case c.AddGear():
            return [*gear.add_gear(state, asked, command)]
        case c.Equip():
            return [*gear.equip(state, asked, command)]
        case c.Install():
            return [*gear.equip(state, asked, command)]
        case c.Unequip():
            return [*gear.unequip(state, asked, command)]
        case c.Discard():
            return [*gear.discard(state, asked, command)]
        case c.CreateMachine():
            return [*machines.create_machine(state, asked, command)]
        case c.BoardMachine():
            return [*machines.board_machine(state, asked, command)]
        case c.LeaveMachine():
            return [*machines.leave_machine(state, asked, command)]
        case c.SetTimeMode():
            return [*time_modes.set_time_mode(state, asked, command)]
        case c.OpenClock():
            return [*time_modes.open_clock(state, asked, command)]
        case c.CloseClock():
            return [*time_modes.close_clock(state, asked, command)]
        case c.StartTurn():
            return [*turns.start_turn(state, asked, command)]
        case c.JoinTurn():
            return [*turns.join_turn(state, asked, command)]
        case c.EndTurn():
            return [*turns.end_turn(state, asked, command)]
        case c.DeclareActions():
            return [*turns.declare_actions(state, asked, command)]
        case c.OrderResolution():
            return [*turns.order_resolution(state, asked, command)]
        case c.NameTn():
            return [*target_numbers.name_tn(state, asked, command)]
        case c.AbandonAction():
            return [*turns.abandon_action(state, asked, command)]
        case c.DecideTie():
            return [*conflicts.decide_tie(state, asked, command)]
        case c.NegateAction():
            return [*conflicts.negate_action(state, asked, command)]
        case c.IntroduceComplication():
            return [*complications.introduce_complication(state, asked, command)]
        case c.ForceSuccess():
            return [*complications.force_success(state, asked, command)]
        case _:
            return _harm_and_recovery(state, asked, command)


def _harm_and_recovery(state: FreefallState, asked: Asked, command: HarmAndRecovery) -> list[Event]:
    """The second part of the table."""
    match command:
        case c.ReceiveHarm():
            return [*harm_choices.receive_harm(state, asked, command)]
        case c.WithdrawHarm():
            return [*harm_choices.withdraw_harm(state, asked, command)]
        case c.DescribePermanentHarm():
            return [*slots.describe_permanent_harm(state, asked, command)]
        case c.DecideFate():
            return [*slots.decide_fate(state, asked, command)]
        case c.ClearTemporaryHarm():
            return [*slots.clear_temporary_harm(state, asked, command)]
        case c.DismissRecovery():
            return [*recovery.dismiss_recovery(state, asked, command)]
        case c.StartTreatment():
            return [*work.start_treatment(state, asked, command)]
        case c.CompleteTreatment():
            return [*work.complete_treatment(state, asked, command)]
        case c.CancelTreatment():
            return [*work.cancel_treatment(state, asked, command)]
        case c.StartRepair():
            return [*work.start_repair(state, asked, command)]
        case c.CompleteRepair():
            return [*work.complete_repair(state, asked, command)]
        case c.CancelRepair():
            return [*work.cancel_repair(state, asked, command)]
        case c.RecordRequirement():
            return [*work.record_requirement(state, asked, command)]
        case c.RestoreAttribute():
            return [*machine_repair.restore_attribute(state, asked, command)]
        case c.Regroup():
            return [*recovery.regroup(state, asked, command)]
        case c.AllocateMachineHarm():
            return [*machine_harm.allocate_machine_harm(state, asked, command)]
        case c.AwardCredits():
            return [*ledger.award_credits(state, asked, command)]
        case c.ChargeCredits():
            return [*ledger.charge_credits(state, asked, command)]
        case _:
            assert_never(command)
