"""Decides commands: the rules module for each type of command."""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.mechanics.dispatch import Decide, decide_command, without_dice
from domain.systems.freefall import (
    action_rolls,
    attributes,
    complications,
    creation,
    direct_conflicts,
    entrance,
    gear,
    harm_choices,
    harm_slots,
    ledger,
    machine_harm,
    machine_repair,
    machines,
    recovery,
    target_numbers,
    time_modes,
    treatments_and_repairs,
    turns,
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
            c.DecideTie: direct_conflicts.decide_tie,
            c.NegateAction: direct_conflicts.negate_action,
            c.IntroduceComplication: complications.introduce_complication,
            c.ForceSuccess: complications.force_success,
            c.ReceiveHarm: harm_choices.receive_harm,
            c.WithdrawHarm: harm_choices.withdraw_harm,
            c.DescribePermanentHarm: harm_slots.describe_permanent_harm,
            c.DecideFate: harm_slots.decide_fate,
            c.ClearTemporaryHarm: harm_slots.clear_temporary_harm,
            c.DismissRecovery: recovery.dismiss_recovery,
            c.StartTreatment: treatments_and_repairs.start_treatment,
            c.CompleteTreatment: treatments_and_repairs.complete_treatment,
            c.CancelTreatment: treatments_and_repairs.cancel_treatment,
            c.StartRepair: treatments_and_repairs.start_repair,
            c.CompleteRepair: treatments_and_repairs.complete_repair,
            c.CancelRepair: treatments_and_repairs.cancel_repair,
            c.RecordRequirement: treatments_and_repairs.record_requirement,
            c.RestoreAttribute: machine_repair.restore_attribute,
            c.Regroup: recovery.regroup,
            c.AllocateMachineHarm: machine_harm.allocate_machine_harm,
            c.AwardCredits: ledger.award_credits,
            c.ChargeCredits: ledger.charge_credits,
        }
    ),
    c.RollAction: action_rolls.roll_action,
    c.ResolveConflict: direct_conflicts.resolve_conflict,
}


def decide(state: FreefallState, context: CommandContext, dice: Dice) -> list[Event]:
    """The events of a command. Raises `Rejection`; never changes the state."""
    state = entrance.as_the_table_goes_by(state, context)
    events = decide_command(DECIDE, state, context, dice, "FF-C1")
    ousted = [event.character for event in events if isinstance(event, CharacterOusted)]
    over = [event for character in ousted for event in treatments_and_repairs.given_up(state, context, character)]
    return [*events, *over, *harm_choices.not_attempted(state, events)]
