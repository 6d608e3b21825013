"""Decides commands: the rules module for each type of command."""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.mechanics.dispatch import Decide, decide_command, without_dice
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

DECIDE: Decide[FreefallState, Event] = {
    **without_dice(
        {
            c.DefineClass: creation.define_class,
            c.DefineClasses: creation.define_classes,
            c.CreateCharacter: creation.create_character,
            c.SetPermanent: attributes.set_permanent,
            c.AddGear: gear.add_gear,
            c.Equip: gear.equip,
            c.Install: gear.equip,
            c.Unequip: gear.unequip,
            c.Discard: gear.discard,
            c.DescribeGear: gear.describe_gear,
            c.CreateMachine: machines.create_machine,
            c.BoardMachine: machines.board_machine,
            c.LeaveMachine: machines.leave_machine,
            c.SetTimeMode: time_modes.set_time_mode,
            c.OpenClock: time_modes.open_clock,
            c.CloseClock: time_modes.close_clock,
            c.StartTurn: turns.start_turn,
            c.JoinTurn: turns.join_turn,
            c.EndTurn: turns.end_turn,
            c.DeclareActions: turns.declare_actions,
            c.OrderResolution: turns.order_resolution,
            c.NameTn: target_numbers.name_tn,
            c.AbandonAction: turns.abandon_action,
            c.DecideTie: conflicts.decide_tie,
            c.NegateAction: conflicts.negate_action,
            c.IntroduceComplication: complications.introduce_complication,
            c.ForceSuccess: complications.force_success,
            c.ReceiveHarm: harm_choices.receive_harm,
            c.WithdrawHarm: harm_choices.withdraw_harm,
            c.DescribePermanentHarm: slots.describe_permanent_harm,
            c.DecideFate: slots.decide_fate,
            c.ClearTemporaryHarm: slots.clear_temporary_harm,
            c.DismissRecovery: recovery.dismiss_recovery,
            c.StartTreatment: work.start_treatment,
            c.CompleteTreatment: work.complete_treatment,
            c.CancelTreatment: work.cancel_treatment,
            c.StartRepair: work.start_repair,
            c.CompleteRepair: work.complete_repair,
            c.CancelRepair: work.cancel_repair,
            c.RecordRequirement: work.record_requirement,
            c.RestoreAttribute: machine_repair.restore_attribute,
            c.Regroup: recovery.regroup,
            c.AllocateMachineHarm: machine_harm.allocate_machine_harm,
            c.AwardCredits: ledger.award_credits,
            c.ChargeCredits: ledger.charge_credits,
        }
    ),
    c.RollAction: action_rolls.roll_action,
    c.ResolveConflict: conflicts.resolve_conflict,
}


def decide(state: FreefallState, context: CommandContext, dice: Dice) -> list[Event]:
    """The events of a command. Raises `Rejection`; never changes the state."""
    state = entrance.as_the_table_goes_by(state, context)
    events = decide_command(DECIDE, state, context, dice, "FF-C1")
    ousted = [event.character for event in events if isinstance(event, CharacterOusted)]
    over = [event for character in ousted for event in work.given_up(state, context, character)]
    return [*events, *over, *harm_choices.not_attempted(state, events)]
