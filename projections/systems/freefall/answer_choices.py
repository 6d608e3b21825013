"""Possible answers to everything that FREE/FALL waits for, as whole commands.

All candidates are made here; the rules decide which of them are accepted.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from domain.mechanics.acceptable_commands import Trial
from domain.systems.freefall.attributes import pool
from domain.systems.freefall.commands import Choice
from domain.systems.freefall.direct_conflicts import tied_sides
from domain.systems.freefall.harm import Option, apply, options, resolve, scratch
from domain.systems.freefall.harm_choices import suffered_from
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Action, CalledHarm, Character, FreefallState, Roll
from domain.systems.freefall.tables import ATTRIBUTES, MACHINE_ATTRIBUTES, MACHINE_MATCHING, MATCHING
from domain.systems.freefall.treatments_and_repairs import missing
from domain.systems.system import Pending
from projections.awaited_answers import MayAnswer

Body = dict[str, Any]
TNS = (11, 16, 21)
"""The target numbers that the rulebook suggests (FF-10)."""


def thinkable(state: FreefallState, trial: Trial, waiting: Pending) -> Iterator[MayAnswer]:
    """Candidate answers to a choice, for any asker, accepted or not."""
    table = Table(state, trial)
    for kind, body in _thinkable(table, waiting):
        yield MayAnswer({"type": f"freefall.{kind}", **body})


class Table(NamedTuple):
    """Everything that candidate answers depend on: the state, and access to the rules."""

    state: FreefallState
    trial: Trial


def _thinkable(table: Table, waiting: Pending) -> Iterator[tuple[str, Body]]:
    """Candidate answers to a choice, for any asker."""
    subject = waiting.subject
    match waiting.kind:
        case "receive_harm" | "allocate_machine_harm":
            yield from _to_harm(table, subject)
        case "decide_tie":
            yield from _to_a_tie(table.state, subject)
        case "decide_fate":
            yield from ((waiting.kind, {"character": subject, "fate": fate}) for fate in ("dead", "retired"))
        case "record_requirement" | "clear_temporary_harm":
            yield from _recovery(table.state, waiting)
        case _:
            yield from _in_a_turn(table.state, waiting)


def _in_a_turn(state: FreefallState, waiting: Pending) -> Iterator[tuple[str, Body]]:
    """Declarations, the order, TNs, rolls, and the end of the turn."""
    subject = waiting.subject
    match waiting.kind:
        case "declare_actions":
            yield from _declarations(state, subject)
        case "name_tn":
            yield from ((waiting.kind, {"action": subject, "tn": tn}) for tn in TNS)
            yield "abandon_action", {"action": subject}
        case "roll_action":
            yield from _rolls(state, subject)
        case "order_resolution":
            yield from ((waiting.kind, {}), ("end_turn", {}))
        case _:
            yield from ((waiting.kind, {}), ("start_turn", {}))


def _to_harm(table: Table, call_id: str) -> Iterator[tuple[str, Body]]:
    """Every first choice with its consequences, with as many points as can be spent, or without."""
    call = next(candidate for candidate in table.state.called if candidate.call_id == call_id)
    character = table.state.characters[call.character]
    if call.machine is not None:
        yield from _to_machine_harm(table, character, call)
    else:
        current = character.attributes[MATCHING[call.harm_type]].current
        spend = min(current, call.levels) if call.source == "attack" else 0
        for points in dict.fromkeys((0, spend)):
            for choices in _ways(table, character, call, call.levels - points):
                body = {"call": call_id, "spend": points, "choices": choices}
                yield "receive_harm", {key: value for key, value in body.items() if value}
    yield "withdraw_harm", {"call": call_id}


def _to_machine_harm(table: Table, pilot: Character, call: CalledHarm) -> Iterator[tuple[str, Body]]:
    """As much harm to the machine as breaks it, as much as it can take, or none; the rest to its pilot."""
    machine = table.state.machines.get(call.machine or "")
    attribute = MACHINE_MATCHING.get(call.harm_type)
    shares = [0]
    if machine is not None and attribute is not None and machine.state == "functional":
        bears = (machine.frm if attribute == "frm" else machine.sys).current
        shares = [min(call.levels, bears + 1), min(call.levels, bears), 0]
    for share in dict.fromkeys(shares):
        levels_left = call.levels - share
        for points in dict.fromkeys((0, min(levels_left, pilot.attributes[MATCHING[call.harm_type]].current))):
            for choices in _ways(table, pilot, call, levels_left - points):
                pilots = [*[{"spend": True}] * points, *choices]
                all_choices = [{"to": "machine"}] * share + [
                    {"to": "pilot", "choice": choice} for choice in pilots
                ]
                yield "allocate_machine_harm", {"call": call.call_id, "choices": all_choices}


def _ways(table: Table, character: Character, call: CalledHarm, levels: int) -> Iterator[list[Body]]:
    """A choice for every level: each possible one for the first, and the mildest after it."""
    if not levels:
        yield []
        return
    for first in options(character, call.harm_type, table.trial.settings):
        choices = [_choice(first)]
        while len(choices) < levels and (options_left := _options_left(table, character, call, choices)):
            choices.append(_choice(min(options_left, key=lambda option: (option.will_oust, option.option))))
        yield choices


def _choice(option: Option) -> Body:
    """An option in the form of an answer."""
    fields = {"option": option.option, "slot": option.slot, "item": option.item}
    return {key: value for key, value in fields.items() if value is not None}


def _options_left(table: Table, character: Character, call: CalledHarm, choices: list[Body]) -> list[Option]:
    """The options after these choices; none for a character who is ousted by then."""
    suffered = msgspec.structs.replace(suffered_from(call), levels=len(choices), source="attack")
    parsed_choices = msgspec.convert(choices, list[Choice])
    trial, trying = scratch(character)
    for event in resolve(table.state, table.trial.context(None, None), suffered, 0, parsed_choices, "FF-19"):
        apply(trial, event)
    return options(trying, call.harm_type, table.trial.settings) if trying.status == "active" else []


def _to_a_tie(state: FreefallState, conflict_id: str) -> Iterator[tuple[str, Body]]:
    """The tied sides, one of which acts first; a GM may negate one of the actions instead."""
    tied = tied_sides(state, next(conflict for conflict in state.conflicts if conflict.conflict_id == conflict_id))
    for side in tied:
        yield "decide_tie", {"conflict": conflict_id, "first": side}
    for side in tied:
        yield "negate_action", {"action": side}


def _declarations(state: FreefallState, who: str) -> Iterator[tuple[str, Body]]:
    """All dice for one action, one for each of several, or none at all."""
    actor = state.board.actor(who) if state.board is not None else None
    dice = actor.dice_pool if actor is not None else 0
    for actions in (
        [{"dice": dice}],
        [{"dice": 1}] * dice,
        [{"dice": dice, "kind": "simple"}],
        [],
    ):
        yield "declare_actions", {"character": who, "actions": actions}


def _rolls(state: FreefallState, subject: str) -> Iterator[tuple[str, Body]]:
    """A roll by every possible prerequisite, a conflict with the opposing actions, or abandoning it."""
    action = state.board.action(subject) if state.board is not None else None
    if action is None:
        yield from _called_roll(state, subject)
        return
    character = state.characters.get(action.actor)
    weapon = action.attack.item if action.attack is not None else None
    for tn in ({"tn": number} for number in TNS) if action.tn is None else [{}]:
        for price in _prices(character, action.tag, weapon):
            yield "roll_action", {"action": subject, **tn, **price}
    for other in _opposed(state, action):
        yield "resolve_conflict", {"participants": [{"id": subject}, {"id": other.id}]}
    yield "abandon_action", {"action": subject}
    yield "negate_action", {"action": subject}


def _called_roll(state: FreefallState, who: str) -> Iterator[tuple[str, Body]]:
    """All dice, by every prerequisite; a GM may cancel the roll."""
    character = state.characters[who]
    for price in _prices(character, None):
        yield "roll_action", {"character": who, "dice": pool(character), **price}
    yield "name_tn", {"character": who}


def _prices(character: Character | None, tag: str | None, weapon: str | None = None) -> Iterator[Body]:
    """Possible payments for an action, the cheapest first; none where none is needed."""
    yield {}
    if character is None:
        return
    for name in character.specialties:
        yield {"prerequisite": {"kind": "specialty", "name": name}}
    if weapon is not None:
        yield {"prerequisite": {"kind": "gear", "item": weapon}}
    for id_, item in character.gear():
        for enabled in [tag] if tag is not None else item.what.enables:
            yield {"tag": enabled, "prerequisite": {"kind": "gear", "item": id_}}
    for attribute in (*ATTRIBUTES, *MACHINE_ATTRIBUTES):
        yield {"prerequisite": {"kind": "spend", "attribute": attribute}}
    for harm_type in MATCHING:
        yield {"prerequisite": {"kind": "harm", "harm_type": harm_type}}


def _opposed(state: FreefallState, action: Action) -> list[Action]:
    """The outstanding actions that this one opposes, or that oppose it."""
    declared = [other for other in (state.board.actions if state.board is not None else []) if other is not action]
    return [other for other in declared if action.id == other.opposed_to or other.id == action.opposed_to]


def successes_for_harm(character: Character, roll: Roll, settings: Settings) -> Iterator[MayAnswer]:
    """A success for a level of harm of any type, resolved in every possible way."""
    for harm_type in MATCHING:
        for option in options(character, harm_type, settings):
            body = {"roll": roll.roll_id, "harm_type": harm_type, "choice": _choice(option)}
            yield MayAnswer({"type": "freefall.force_success", **body})


def _recovery(state: FreefallState, waiting: Pending) -> Iterator[tuple[str, Body]]:
    """A GM's decisions about work and about temporary harm."""
    treatment, repair = state.treatments.get(waiting.subject), state.repairs.get(waiting.subject)
    if treatment is not None:
        for thing in missing(treatment):
            yield waiting.kind, {"treatment": treatment.treatment_id, "action": thing}
        yield "cancel_treatment", {"treatment": treatment.treatment_id}
    elif repair is not None:
        for thing in missing(repair):
            yield waiting.kind, {"repair": repair.repair_id, "action": thing}
        owner = {"character": repair.character} if repair.character is not None else {}
        yield "cancel_repair", {"item": repair.item, **owner}
    else:
        for character in state.people():
            for slot, harm in enumerate(character.slots, 1):
                if harm is not None and harm.harm_id == waiting.subject:
                    yield waiting.kind, {"character": character.character_id, "slot": slot}
        yield "dismiss_recovery", {}
