"""Candidates for the fields of FREE/FALL's commands, as a state knows them."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from domain.command_context import CommandContext
from domain.field_references import Candidates, Given
from domain.systems.freefall.access import is_own
from domain.systems.freefall.attributes import pool
from domain.systems.freefall.command_parts import POSITIVE_MAX
from domain.systems.freefall.commands import (
    AllocateMachineHarm,
    CreateCharacter,
    ReceiveHarm,
    ResolveConflict,
    RollAction,
)
from domain.systems.freefall.state import Action, Actor, Character, FreefallState
from domain.systems.freefall.tables import (
    ATTRIBUTES,
    CLASSES,
    CREATION_ARRAY,
    MACHINE_ATTRIBUTES,
    MATCHING,
    SLOTS,
    HarmType,
)


def _characters(state: FreefallState, _inputs: Given, context: CommandContext) -> list[str]:
    """The asker's own, then those who take part in the turn, then everybody else."""
    there = [actor.actor for actor in state.board.actors] if state.board is not None else []

    def by_nearness(character: Character) -> tuple[bool, bool]:
        return character.player != context.account, character.character_id not in there

    return [character.character_id for character in sorted(state.people(), key=by_nearness)]


def _sheets(state: FreefallState, inputs: Given, context: CommandContext) -> list[Character]:
    """The character that is given; without one, all that the asker may act for."""
    sheet = state.characters.get(str(inputs.get("character")))
    if sheet is not None:
        return [sheet]
    everybody = [state.characters[who] for who in _characters(state, {}, context)]
    own = [character for character in everybody if character.player == context.account]
    return everybody if context.is_gm else own


def _attack_targets(state: FreefallState, inputs: Given, context: CommandContext) -> list[str]:
    """The actors of the turn, else everybody; then the machines."""
    people = _actors(state, inputs, context) or _characters(state, inputs, context)
    return [*people, *(machine.machine_id for machine in state.listed_machines())]


def _actors(state: FreefallState, _inputs: Given, context: CommandContext) -> list[str]:
    """The actors of the turn: those who have not declared yet, and the asker's own, first."""

    def by_nearness(actor: Actor) -> tuple[bool, bool]:
        character = state.characters.get(actor.actor)
        return actor.seat is not None, character is None or character.player != context.account

    actors = state.board.actors if state.board is not None else []
    return [actor.actor for actor in sorted(actors, key=by_nearness)]


def _open_actions(state: FreefallState) -> list[Action]:
    """The actions of the turn, those that are still to be rolled first, as they are ordered."""
    board = state.board
    if board is None:
        return []

    def by_turn(action: Action) -> tuple[bool, int]:
        return action.status != "declared", board.order.index(action.actor) if action.actor in board.order else 0

    return sorted(board.actions, key=by_turn)


