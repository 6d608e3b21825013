"""Harm to a machine, allocated level by level by its pilot (FF-22, FF-C23).

Codes: machine_cannot_absorb, one_choice_per_level, no_pilot, harm_incomplete, insufficient_attribute, and those
of `harm` for levels that the pilot takes; not_the_pilot (forbidden).
"""

from domain.command_context import CommandContext
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.freefall import events as e
from domain.systems.freefall.access import find_machine, is_own, require_settled
from domain.systems.freefall.attributes import machine_attribute_spent
from domain.systems.freefall.commands import AllocateMachineHarm, Allocation, Choice
from domain.systems.freefall.harm import after_armour, apply, own, resolve
from domain.systems.freefall.harm_choices import answered, call_harm, find_call, require_choice
from domain.systems.freefall.machines import machine_broken
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Character, FreefallState, Machine
from domain.systems.freefall.tables import MACHINE_MATCHING, HarmType
from domain.systems.freefall.term_words import HARMS


def allocate_machine_harm(
    state: FreefallState, context: CommandContext, command: AllocateMachineHarm
) -> list[e.Event]:
    """FF-C23: the pilot says where each level goes; a GM may call the harm first."""
    if command.harm_type is None and command.levels is None:
        return _answered(state, context, command)
    if command.harm_type is None or command.levels is None:
        raise Rejection("harm_incomplete", "Harm has a type and a number of levels.", rule="FF-C23")
    machine = _machine(state, context, command.machine)
    pilot = _pilot(state, machine)
    if not context.is_gm and not is_own(pilot, context):
        raise Forbidden(
            "not_the_pilot",
            say("Only the pilot of {machine} or a GM may do that.", machine=machine.name),
            rule="FF-C23",
        )
    av = machine.av.get(command.harm_type, 0)
    levels = after_armour(command.levels, av, high_impact=command.high_impact)
    if command.choices is None:
        suffered = _for_pilot(
            context, pilot, command.harm_type, levels, command.levels, av, high_impact=command.high_impact
        )
        return [call_harm(state, pilot, suffered, context, machine=machine.machine_id)]
    require_choice(pilot, context)
    require_settled(state, pilot, "FF-C23")
    harm = e.MachineHarmSuffered(
        machine=machine.machine_id,
        pilot=pilot.character_id,
        harm_type=command.harm_type,
        incoming=command.levels,
        av=av,
        levels=levels,
        high_impact=command.high_impact,
    )
    return _allocated(state, context, machine, pilot, harm, command.choices)


def _machine(state: FreefallState, context: CommandContext, machine: str | None) -> Machine:
    """The machine that a command means: if left out, that of the asker's character, else the only piloted one."""
    if machine is None:
        piloted = [candidate for candidate in state.listed_machines() if candidate.pilot in state.characters]
        mine = [
            candidate
            for candidate in piloted
            if candidate.pilot is not None
            and (who := state.characters[candidate.pilot]).player is not None
            and is_own(who, context)
        ]
        if len(mine or piloted) == 1:
            machine = context.filled["machine"] = (mine or piloted)[0].machine_id
    return find_machine(state, context, machine, "FF-C23")


def _pilot(state: FreefallState, machine: Machine) -> Character:
    """The pilot of a machine. Raises `no_pilot`."""
    pilot = state.characters.get(machine.pilot) if machine.pilot is not None else None
    if pilot is None:
        raise Rejection("no_pilot", say("Nobody pilots {machine}.", machine=machine.name), rule="FF-C23")
    return pilot


def _answered(state: FreefallState, context: CommandContext, command: AllocateMachineHarm) -> list[e.Event]:
    """The pilot's choices for harm that was called."""
    call = find_call(state, context, command.call, machine=True, rule="FF-C23")
    machine = find_machine(state, context, call.machine, "FF-C23")
    pilot = state.characters.get(call.character)
    if pilot is None:
        raise Rejection(
            "no_pilot", say("{machine} has no pilot to answer for it.", machine=machine.name), rule="FF-C23"
        )
    require_choice(pilot, context)
    harm = e.MachineHarmSuffered(
        machine=machine.machine_id,
        pilot=pilot.character_id,
        harm_type=call.harm_type,
        incoming=call.incoming,
        av=call.av,
        levels=call.levels,
        high_impact=call.high_impact,
        call_id=call.call_id,
    )
    return _allocated(state, context, machine, pilot, harm, command.choices or [])


