"""Machines: their pilots, and the attributes that piloting binds (FF-6, FF-22).

Codes: machine_broken, machine_under_repair, machine_occupied, already_aboard, not_aboard, too_many_machines.
"""

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.freefall.access import acting, find_machine, require_gm, require_settled
from domain.systems.freefall.attributes import clamp, clamped, maxima
from domain.systems.freefall.commands import BoardMachine, CreateMachine, LeaveMachine
from domain.systems.freefall.events import MachineBoarded, MachineBroken, MachineCreated, MachineLeft
from domain.systems.freefall.state import FreefallState, Machine, Points

MACHINES_MAX = 200


def create_machine(state: FreefallState, context: CommandContext, command: CreateMachine) -> list[MachineCreated]:
    """FF-6: a vehicle or an exoskeleton, whole."""
    require_gm(context, "FF-6")
    if len(state.machines) >= MACHINES_MAX:
        raise Rejection(
            "too_many_machines",
            say("A campaign can have at most {most} machines.", most=MACHINES_MAX),
            rule="FF-6",
        )
    av = command.av
    return [
        MachineCreated(
            machine=derive_id("machine", context.action_id),
            name=command.name,
            frm=command.frm,
            sys=command.sys,
            av={"physical": av} if isinstance(av, int) else dict(av),
            pilot_binding=command.pilot_binding,
        )
    ]


def board_machine(state: FreefallState, context: CommandContext, command: BoardMachine) -> list[MachineBoarded]:
    """FF-C22: the interface binds its pilot, and current is cut down at once."""
    character = acting(state, context, command.character, "FF-C22")
    machine = find_machine(state, context, command.machine, "FF-C22")
    if state.machine_of(character.character_id) is not None:
        raise Rejection(
            "already_aboard", say("{name} already pilots a machine.", name=character.name), rule="FF-C22"
        )
    if machine.state == "broken":
        raise Rejection(
            "machine_broken",
            say("{machine} is broken; repair it before anybody boards it.", machine=machine.name),
            rule="FF-C22",
        )
    if state.is_on_bench(machine) and not context.decided_before:
        raise Rejection(
            "machine_under_repair",
            say("{machine} is with a fixer; it can be boarded once the repair is done.", machine=machine.name),
            rule="FF-C22",
        )
    if machine.pilot is not None:
        raise Rejection(
            "machine_occupied", say("{machine} already has a pilot.", machine=machine.name), rule="FF-C22"
        )
    require_settled(state, character, "FF-C22")
    limits = maxima(state, character, more=machine.pilot_binding)
    cut, lost = clamped(character, limits)
    return [
        MachineBoarded(
            machine=machine.machine_id,
            character=character.character_id,
            pilot_binding=machine.pilot_binding,
            max_current=limits,
            clamped=cut,
            lost=lost,
        )
    ]


def leave_machine(state: FreefallState, context: CommandContext, command: LeaveMachine) -> list[MachineLeft]:
    """FF-C22: the ceiling rises again; current does not."""
    aboard = state.machines.get(command.machine) if command.machine is not None else None
    pilot = aboard.pilot if aboard is not None and command.character is None else None
    if pilot is not None:
        context.filled["character"] = pilot
    character = acting(state, context, pilot or command.character, "FF-C22")
    machine = find_machine(state, context, command.machine, "FF-C22", pilot=character)
    if machine.pilot != character.character_id:
        raise Rejection(
            "not_aboard",
            say("{name} does not pilot {machine}.", name=character.name, machine=machine.name),
            rule="FF-C22",
        )
    require_settled(state, character, "FF-C22")
    limits = maxima(state, character, less=machine.pilot_binding)
    return [MachineLeft(machine=machine.machine_id, character=character.character_id, max_current=limits)]


def machine_created(state: FreefallState, event: MachineCreated) -> None:
    """A new machine."""
    if event.machine not in state.machines:
        state.machines[event.machine] = Machine(
            machine_id=event.machine,
            name=event.name,
            frm=Points(event.frm, event.frm),
            sys=Points(event.sys, event.sys),
            av=dict(event.av),
            pilot_binding=event.pilot_binding,
        )


def machine_boarded(state: FreefallState, event: MachineBoarded) -> None:
    """Set the pilot; a machine has one pilot, and a pilot one machine, so earlier ones are removed."""
    machine, character = state.machines.get(event.machine), state.characters.get(event.character)
    if machine is None or character is None or character.status == "ousted":
        return
    for other in state.machines.values():
        if other.pilot == event.character:
            other.pilot = None
    machine.pilot = event.character
    clamp(state, character)


def machine_left(state: FreefallState, event: MachineLeft) -> None:
    """Remove the pilot."""
    machine = state.machines.get(event.machine)
    if machine is not None and machine.pilot == event.character:
        machine.pilot = None


def machine_broken(state: FreefallState, event: MachineBroken) -> None:
    """Mark the machine as broken; it still binds its pilot."""
    machine = state.machines.get(event.machine)
    if machine is not None:
        machine.state = "broken"
