"""Hidden things: how they enter play, and the state without them that open commands are decided on."""

from collections.abc import Collection
from copy import deepcopy

from msgspec import structs

from domain.command_context import CommandContext
from domain.ids import ActionId, derive_id
from domain.mechanics.dispatch import Evolve
from domain.systems.freefall.attributes import clamp
from domain.systems.freefall.entrance_events import (
    CharacterEntered,
    ClockEntered,
    EntranceEvent,
    GearEntered,
    HarmEntered,
    MachineEntered,
)
from domain.systems.freefall.entrance_of_work import forget_work, told_work, work_entered
from domain.systems.freefall.harm_slots import fill, place
from domain.systems.freefall.state import Character, FreefallState, Machine

BORN_MAX = 1000
"""The most harms that one action causes."""


def entrance_events(state: FreefallState, subject: str) -> list[EntranceEvent]:
    """The events that tell how a hidden thing is now; a thing of a hidden character enters with them."""
    machine = state.machines.get(subject)
    owner = state.characters.get(subject) or _owner(state, subject)
    if machine is not None and machine.pilot is not None:
        owner = state.characters.get(machine.pilot)
    if owner is not None and (owner.hidden or owner.character_id == subject):
        return [_character(state, owner)]
    if machine is not None:
        return [MachineEntered(deepcopy(machine))]
    if owner is not None:
        return [_belonging(state, owner, subject)]
    if (clock := state.clocks.get(subject)) is not None:
        return [ClockEntered(structs.replace(clock, hidden=False))]
    return []


def may_enter(state: FreefallState) -> Collection[str]:
    """The ids of all things that `entrance_events` tells of; the belongings of people are among them."""
    people = state.characters.values()
    harms = (harm.harm_id for person in people for harm in person.slots if harm is not None)
    items = (item for person in people for item in person.items)
    return {*state.machines, *state.characters, *items, *harms, *state.clocks}


def _owner(state: FreefallState, subject: str) -> Character | None:
    """The owner of an item or a harm."""
    return next(
        (
            character
            for character in state.people()
            if subject in character.items or place(character, subject) is not None
        ),
        None,
    )


def _character(state: FreefallState, character: Character) -> CharacterEntered:
    """The event of a sheet, with nothing hidden on it any more."""
    sheet = structs.replace(deepcopy(character), hidden=False)
    _unhide(sheet)
    calls = [deepcopy(call) for call in state.called if call.character == character.character_id]
    return CharacterEntered(
        sheet,
        deepcopy(state.machine_of(character.character_id)),
        calls,
        **told_work(state, character.character_id),
    )


def _unhide(sheet: Character) -> None:
    for harm in sheet.slots:
        if harm is not None:
            harm.hidden = False


def _belonging(state: FreefallState, owner: Character, subject: str) -> GearEntered | HarmEntered:
    """The event of an item or a harm of a known character."""
    nth = place(owner, subject)
    harm = owner.slots[nth] if nth is not None else None
    if nth is None or harm is None:
        work = told_work(state, owner.character_id, item=subject)
        return GearEntered(owner.character_id, subject, deepcopy(owner.items[subject]), **work)
    work = told_work(state, owner.character_id, harm=subject)
    return HarmEntered(owner.character_id, nth + 1, structs.replace(harm, hidden=False), **work)


def _gear_entered(state: FreefallState, event: GearEntered) -> None:
    owner = state.characters.get(event.character)
    learns = owner is not None and event.item not in owner.items
    if owner is not None and learns:
        owner.items[event.item] = deepcopy(event.what)
        clamp(state, owner)
    work_entered(state, event, learns=learns)


def _harm_entered(state: FreefallState, event: HarmEntered) -> None:
    owner = state.characters.get(event.character)
    nth = place(owner, event.harm.harm_id) if owner is not None else None
    harm = owner.slots[nth] if owner is not None and nth is not None else None
    if harm is not None:
        harm.hidden = False
    elif owner is not None:
        fill(owner, event.slot, deepcopy(event.harm))
    work_entered(state, event, learns=owner is not None and harm is None)