def _allocated(
    state: FreefallState,
    context: CommandContext,
    machine: Machine,
    pilot: Character,
    harm: e.MachineHarmSuffered,
    choices: list[Allocation],
) -> list[e.Event]:
    """The events of all levels, one after another, tried on copies of machine and pilot."""
    trial = FreefallState(characters={pilot.character_id: own(pilot)}, machines={machine.machine_id: own(machine)})
    events: list[e.Event] = [harm]
    if len(choices) > harm.levels:
        _wrong_count(harm.levels, len(choices))
    _require_in_use(state, context, machine, choices)
    for nth in range(harm.levels):
        if trial.characters[pilot.character_id].status == "ousted":
            break  # the pilot is ousted: the remaining levels need no choice
        if nth >= len(choices):
            _wrong_count(harm.levels, len(choices))
        if choices[nth].to == "machine":
            level = _absorbed(trial.machines[machine.machine_id], harm.harm_type)
        else:
            level = _take_level(trial, context, pilot, harm.harm_type, choices[nth].choice, nth)
        for event in level:
            match event:
                case e.MachineAttributeSpent():
                    machine_attribute_spent(trial, event)
                case e.MachineBroken():
                    machine_broken(trial, event)
                case _:
                    apply(trial, event)
        events += level
    return events


def _require_in_use(
    state: FreefallState, context: CommandContext, machine: Machine, choices: list[Allocation]
) -> None:
    """Raise `machine_cannot_absorb` where a fixer has the machine, even if it is piloted."""
    if (
        state.is_on_bench(machine)
        and not context.decided_before
        and any(choice.to == "machine" for choice in choices)
    ):
        raise Rejection(
            "machine_cannot_absorb",
            say("{machine} is with a fixer; its pilot has to take the harm.", machine=machine.name),
            rule="FF-A19",
        )


def _wrong_count(levels: int, got: int) -> None:
    raise Rejection(
        "one_choice_per_level",
        say("Give one choice for each level: {needed} needed, {got} given.", needed=levels, got=got),
        rule="FF-C23",
        levels=levels,
    )


def _absorbed(machine: Machine, harm_type: HarmType) -> list[e.Event]:
    """The machine pays with FRM or SYS; with nothing left, it breaks."""
    attribute = MACHINE_MATCHING.get(harm_type)
    if machine.state == "broken":
        raise Rejection(
            "machine_cannot_absorb",
            say("{machine} is broken by then; its pilot takes the remaining levels.", machine=machine.name),
            rule="FF-A19",
        )
    if attribute is None:
        raise Rejection(
            "machine_cannot_absorb",
            say("{machine} cannot take {harm}; its pilot has to.", machine=machine.name, harm=HARMS[harm_type]),
            rule="FF-A19",
        )
    points = machine.frm if attribute == "frm" else machine.sys
    if points.current < 1:
        return [e.MachineBroken(machine=machine.machine_id, kept=machine.pilot_binding.costs())]
    return [
        e.MachineAttributeSpent(
            machine=machine.machine_id, attribute=attribute, amount=1, current_after=points.current - 1
        )
    ]


def _for_pilot(
    context: CommandContext,
    pilot: Character,
    harm_type: HarmType,
    levels: int,
    incoming: int,
    av: int,
    *,
    high_impact: bool = False,
) -> e.HarmSuffered:
    """Harm that a pilot takes through a machine."""
    settings: Settings = context.settings
    return e.HarmSuffered(
        character=pilot.character_id,
        harm_type=harm_type,
        incoming=incoming,
        av=av,
        levels=levels,
        high_impact=high_impact,
        source="machine",
        av_stacking=settings.av_stacking,
    )


def _take_level(
    trial: FreefallState,
    context: CommandContext,
    pilot: Character,
    harm_type: HarmType,
    choice: Choice | None,
    nth: int,
) -> list[e.Event]:
    """The pilot takes a level: without a second armour, but with a point or an option as always."""
    if choice is None:
        raise Rejection("one_choice_per_level", "Say how the pilot resolves this level.", rule="FF-C23")
    suffered = _for_pilot(context, pilot, harm_type, 1, 1, 0)
    if choice.spend:
        return resolve(trial, context, suffered, 1, [], "FF-C23", nth=nth)
    return resolve(trial, context, suffered, 0, [choice], "FF-C23", nth=nth)


def machine_harm_suffered(state: FreefallState, event: e.MachineHarmSuffered) -> None:
    """Remove the call; the effects of its levels are events of their own."""
    answered(state, event.call_id)
