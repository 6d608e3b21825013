"""Entering play: a character with their mechs, or a mech of a known character."""

from collections.abc import Collection
from copy import deepcopy

from msgspec import structs

from domain.ids import ActionId, derive_id
from domain.mechanics.dispatch import Evolve
from domain.systems.overdrive.entrance_events import CharacterEntered, EntranceEvent, MechEntered
from domain.systems.overdrive.state import OverdriveState


def entrance_events(state: OverdriveState, subject: str) -> list[EntranceEvent]:
    """The events that tell how a hidden thing is now; a mech of a hidden character enters with its pilot."""
    mech = state.mechs.get(subject)
    pilot = state.characters.get(mech.pilot) if mech is not None else None
    character = state.characters.get(subject) or (pilot if pilot is not None and pilot.hidden else None)
    if character is not None:
        who = character.character_id
        mechs = [state.mechs[mech_id] for mech_id in sorted(state.mechs) if state.mechs[mech_id].pilot == who]
        return [CharacterEntered(structs.replace(deepcopy(character), hidden=False), deepcopy(mechs))]
    if mech is not None:
        return [MechEntered(deepcopy(mech), dict(pilot.pairing) if pilot is not None else {})]
    return []


def may_enter(state: OverdriveState) -> Collection[str]:
    """The ids of all things that `entrance_events` tells of."""
    return {*state.characters, *state.mechs}


def _character_entered(state: OverdriveState, event: CharacterEntered) -> None:
    who = event.character.character_id
    if who not in state.characters:
        for mech in event.mechs:
            state.mechs.setdefault(mech.mech_id, deepcopy(mech))
    state.characters.setdefault(who, deepcopy(event.character)).hidden = False


def _mech_entered(state: OverdriveState, event: MechEntered) -> None:
    state.mechs.setdefault(event.mech.mech_id, deepcopy(event.mech))
    pilot = state.characters.get(event.mech.pilot)
    if pilot is not None and not pilot.pairing:
        pilot.pairing = dict(event.pairing)


def _forget_character(state: OverdriveState, event: CharacterEntered) -> None:
    who = event.character.character_id
    state.characters.pop(who, None)
    mech_ids = {mech.mech_id for mech in event.mechs}
    state.mechs = {id_: mech for id_, mech in state.mechs.items() if mech.pilot != who and id_ not in mech_ids}


def _forget_mech(state: OverdriveState, event: MechEntered) -> None:
    state.mechs.pop(event.mech.mech_id, None)
    pilot = state.characters.get(event.mech.pilot)
    if pilot is not None:
        pilot.pairing = {}


EVOLVE: Evolve[OverdriveState] = {CharacterEntered: _character_entered, MechEntered: _mech_entered}
"""Add a thing where it was not known, for everyone."""

FORGET: Evolve[OverdriveState] = {CharacterEntered: _forget_character, MechEntered: _forget_mech}
"""Remove all knowledge of a thing."""


def evolve_reentered(state: OverdriveState, event: EntranceEvent) -> OverdriveState:
    """Replace the thing by what the event tells, because its past may not all be known."""
    FORGET[type(event)](state, event)
    EVOLVE[type(event)](state, event)
    return state


def reveal(state: OverdriveState, action_id: ActionId) -> None:
    """Clear the hidden flag of the character that an action made."""
    character = state.characters.get(derive_id("character", action_id))
    if character is not None:
        character.hidden = False
