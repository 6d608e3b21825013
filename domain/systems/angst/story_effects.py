"""The story's effects on characters: milestones, good events, and relationships.

Codes: nobody_there, unknown_grade, own_relationship, too_many_relationships, unknown_character,
character_unavailable.
"""

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.angst.access import find_character, nameable, require_alive, require_available, require_gm
from domain.systems.angst.commands import ReachMilestone, RecordPositiveEvent, SetRelationship
from domain.systems.angst.creation import require_grade
from domain.systems.angst.events import (
    MilestoneReached,
    PositiveEventRecorded,
    PurgeOffered,
    RelationshipGradeChanged,
)
from domain.systems.angst.state import Angst, Character, Relationship
from domain.systems.angst.test_modifiers import relationship_key

RELATIONSHIPS_MAX = 200
"""More people than a character can care about."""


def reach_milestone(
    state: Angst, context: CommandContext, command: ReachMilestone
) -> list[MilestoneReached | PurgeOffered]:
    """AN-C12: a milestone, after which every character of it may try to purge some Angst."""
    require_gm(context, "AN-C12")
    if command.characters is None:
        then = (
            context.meant_ids() if context.meant_ids is not None else ()
        )  # re-decided: those of that time, also out of the scene
        living = [character for character in nameable(state, context) if character.status != "dead"]
        character_ids = [
            character.character_id
            for character in living
            if character.status == "active" or character.character_id in then
            if character.character_id not in context.out_of_story
        ]
        context.filled["characters"] = character_ids
    else:
        character_ids = list(dict.fromkeys(command.characters))
    characters = [find_character(state, context, character_id, "AN-C12") for character_id in character_ids]
    if not characters:
        raise Rejection("nobody_there", "Name at least one character who reaches the Milestone.", rule="AN-C12")
    for character in characters:
        _require_there(character, context, "AN-C12")
    return [
        MilestoneReached(characters=character_ids, text=command.text),
        *(PurgeOffered(character=who, trigger="milestone") for who in character_ids),
    ]


def _require_there(character: Character, context: CommandContext, rule: str) -> None:
    """Raise unless the character is in the scene, because an offer lapses with the scene."""
    if context.decided_before:
        require_alive(character, rule)
    else:
        require_available(character, rule)


def record_positive_event(
    state: Angst, context: CommandContext, command: RecordPositiveEvent
) -> list[PositiveEventRecorded | PurgeOffered]:
    """AN-C13: something very good happens, and a purge may be tried."""
    require_gm(context, "AN-C13")
    character = find_character(state, context, command.character, "AN-C13")
    _require_there(character, context, "AN-C13")
    return [
        PositiveEventRecorded(character=character.character_id, text=command.text),
        PurgeOffered(character=character.character_id, trigger="positive_event"),
    ]


def set_relationship(
    state: Angst, context: CommandContext, command: SetRelationship
) -> list[RelationshipGradeChanged]:
    """AN-C14: the GM sets a grade toward a character or a group."""
    require_gm(context, "AN-C14")
    character = find_character(state, context, command.character, "AN-C14")
    grade = require_grade(command.grade)
    if command.target == character.character_id:
        raise Rejection("own_relationship", "A Relationship is with another character or a group.", rule="AN-C14")
    target = relationship_key(state, character, command.target) or command.target
    relationship = character.relationships.get(target)
    if relationship is not None and relationship.grade == grade:
        return []  # nothing changes
    if relationship is None and len(character.relationships) >= RELATIONSHIPS_MAX:
        raise Rejection(
            "too_many_relationships",
            say(
                "{name} has {most} Relationships; change one of them instead.",
                name=character.name,
                most=RELATIONSHIPS_MAX,
            ),
            rule="AN-C14",
        )
    return [
        RelationshipGradeChanged(
            character=character.character_id,
            target=target,
            grade=grade,
            from_=relationship.grade if relationship is not None else None,
            to=grade,
            since_session=state.session,
            why=command.why,
        )
    ]


def relationship_changed(state: Angst, event: RelationshipGradeChanged) -> None:
    """Set the grade and its session."""
    character = state.characters.get(event.character)
    if character is not None:
        character.relationships[event.target] = Relationship(event.grade, event.since_session)
