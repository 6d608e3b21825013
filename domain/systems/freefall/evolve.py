"""From facts to state: which chapter lets which fact have happened."""

from typing import assert_never

from domain.systems.freefall import (
    adoption,
    attributes,
    complications,
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
    turn_board,
    work,
)
from domain.systems.freefall import events as e
from domain.systems.freefall.state import FreefallState


def evolve(state: FreefallState, event: e.Event) -> FreefallState:  # noqa: PLR0915 — one line per event
    """Apply one stored fact, in place. Never fails: what is missing is passed over."""
    match event:
        case e.ClassDefined():
            creation.class_defined(state, event)
        case e.CharacterCreated():
            creation.character_created(state, event)
        case e.CharacterAdopted():
            adoption.character_adopted(state, event)
        case e.CharacterAssigned():
            creation.character_assigned(state, event)
        case e.CharacterEntered() | e.GearEntered() | e.HarmEntered() | e.MachineEntered() | e.ClockEntered():
            entrance.evolve_entered(state, event)
        case e.PermanentChanged():
            attributes.permanent_changed(state, event)
        case e.GearAdded():
            gear.gear_added(state, event)
        case e.GearEquipped():
            gear.gear_equipped(state, event)
        case e.GearUnequipped():
            gear.gear_unequipped(state, event)
        case e.GearDiscarded():
            gear.gear_discarded(state, event)
        case e.MachineCreated():
            machines.machine_created(state, event)
        case e.MachineBoarded():
            machines.machine_boarded(state, event)
        case e.MachineLeft():
            machines.machine_left(state, event)
        case e.TimeModeChanged():
            time_modes.time_mode_changed(state, event)
        case e.ClockOpened():
            time_modes.clock_opened(state, event)
        case e.ClockTicked():
            time_modes.clock_ticked(state, event)
        case e.ClockClosed():
            time_modes.clock_closed(state, event)
        case e.TurnStarted():
            turn_board.turn_started(state, event)
        case e.TurnEnded():
            turn_board.turn_ended(state, event)
        case e.ActionsDeclared():
            turn_board.actions_declared(state, event)
        case e.ResolutionOrdered():
            turn_board.resolution_ordered(state, event)
        case e.TnNamed():
            target_numbers.tn_named(state, event)
        case e.ActionAbandoned():
            turn_board.action_dropped(state, event)
        case e.ActionNegated():
            turn_board.action_dropped(state, event)
        case e.ActionRolled():
            complications.action_rolled(state, event)
        case e.SuccessForced():
            complications.success_forced(state, event)
        case e.ConflictRolled():
            turn_board.conflict_rolled(state, event)
        case e.ConflictOrderDecided():
            turn_board.conflict_decided(state, event)
        case e.AttackHit() | e.ComplicationFlagged() | e.ComplicationIntroduced():
            pass  # told, but nothing is kept of them
        case _:
            _harmed(state, event)
    ledger.posted(state, event)
    return state


def _harmed(state: FreefallState, event: e.HarmEvent | e.RecoveryEvent) -> None:
    """The second part of the table."""
    match event:
        case e.HarmCalled():
            harm_choices.harm_called(state, event)
        case e.HarmWithdrawn():
            harm_choices.harm_withdrawn(state, event)
        case e.HarmSuffered():
            harm_choices.harm_suffered(state, event)
        case e.AttributeSpent():
            attributes.attribute_spent(state, event)
        case e.HarmMarked():
            slots.harm_marked(state, event)
        case e.HarmMadePermanent():
            slots.harm_made_permanent(state, event)
        case e.GearBroken():
            gear.failed(state, event)
        case e.GearFaulted():
            gear.failed(state, event)
        case e.CharacterOusted():
            slots.ousted(state, event)
        case e.CharacterFateDecided():
            slots.fate_decided(state, event)
        case e.HarmConsequenceWritten():
            slots.consequence_written(state, event)
        case e.MachineHarmSuffered():
            machine_harm.machine_harm_suffered(state, event)
        case e.MachineAttributeSpent():
            attributes.machine_attribute_spent(state, event)
        case e.MachineBroken():
            machines.machine_broken(state, event)
        case _:
            _recovered(state, event)


def _recovered(state: FreefallState, event: e.RecoveryEvent) -> None:
    """The third part of the table."""
    match event:
        case e.TemporaryHarmCleared():
            slots.harm_gone(state, event)
        case e.RecoveryTaskOpened():
            recovery.task_opened(state, event)
        case e.RecoveryTaskClosed():
            recovery.task_closed(state, event)
        case e.TreatmentStarted():
            work.treatment_started(state, event)
        case e.TreatmentCancelled():
            work.treatment_over(state, event)
        case e.PermanentHarmRemoved():
            slots.harm_gone(state, event)
            work.treatment_over(state, event)
        case e.RepairStarted():
            work.repair_started(state, event)
        case e.RepairCancelled():
            work.repair_over(state, event)
        case e.GearRepaired():
            gear.mended(state, event)
            machine_repair.machine_mended(state, event)
            work.repair_over(state, event)
        case e.GearSelfRepaired():
            gear.mended(state, event)
        case e.RequirementRecorded():
            work.requirement_recorded(state, event)
        case e.AttributeRestored():
            attributes.attribute_restored(state, event)
        case e.MachineAttributeRestored():
            machine_repair.machine_attribute_restored(state, event)
        case e.MachineMended():
            machine_repair.machine_mended(state, event)
        case e.DowntimeStarted() | e.DowntimeEnded():
            state.downtime = isinstance(event, e.DowntimeStarted)
        case e.RegroupHeld() | e.CreditsAwarded() | e.CreditsCharged():
            pass  # what they move is posted
        case _:
            assert_never(event)
