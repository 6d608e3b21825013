"""Relations: invoked, stressed, and resolved for better or worse (OD-14, OD-C10 … OD-C12).

Codes: relation_exists, too_many_relations, relation_not_stressed, relation_not_broken.
"""

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_character,
    find_own,
    require_gm,
    require_no_combat,
)
from domain.systems.overdrive.rolls import Plan, find_relation, plan
from domain.systems.overdrive.state import OverdriveState, Relation, Roll

RELATIONS_MAX = 100


def allow_invocation(
    state: OverdriveState, context: CommandContext, command: c.AllowInvocation
) -> list[e.InvocationAllowed]:
    """OD-14: the GM agrees that things are critical."""
    require_gm(context, "OD-14")
    character = find_character(state, context, command.character, "OD-14")
    return [e.InvocationAllowed(character.character_id)]


def add_relation(state: OverdriveState, context: CommandContext, command: c.AddRelation) -> list[e.RelationAdded]:
    """OD-C10."""
    character = find_own(state, context, command.character, "OD-C10")
    relation = command.relation or derive_id("relation", context.action_id)
    if relation in character.relations:
        raise Rejection(
            "relation_exists", say("{name} already has that relation.", name=character.name), rule="OD-C10"
        )
    if len(character.relations) >= RELATIONS_MAX:
        raise Rejection(
            "too_many_relations",
            say("{name} has {most} relations, the most there can be.", name=character.name, most=RELATIONS_MAX),
            rule="OD-C10",
        )
    return [e.RelationAdded(character.character_id, relation, command.nature, command.with_)]


def rename_relation(
    state: OverdriveState, context: CommandContext, command: c.RenameRelation
) -> list[e.RelationRenamed]:
    """OD-C10: rename a relation; fields left out stay."""
    character = find_own(state, context, command.character, "OD-C10")
    relation = find_relation(character, command.relation, "OD-C10")
    return [
        e.RelationRenamed(
            character.character_id,
            command.relation,
            nature=command.nature if command.nature is not None else relation.nature,
            with_=command.with_ if command.with_ is not None else relation.with_,
        )
    ]


def resolve_relation(state: OverdriveState, context: CommandContext, command: c.ResolveRelation) -> Plan:
    """OD-C11: a Social roll against the relation's level, which must be exceeded."""
    character = find_own(state, context, command.character, "OD-C11")
    relation = find_relation(character, command.relation, "OD-C11")
    require_no_combat(state, "OD-C11")
    if relation.state != "stressed":
        raise Rejection(
            "relation_not_stressed",
            say("There is no tension with {whom} to resolve.", whom=relation.with_),
            rule="OD-C11",
        )
    return plan(
        state,
        context,
        character,
        command,
        "relation",
        f"stat:{command.stat}",
        "social",
        difficulty=relation.level,
        relation=command.relation,
        against=relation.stressed_for,
        new_nature=command.new_nature,
        words=command.scene_text,
    )


def outcome(state: OverdriveState, roll: Roll) -> list[e.Event]:
    """OD-14c: strengthened, or broken."""
    relation = roll.relation or ""
    if roll.successes <= (roll.difficulty or 0):
        return [e.RelationBroken(roll.character, relation)]
    character = state.characters.get(roll.character)
    known_relation = character.relations.get(relation) if character is not None else None
    level = (known_relation.level if known_relation is not None else 0) + 1
    return [
        e.RelationStrengthened(
            roll.character, relation, level_after=level, next_difficulty=level, new_nature=roll.new_nature
        )
    ]


def repair_relation(
    state: OverdriveState, context: CommandContext, command: c.RepairRelation
) -> list[e.RelationRepaired]:
    """OD-C12: repair a relation without a roll."""
    character = find_own(state, context, command.character, "OD-C12")
    relation = find_relation(character, command.relation, "OD-C12")
    require_no_combat(state, "OD-C12")
    if relation.state != "broken":
        raise Rejection(
            "relation_not_broken",
            say("The relation with {whom} is not broken.", whom=relation.with_),
            rule="OD-C12",
        )
    return [e.RelationRepaired(character.character_id, command.relation, words=command.scene_text)]


def _of(state: OverdriveState, character: str, relation: str) -> Relation | None:
    sheet = state.characters.get(character)
    return sheet.relations.get(relation) if sheet is not None else None


def invocation_allowed(state: OverdriveState, event: e.InvocationAllowed) -> None:
    """Allow one more invocation."""
    character = state.characters.get(event.character)
    if character is not None:
        character.invocations_allowed += event.amount


def stressed(state: OverdriveState, event: e.RelationStressed) -> None:
    """Mark a relation as stressed; a broken one cannot be (OD-14d)."""
    relation = _of(state, event.character, event.relation)
    if relation is not None and relation.state == "calm":
        relation.state, relation.stressed_for = "stressed", event.roll


def relation_added(state: OverdriveState, event: e.RelationAdded) -> None:
    """Add the relation."""
    character = state.characters.get(event.character)
    if character is not None and event.relation not in character.relations:
        character.relations[event.relation] = Relation(with_=event.with_, nature=event.nature)


def renamed(state: OverdriveState, event: e.RelationRenamed) -> None:
    """Set the new name."""
    relation = _of(state, event.character, event.relation)
    if relation is not None:
        relation.with_, relation.nature = event.with_, event.nature


def strengthened(state: OverdriveState, event: e.RelationStrengthened) -> None:
    """Calm the relation, which absorbs one invocation more."""
    relation = _of(state, event.character, event.relation)
    if relation is not None:
        relation.state = "calm"
        relation.level += event.levels
        relation.used = 0 if event.used_cleared else relation.used
        relation.nature = event.new_nature if event.new_nature is not None else relation.nature
    _drop_task(state, event.character, event.relation)


def broken(state: OverdriveState, event: e.RelationBroken) -> None:
    """Mark the relation as broken: it cannot be invoked until it is repaired."""
    relation = _of(state, event.character, event.relation)
    if relation is not None:
        relation.state = "broken"
    _drop_task(state, event.character, event.relation)


def repaired(state: OverdriveState, event: e.RelationRepaired) -> None:
    """Calm the relation at its old level (OD-A15)."""
    relation = _of(state, event.character, event.relation)
    if relation is not None:
        relation.state = "calm"
        relation.used = 0 if event.used_cleared else relation.used


def _drop_task(state: OverdriveState, character: str, relation: str) -> None:
    """Remove the reminder of a tension."""
    state.tasks = [task for task in state.tasks if (task.character, task.relation) != (character, relation)]
