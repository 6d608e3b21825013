"""Applies events: the rules module for each type of event."""

from domain.mechanics.dispatch import Evolve, each_of, only_told
from domain.systems.freefall import (
    attributes,
    character_import,
    complications,
    creation,
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
    turn_board,
)
from domain.systems.freefall import events as e
from domain.systems.freefall.state import FreefallState


def _permanent_harm_removed(state: FreefallState, event: e.PermanentHarmRemoved) -> None:
    harm_slots.harm_gone(state, event)
    treatments_and_repairs.treatment_over(state, event)


def _gear_repaired(state: FreefallState, event: e.GearRepaired) -> None:
    gear.mended(state, event)
    machine_repair.machine_mended(state, event)
    treatments_and_repairs.repair_over(state, event)


EVOLVE: Evolve[FreefallState] = {
    e.ClassDefined: creation.class_defined,
    e.CharacterCreated: creation.character_created,
    e.CharacterAdopted: character_import.character_adopted,
    e.CharacterAssigned: creation.character_assigned,
    **entrance.EVOLVE,
    e.PermanentChanged: attributes.permanent_changed,
    e.GearAdded: gear.gear_added,
    e.GearEquipped: gear.gear_equipped,
    e.GearUnequipped: gear.gear_unequipped,
    e.GearDiscarded: gear.gear_discarded,
    e.GearDescribed: gear.gear_described,
    e.MachineCreated: machines.machine_created,
    e.MachineBoarded: machines.machine_boarded,
    e.MachineLeft: machines.machine_left,
    e.TimeModeChanged: time_modes.time_mode_changed,
    e.ClockOpened: time_modes.clock_opened,
    e.ClockTicked: time_modes.clock_ticked,
    e.ClockClosed: time_modes.clock_closed,
    e.TurnStarted: turn_board.turn_started,
    e.TurnEnded: turn_board.turn_ended,
    e.ActionsDeclared: turn_board.actions_declared,
    e.ResolutionOrdered: turn_board.resolution_ordered,
    e.TnNamed: target_numbers.tn_named,
    e.ActionAbandoned: turn_board.action_dropped,
    e.ActionNegated: turn_board.action_dropped,
    e.ActionRolled: complications.action_rolled,
    e.SuccessForced: complications.success_forced,
    e.ConflictRolled: turn_board.conflict_rolled,
    e.ConflictOrderDecided: turn_board.conflict_decided,
    e.ComplicationIntroduced: complications.complication_introduced,
    e.SceneLeftBehind: turn_board.left_behind,
    **each_of(e.AttackHit | e.ComplicationFlagged, only_told),
    e.HarmCalled: harm_choices.harm_called,
    e.HarmWithdrawn: harm_choices.harm_withdrawn,
    e.HarmSuffered: harm_choices.harm_suffered,
    e.AttributeSpent: attributes.attribute_spent,
    e.HarmMarked: harm_slots.harm_marked,
    e.HarmMadePermanent: harm_slots.harm_made_permanent,
    e.GearBroken: gear.failed,
    e.GearFaulted: gear.failed,
    e.CharacterOusted: harm_slots.ousted,
    e.CharacterFateDecided: harm_slots.fate_decided,
    e.HarmConsequenceWritten: harm_slots.consequence_written,
    e.MachineHarmSuffered: machine_harm.machine_harm_suffered,
    e.MachineAttributeSpent: attributes.machine_attribute_spent,
    e.MachineBroken: machines.machine_broken,
    e.TemporaryHarmCleared: harm_slots.harm_gone,
    e.RecoveryTaskOpened: recovery.task_opened,
    e.RecoveryTaskClosed: recovery.task_closed,
    e.TreatmentStarted: treatments_and_repairs.treatment_started,
    e.TreatmentCancelled: treatments_and_repairs.treatment_over,
    e.PermanentHarmRemoved: _permanent_harm_removed,
    e.RepairStarted: treatments_and_repairs.repair_started,
    e.RepairCancelled: treatments_and_repairs.repair_over,
    e.GearRepaired: _gear_repaired,
    e.GearSelfRepaired: gear.mended,
    e.RequirementRecorded: treatments_and_repairs.requirement_recorded,
    e.AttributeRestored: attributes.attribute_restored,
    e.MachineAttributeRestored: machine_repair.machine_attribute_restored,
    e.MachineMended: machine_repair.machine_mended,
    **each_of(e.DowntimeStarted | e.DowntimeEnded, recovery.downtime_changed),
    **each_of(e.RegroupHeld | e.CreditsAwarded | e.CreditsCharged, only_told),
}


def evolve(state: FreefallState, event: e.Event) -> FreefallState:
    """Apply one stored event, in place. Never fails: an event about a missing thing changes nothing."""
    EVOLVE[type(event)](state, event)
    ledger.posted(state, event)
    return state
