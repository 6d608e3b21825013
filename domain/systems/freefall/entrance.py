"""What was created hidden: how it enters play, and what the table goes by as long as it has not."""

from copy import deepcopy
from typing import assert_never

from msgspec import structs

from domain.command_context import Asked
from domain.ids import ActionId, born
from domain.systems.freefall.attributes import clamp
from domain.systems.freefall.entered_events import (
    CharacterEntered,
    ClockEntered,
    Entered,
    GearEntered,
    HarmEntered,
    MachineEntered,
)
from domain.systems.freefall.entered_work import forget_work, told_work, work_entered
from domain.systems.freefall.slots import fill, place
from domain.systems.freefall.state import Character, FreefallState, Machine

BORN_MAX = 1000
"""As many harms as one action can bring upon somebody."""


def entered(state: FreefallState, subject: str) -> list[Entered]:
    """How it stands now, for who did not know it; what belongs to somebody hidden comes with them."""
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


def _owner(state: FreefallState, subject: str) -> Character | None:
    """Whose item or harm it is."""
    return next(
        (each for each in state.people() if subject in each.items or place(each, subject) is not None), None
    )


def _character(state: FreefallState, found: Character) -> CharacterEntered:
    """The sheet, with nothing hidden on it any more."""
    sheet = structs.replace(deepcopy(found), hidden=False)
    _unhide(sheet)
    called = [deepcopy(each) for each in state.called if each.character == found.character_id]
    return CharacterEntered(
        sheet,
        deepcopy(state.machine_of(found.character_id)),
        called,
        **told_work(state, found.character_id),
    )


def _unhide(sheet: Character) -> None:
    for harm in sheet.slots:
        if harm is not None:
            harm.hidden = False


def _belonging(state: FreefallState, owner: Character, subject: str) -> GearEntered | HarmEntered:
    """An item or a harm of somebody known."""
    nth = place(owner, subject)
    harm = owner.slots[nth] if nth is not None else None
    if nth is None or harm is None:
        work = told_work(state, owner.character_id, item=subject)
        return GearEntered(owner.character_id, subject, deepcopy(owner.items[subject]), **work)
    work = told_work(state, owner.character_id, harm=subject)
    return HarmEntered(owner.character_id, nth + 1, structs.replace(harm, hidden=False), **work)


def evolve_entered(state: FreefallState, event: Entered) -> None:
    """It is known from here on, to all; whoever knew it already learns nothing."""
    match event:
        case CharacterEntered():
            _character_entered(state, event)
        case GearEntered():
            _gear_entered(state, event)
        case HarmEntered():
            _harm_entered(state, event)
        case MachineEntered():
            state.machines.setdefault(event.machine.machine_id, deepcopy(event.machine))
        case ClockEntered():
            state.clocks.setdefault(event.clock.clock_id, deepcopy(event.clock)).hidden = False
        case _:
            assert_never(event)


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
    known = owner.slots[nth] if owner is not None and nth is not None else None
    if known is not None:
        known.hidden = False
    elif owner is not None:
        fill(owner, event.slot, deepcopy(event.harm))
    work_entered(state, event, learns=owner is not None and known is None)


def _character_entered(state: FreefallState, event: CharacterEntered) -> None:
    who = event.character.character_id
    work_entered(state, event, learns=who not in state.characters)
    if (known := state.characters.get(who)) is not None:
        known.hidden = False
        told = {each.harm_id for each in event.character.slots if each is not None}
        for harm in known.slots:
            if harm is not None and harm.harm_id in told:
                harm.hidden = False
        return
    state.characters[who] = deepcopy(event.character)
    state.called += [deepcopy(each) for each in event.called]
    if event.machine is not None:
        machine = state.machines.setdefault(event.machine.machine_id, deepcopy(event.machine))
        machine.pilot = machine.pilot or who


def tell_anew(state: FreefallState, event: Entered) -> FreefallState:
    """It is as the event tells it, for whoever does not know all of its past."""
    if isinstance(event, CharacterEntered | GearEntered | HarmEntered):
        forget_work(state, event)
    match event:
        case CharacterEntered():
            who = event.character.character_id
            state.characters.pop(who, None)
            state.called = [each for each in state.called if each.character != who]
            _disembark(state, who, event.machine)
        case GearEntered():
            owner = state.characters.get(event.character)
            if owner is not None:
                owner.items.pop(event.item, None)
        case HarmEntered():
            owner = state.characters.get(event.character)
            nth = place(owner, event.harm.harm_id) if owner is not None else None
            if owner is not None and nth is not None:
                owner.slots[nth] = None
        case MachineEntered():
            state.machines.pop(event.machine.machine_id, None)
        case ClockEntered():
            state.clocks.pop(event.clock.clock_id, None)
        case _:
            assert_never(event)
    evolve_entered(state, event)
    return state


def _disembark(state: FreefallState, who: str, into: Machine | None) -> None:
    """They sit in no machine, and the one that is told anew is not known either."""
    if into is not None:
        state.machines.pop(into.machine_id, None)
    for machine in state.machines.values():
        if machine.pilot == who:
            machine.pilot = None


def revealed(state: FreefallState, action_id: ActionId) -> None:
    """What an action made is hidden no more."""
    made = born("character", action_id)
    for character in state.characters.values():
        if character.character_id == made:
            character.hidden = False
    harms = [
        each for found in state.characters.values() for each in found.slots if each is not None and each.hidden
    ]
    if harms:
        ids = {born("harm", action_id, nth) for nth in range(BORN_MAX)}
        for harm in harms:
            harm.hidden = harm.hidden and harm.harm_id not in ids
    clock = state.clocks.get(born("clock", action_id))
    if clock is not None:
        clock.hidden = False


def as_the_table_goes_by(state: FreefallState, asked: Asked) -> FreefallState:
    """The state that decides: what is asked openly goes by no harm of which the table does not know."""
    if asked.visibility != "all":
        return state
    seen = {who: _without_hidden_harm(each) for who, each in state.characters.items() if _has_hidden_harm(each)}
    return structs.replace(state, characters=state.characters | seen) if seen else state


def _has_hidden_harm(character: Character) -> bool:
    return not character.hidden and any(each is not None and each.hidden for each in character.slots)


def _without_hidden_harm(character: Character) -> Character:
    slots = [None if each is not None and each.hidden else each for each in character.slots]
    return structs.replace(character, slots=slots)
