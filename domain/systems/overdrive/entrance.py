"""What was created hidden comes into play: a character with their mechs, or a mech of somebody known."""

from copy import deepcopy

from msgspec import structs

from domain.ids import ActionId, born
from domain.systems.overdrive.entered_events import CharacterEntered, Entered, MechEntered
from domain.systems.overdrive.state import OverdriveState


def entered(state: OverdriveState, subject: str) -> list[Entered]:
    """How it stands now, for who did not know it; a mech of somebody hidden comes with its pilot."""
    mech = state.mechs.get(subject)
    pilot = state.characters.get(mech.pilot) if mech is not None else None
    character = state.characters.get(subject) or (pilot if pilot is not None and pilot.hidden else None)
    if character is not None:
        who = character.character_id
        mechs = [state.mechs[each] for each in sorted(state.mechs) if state.mechs[each].pilot == who]
        return [CharacterEntered(structs.replace(deepcopy(character), hidden=False), deepcopy(mechs))]
    if mech is not None:
        return [MechEntered(deepcopy(mech), dict(pilot.pairing) if pilot is not None else {})]
    return []


def evolve_entered(state: OverdriveState, event: Entered) -> None:
    """It is known from here on, to all; whoever knew it already learns nothing."""
    match event:
        case CharacterEntered():
            who = event.character.character_id
            if who not in state.characters:
                for mech in event.mechs:
                    state.mechs.setdefault(mech.mech_id, deepcopy(mech))
            state.characters.setdefault(who, deepcopy(event.character)).hidden = False
        case MechEntered():
            state.mechs.setdefault(event.mech.mech_id, deepcopy(event.mech))
            pilot = state.characters.get(event.mech.pilot)
            if pilot is not None and not pilot.pairing:
                pilot.pairing = dict(event.pairing)


def tell_anew(state: OverdriveState, event: Entered) -> OverdriveState:
    """It is as the event tells it, for whoever does not know all of its past."""
    match event:
        case CharacterEntered():
            who = event.character.character_id
            state.characters.pop(who, None)
            told = {each.mech_id for each in event.mechs}
            state.mechs = {id_: each for id_, each in state.mechs.items() if each.pilot != who and id_ not in told}
        case MechEntered():
            state.mechs.pop(event.mech.mech_id, None)
            pilot = state.characters.get(event.mech.pilot)
            if pilot is not None:
                pilot.pairing = {}
    evolve_entered(state, event)
    return state


def revealed(state: OverdriveState, action_id: ActionId) -> None:
    """The character that an action made is hidden no more."""
    character = state.characters.get(born("character", action_id))
    if character is not None:
        character.hidden = False