def _character_entered(state: FreefallState, event: CharacterEntered) -> None:
    who = event.character.character_id
    work_entered(state, event, learns=who not in state.characters)
    if (character := state.characters.get(who)) is not None:
        character.hidden = False
        harm_ids = {harm.harm_id for harm in event.character.slots if harm is not None}
        for harm in character.slots:
            if harm is not None and harm.harm_id in harm_ids:
                harm.hidden = False
        return
    state.characters[who] = deepcopy(event.character)
    state.called += [deepcopy(call) for call in event.called]
    if event.machine is not None:
        machine = state.machines.setdefault(event.machine.machine_id, deepcopy(event.machine))
        machine.pilot = machine.pilot or who


def _machine_entered(state: FreefallState, event: MachineEntered) -> None:
    state.machines.setdefault(event.machine.machine_id, deepcopy(event.machine))


def _clock_entered(state: FreefallState, event: ClockEntered) -> None:
    state.clocks.setdefault(event.clock.clock_id, deepcopy(event.clock)).hidden = False


def _forget_character(state: FreefallState, event: CharacterEntered) -> None:
    forget_work(state, event)
    who = event.character.character_id
    state.characters.pop(who, None)
    state.called = [call for call in state.called if call.character != who]
    _disembark(state, who, event.machine)


def _disembark(state: FreefallState, who: str, into: Machine | None) -> None:
    """Remove the pilot from their machine, and the machine that is told again."""
    if into is not None:
        state.machines.pop(into.machine_id, None)
    for machine in state.machines.values():
        if machine.pilot == who:
            machine.pilot = None


def _forget_gear(state: FreefallState, event: GearEntered) -> None:
    forget_work(state, event)
    owner = state.characters.get(event.character)
    if owner is not None:
        owner.items.pop(event.item, None)


def _forget_harm(state: FreefallState, event: HarmEntered) -> None:
    forget_work(state, event)
    owner = state.characters.get(event.character)
    nth = place(owner, event.harm.harm_id) if owner is not None else None
    if owner is not None and nth is not None:
        owner.slots[nth] = None


def _forget_machine(state: FreefallState, event: MachineEntered) -> None:
    state.machines.pop(event.machine.machine_id, None)


def _forget_clock(state: FreefallState, event: ClockEntered) -> None:
    state.clocks.pop(event.clock.clock_id, None)


EVOLVE: Evolve[FreefallState] = {
    CharacterEntered: _character_entered,
    GearEntered: _gear_entered,
    HarmEntered: _harm_entered,
    MachineEntered: _machine_entered,
    ClockEntered: _clock_entered,
}
"""Add a thing where it was not known, for everyone."""

FORGET: Evolve[FreefallState] = {
    CharacterEntered: _forget_character,
    GearEntered: _forget_gear,
    HarmEntered: _forget_harm,
    MachineEntered: _forget_machine,
    ClockEntered: _forget_clock,
}
"""Remove all knowledge of a thing."""


def evolve_reentered(state: FreefallState, event: EntranceEvent) -> FreefallState:
    """Replace the thing by what the event tells, because its past may not all be known."""
    FORGET[type(event)](state, event)
    EVOLVE[type(event)](state, event)
    return state


def reveal(state: FreefallState, action_id: ActionId) -> None:
    """Clear the hidden flags of the things an action made."""
    character_id = derive_id("character", action_id)
    for character in state.characters.values():
        if character.character_id == character_id:
            character.hidden = False
    harms = [
        harm
        for character in state.characters.values()
        for harm in character.slots
        if harm is not None and harm.hidden
    ]
    if harms:
        ids = {derive_id("harm", action_id, nth) for nth in range(BORN_MAX)}
        for harm in harms:
            harm.hidden = harm.hidden and harm.harm_id not in ids
    clock = state.clocks.get(derive_id("clock", action_id))
    if clock is not None:
        clock.hidden = False


def as_the_table_goes_by(state: FreefallState, context: CommandContext) -> FreefallState:
    """The state for deciding: for an open command, without harm that the table does not know of."""
    if context.visibility != "all":
        return state
    characters = {
        who: _without_hidden_harm(character)
        for who, character in state.characters.items()
        if _has_hidden_harm(character)
    }
    return structs.replace(state, characters=state.characters | characters) if characters else state


def _has_hidden_harm(character: Character) -> bool:
    return not character.hidden and any(harm is not None and harm.hidden for harm in character.slots)


def _without_hidden_harm(character: Character) -> Character:
    slots = [None if harm is not None and harm.hidden else harm for harm in character.slots]
    return structs.replace(character, slots=slots)
