"""Entering play: a hidden character. Their tests stay as hidden as they were made."""

from collections.abc import Collection
from copy import deepcopy

from domain.systems.angst.entrance_events import CharacterEntered
from domain.systems.angst.rolls import Cause
from domain.systems.angst.state import Angst, Character, Core
from domain.systems.angst.tables import KINDS


def entrance_events(state: Angst, subject: str) -> list[CharacterEntered]:
    """The event that tells how a hidden character is now, without what it would tell of other hidden ones."""
    character = state.characters.get(subject)
    if character is None:
        return []
    sheet = deepcopy(character)
    sheet.hidden = False
    for core in sheet.cores.values():
        for kind in KINDS:
            core.cause.set(kind, None)  # the action that hurt them stays hidden
    hidden_ids = {who for who, other in state.characters.items() if other.hidden and who != subject}
    sheet.relationships = {
        target: relationship for target, relationship in sheet.relationships.items() if target not in hidden_ids
    }
    return [CharacterEntered(sheet)]


def evolve_entered(state: Angst, event: CharacterEntered) -> None:
    """Add the character where they were not known; from here on they heal openly."""
    who = event.sheet.character_id
    if who in state.characters and not state.characters[who].hidden:
        if event.entered_in is not None:
            _tell_hidden_clocks(state.characters[who], event.sheet, Cause(event.entered_in))
        return  # known to everyone already
    character = state.characters.setdefault(who, deepcopy(event.sheet))
    character.hidden = False
    if event.entered_in is not None:
        for core in character.cores.values():
            _heal_openly(core, Cause(event.entered_in))


def may_enter(state: Angst) -> Collection[str]:
    """The ids of all things that `entrance_events` tells of."""
    return state.characters.keys()


def _tell_hidden_clocks(character: Character, event_character: Character, cause: Cause) -> None:
    """Open the healing of losses that were hidden and are told now."""
    for name, core in character.cores.items():
        as_told = event_character.core(name)
        for kind in KINDS:
            before, clock = core.cause.get(kind), (core.anchor.get(kind), core.due_at.get(kind))
            same = clock == (as_told.anchor.get(kind), as_told.due_at.get(kind))
            if before is not None and before.visibility != "all" and same:
                core.cause.set(kind, cause)


def _heal_openly(core: Core, cause: Cause) -> None:
    for kind in KINDS:
        if core.anchor.get(kind) is not None or core.due_at.get(kind) is not None:
            core.cause.set(kind, cause)


def evolve_reentered(state: Angst, event: CharacterEntered) -> Angst:
    """Replace the character by what the event tells, because their past may not all be known.

    The event never tells causes of clocks, nor relationships to other hidden characters: these stay.
    """
    known_character = state.characters.pop(event.sheet.character_id, None)
    evolve_entered(state, event)
    if known_character is None:
        return state
    character = state.characters[event.sheet.character_id]
    for name, core in character.cores.items() if not known_character.hidden else ():
        _heal_as_before(core, known_character.core(name))
    for target, relationship in known_character.relationships.items():
        if target in state.characters and state.characters[target].hidden:
            character.relationships[target] = relationship
    return state


def _heal_as_before(core: Core, known_core: Core) -> None:
    for kind in KINDS:
        if core.cause.get(kind) is not None and known_core.cause.get(kind) is not None:
            core.cause.set(kind, known_core.cause.get(kind))