def _actions(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [action.id for action in _open_actions(state)]


def _sides(state: FreefallState, inputs: Given, context: CommandContext) -> list[str]:
    return [*_actions(state, inputs, context), *_characters(state, inputs, context)]


def _groups(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    actors = state.board.actors if state.board is not None else []
    return [actor.group for actor in actors if actor.group is not None]


def _pools(state: FreefallState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """As many dice as a character has, or as were assigned to an action."""
    yield 1
    yield from (pool(character) for character in state.people())
    yield from (action.dice for action in _open_actions(state))


def _dice_of_turn(state: FreefallState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    yield 1
    yield from (actor.dice_pool for actor in (state.board.actors if state.board is not None else ()))


def _target_numbers(state: FreefallState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """Any, or the one that a GM named."""
    yield from (1, POSITIVE_MAX)
    tns = [*(action.tn for action in _open_actions(state)), *(call.tn for call in state.called_rolls.values())]
    yield from (tn for tn in tns if tn is not None)


def _mitigation(state: FreefallState, _inputs: Given, _context: CommandContext) -> Iterator[int]:
    """As many points as an attribute has left, or as there are levels of harm."""
    yield 0
    yield from (call.levels for call in state.called)
    for sheet in state.people():
        yield from (points.current for points in sheet.attributes.values())


def _conflicts(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    """Those that are tied first."""
    return [
        conflict.conflict_id
        for conflict in sorted(state.conflicts, key=lambda conflict: conflict.first is not None)
    ]


def _tied(state: FreefallState, inputs: Given, _context: CommandContext) -> Iterator[str]:
    """The sides of the conflict that is given, else of every one that is tied."""
    for conflict in state.conflicts:
        if inputs.get("conflict") in (None, conflict.conflict_id):
            yield from conflict.tied


def _rolls(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [roll.roll_id for roll in reversed(state.rolls)]


def _clocks(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [clock.clock_id for clock in state.listed_clocks()]


def _items(state: FreefallState, inputs: Given, context: CommandContext) -> Iterator[str]:
    for sheet in _sheets(state, inputs, context):
        yield from (id_ for id_, _ in sheet.gear())


def _repairable(state: FreefallState, inputs: Given, context: CommandContext) -> list[str]:
    """Items, then machines; those that do not work first."""
    gear = [item for sheet in _sheets(state, inputs, context) for item in sheet.gear()]
    items = [id_ for id_, _ in sorted(gear, key=lambda pair: pair[1].state == "functional")]
    return [*items, *_machines(state, inputs, context)]


def _repairing(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [repair.item for repair in state.listed_repairs()]


def _machines(state: FreefallState, inputs: Given, context: CommandContext) -> list[str]:
    """Those that these characters pilot first."""
    pilots = [sheet.character_id for sheet in _sheets(state, inputs, context)]
    return [
        machine.machine_id
        for machine in sorted(state.listed_machines(), key=lambda machine: machine.pilot not in pilots)
    ]


def _harm_calls(state: FreefallState, inputs: Given, context: CommandContext) -> list[str]:
    own = [sheet.character_id for sheet in _sheets(state, inputs, context)]
    return [call.call_id for call in sorted(state.called, key=lambda call: call.character not in own)]


def _slots(state: FreefallState, inputs: Given, context: CommandContext) -> list[int]:
    """By their numbers from 1, those that hold harm first."""
    sheets = _sheets(state, inputs, context)
    filled_slots = {
        slot for sheet in sheets for slot, harm in enumerate(sheet.slots[:SLOTS], start=1) if harm is not None
    }
    return sorted(range(1, SLOTS + 1), key=lambda slot: slot not in filled_slots)


def _treatments(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [treatment.treatment_id for treatment in state.listed_treatments()]


def _repairs(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    return [repair.repair_id for repair in state.listed_repairs()]


def _requirements(state: FreefallState, inputs: Given, _context: CommandContext) -> Iterator[str]:
    """The open needs of the given treatment; without one, of any treatment or repair."""
    for treatment in state.listed_treatments():
        if inputs.get("treatment") in (None, treatment.treatment_id):
            yield from (need for need in treatment.required if need not in treatment.done)
    for repair in state.listed_repairs():
        yield from (need for need in repair.required if need not in repair.done)


def _tags(state: FreefallState, inputs: Given, context: CommandContext) -> Iterator[str]:
    """The tags that the items at hand enable or give a bonus for."""
    for sheet in _sheets(state, inputs, context):
        for _, item in sheet.gear():
            yield from item.what.enables
            yield from item.what.bonus


def _specialties(state: FreefallState, inputs: Given, context: CommandContext) -> Iterator[str]:
    for sheet in _sheets(state, inputs, context):
        yield from sheet.specialties


def _classes(state: FreefallState, _inputs: Given, _context: CommandContext) -> list[str]:
    """Those that are defined; before any is, those of the rulebook."""
    return sorted(state.classes) or [name for classes in CLASSES.values() for name in classes]


def _class_specialties(state: FreefallState, inputs: Given, _context: CommandContext) -> Iterator[str]:
    specialties_by_class = state.classes or {
        name: [*specialties] for classes in CLASSES.values() for name, specialties in classes.items()
    }
    for name, specialties in sorted(specialties_by_class.items()):
        if inputs.get("class") in (None, name):
            yield from specialties


def _crews(state: FreefallState, _inputs: Given, context: CommandContext) -> list[str]:
    sheets = _sheets(state, {}, context)
    return [*(sheet.crew for sheet in sheets if sheet.crew is not None), *sorted(state.credits)]


def _sheet(state: FreefallState, inputs: Given, context: CommandContext) -> list[Given]:
    """A sheet to bring in, with nothing on it but the required fields."""
    attributes = {
        name: {"permanent": cap, "current": cap} for name, cap in zip(ATTRIBUTES, CREATION_ARRAY, strict=True)
    }
    return [{"name": "…", "class": _classes(state, inputs, context)[0], "attributes": attributes}]


CANDIDATES: Mapping[str, Candidates] = {
    "character": _characters,
    "actor": _actors,
    "attack_target": _attack_targets,
    "action": _actions,
    "side": _sides,
    "group": _groups,
    "pool": _pools,
    "dice_of_turn": _dice_of_turn,
    "tn": _target_numbers,
    "mitigation": _mitigation,
    "conflict": _conflicts,
    "tied": _tied,
    "roll": _rolls,
    "clock": _clocks,
    "item": _items,
    "repairable": _repairable,
    "repairing": _repairing,
    "machine": _machines,
    "harm_call": _harm_calls,
    "slot": _slots,
    "treatment": _treatments,
    "repair": _repairs,
    "requirement": _requirements,
    "tag": _tags,
    "specialty": _specialties,
    "class": _classes,
    "class_specialty": _class_specialties,
    "crew": _crews,
    "sheet": _sheet,
}


def _creations(_state: FreefallState, _inputs: Given, _context: CommandContext) -> list[Given]:
    return [{"permanents": dict(zip(ATTRIBUTES, CREATION_ARRAY, strict=True))}]


def _prerequisites(sheet: Character) -> Iterator[Given]:
    """Everything that might allow a specialized action, the cheapest first."""
    yield from ({"kind": "specialty", "name": specialty} for specialty in sheet.specialties)
    yield from ({"kind": "gear", "item": id_} for id_, item in sheet.gear() if item.works)
    for attribute in (*ATTRIBUTES, *MACHINE_ATTRIBUTES):
        yield {"kind": "spend", "attribute": attribute}
    yield from ({"kind": "harm", "harm_type": harm_type} for harm_type in MATCHING)


def _action_rolls(state: FreefallState, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """The declared actions that are up, as they are and with each prerequisite; else a roll outside turns."""
    action_id = inputs.get("action")
    for action in _open_actions(state):
        if action.status == "declared" and action_id in (None, action.id):
            yield {"action": action.id}
            sheet = state.characters.get(action.actor)
            for prerequisite in _prerequisites(sheet) if sheet is not None and not action.paid else ():
                yield {"action": action.id, "prerequisite": prerequisite}
    for who in _characters(state, {}, context)[:1]:
        yield {"character": who, "dice": 1, "tn": 10, "kind": "simple"}
        for prerequisite in _prerequisites(state.characters[who]):
            yield {"character": who, "dice": 1, "tn": 10, "kind": "specialized", "prerequisite": prerequisite}


def _conflict_sides(state: FreefallState, _inputs: Given, context: CommandContext) -> Iterator[Given]:
    """Two declared actions of different actors; else those who are there, then other names, with a die each."""
    waiting = [
        action for action in _open_actions(state) if action.status == "declared" and action.conflict_id is None
    ]
    for one, other in combinations(waiting, 2):
        if one.actor != other.actor:
            yield {"participants": [{"id": one.id}, {"id": other.id}]}
    people = [{"id": who, "dice": 1} for who in _characters(state, {}, context)]
    yield {"participants": people[:2]}
    yield {"participants": [*people[:1], {"id": "…", "dice": 1}]}
    yield {"participants": [{"id": name, "dice": 1} for name in ("…", "… …")]}


def _levels(sheet: Character, levels: int, *, lasting_first: bool = False) -> list[dict[str, Any]]:
    """Choices for so many levels: empty slots fill, then the harm in them becomes permanent; or these first."""
    empty: list[dict[str, Any]] = [{"option": "A"} for harm in sheet.slots if harm is None]
    lasting: list[dict[str, Any]] = [
        {"option": "B", "slot": slot}
        for slot, harm in enumerate(sheet.slots, 1)
        if harm is None or harm.state == "temporary"
    ]
    return [*lasting, *empty][:levels] if lasting_first else [*empty, *lasting][:levels]


def _answers(sheet: Character, harm_type: HarmType, levels: int) -> Iterator[list[dict[str, Any]]]:
    """Choices for so many levels: slots fill, or items that take the matching attribute break first."""
    yield _levels(sheet, levels)
    yield _levels(sheet, levels, lasting_first=True)
    broken = [
        {"option": "C", "item": id_}
        for id_, item in sheet.gear()
        if item.bound and item.state != "broken" and item.what.binding.on(MATCHING[harm_type])
    ]
    if broken:
        yield [*broken, *_levels(sheet, levels)][:levels]


def _harm_answers(state: FreefallState, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """Answers to harm that was called, after the points that are said; else harm to one's own."""
    spend = inputs.get("spend")
    spent = spend if isinstance(spend, int) else 0
    for call in state.called:
        sheet = state.characters.get(call.character)
        if call.machine is not None or sheet is None or inputs.get("call") not in (None, call.call_id):
            continue
        answer = {"call": call.call_id} if context.is_gm else {}
        levels = max(0, call.levels - spent)
        yield from ({**answer, "choices": choices} for choices in _answers(sheet, call.harm_type, levels))
    for who in _characters(state, {}, context) if spent and context.is_gm else ():
        sheet = state.characters[who]
        for harm_type, attribute in MATCHING.items() if is_own(sheet, context) else ():
            if spent <= sheet.attributes[attribute].current:
                yield {"character": who, "harm_type": harm_type, "levels": spent, "choices": []}


def _machine_answers(state: FreefallState, inputs: Given, context: CommandContext) -> Iterator[Given]:
    """Answers to harm of a machine: as many levels as it can take to it, the others to its pilot."""
    for call in state.called:
        sheet = state.characters.get(call.character)
        if call.machine is None or sheet is None or inputs.get("call") not in (None, call.call_id):
            continue
        answer = {"call": call.call_id} if context.is_gm else {}
        for levels in reversed(range(call.levels + 1)):
            for choices in _answers(sheet, call.harm_type, call.levels - levels):
                to_pilot = [{"to": "pilot", "choice": choice} for choice in choices]
                yield {**answer, "choices": [*([{"to": "machine"}] * levels), *to_pilot]}


DRAFTS: Mapping[type, Candidates] = {
    CreateCharacter: _creations,
    RollAction: _action_rolls,
    ResolveConflict: _conflict_sides,
    ReceiveHarm: _harm_answers,
    AllocateMachineHarm: _machine_answers,
}
