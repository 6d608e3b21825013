"""A character who was created hidden comes into play. Their tests stay as hidden as they were made."""

from copy import deepcopy

from domain.systems.angst.counted import Cause
from domain.systems.angst.entered_events import CharacterEntered
from domain.systems.angst.state import Angst, Core
from domain.systems.angst.tables import KINDS


def entered(state: Angst, subject: str) -> list[CharacterEntered]:
    """How they stand now, for who did not know them, without what is told of others who are hidden."""
    found = state.characters.get(subject)
    if found is None:
        return []
    sheet = deepcopy(found)
    sheet.hidden = False
    for core in sheet.cores.values():
        for kind in KINDS:
            core.cause.set(kind, None)  # the action that hurt them stays hidden
    hidden = {who for who, each in state.characters.items() if each.hidden and who != subject}
    sheet.relationships = {target: each for target, each in sheet.relationships.items() if target not in hidden}
    return [CharacterEntered(sheet)]


def evolve_entered(state: Angst, event: CharacterEntered) -> None:
    """They are known from here on, and heal before everybody; who knew them learns nothing else."""
    who = event.sheet.character_id
    if who in state.characters and not state.characters[who].hidden:
        return  # everybody knows them
    character = state.characters.setdefault(who, deepcopy(event.sheet))
    character.hidden = False
    if event.entered_in is not None:
        for core in character.cores.values():
            _heal_openly(core, Cause(event.entered_in))


def _heal_openly(core: Core, cause: Cause) -> None:
    for kind in KINDS:
        if core.anchor.get(kind) is not None or core.due_at.get(kind) is not None:
            core.cause.set(kind, cause)
