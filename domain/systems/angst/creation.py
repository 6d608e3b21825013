"""The catalogue of Angst types, characters, and their players (AN-2, AN-4, AN-C1).

Codes: duplicate_angst_type, angst_type_in_use, core_missing, core_out_of_range, duplicate_name, unknown_grade,
factoid_gmc_only; not_your_character, not_the_gm, unknown_character.
"""

from collections.abc import Iterable

from domain.command_context import CommandContext
from domain.ids import AccountId, CharacterId, derive_id
from domain.rejection import Forbidden, Rejection
from domain.sentences import join_parts, say
from domain.systems.angst.access import require_angst_type, require_gm
from domain.systems.angst.commands import CreateCharacter, DefineAngstTypes, TraitDraft
from domain.systems.angst.events import AngstTypesDefined, CharacterAssigned, CharacterCreated
from domain.systems.angst.state import (
    Angst,
    Character,
    Comfort,
    LifeExperience,
    Relationship,
    Trait,
    fresh_cores,
)
from domain.systems.angst.tables import CORES, LADDER, CoreName, DieName, parsed_grade
from domain.systems.angst.term_words import CORE_WORDS


def define_angst_types(
    state: Angst, context: CommandContext, command: DefineAngstTypes
) -> list[AngstTypesDefined]:
    """AN-C1: define the whole catalogue; a type with points on a sheet must stay."""
    require_gm(context, "AN-C1")
    if len(set(command.types)) < len(command.types):
        raise Rejection("duplicate_angst_type", "Name every type of Angst only once.", rule="AN-4")
    used = {
        angst for character in state.characters.values() for angst, points in character.angst.items() if points
    } - set(command.types)
    if used:
        raise Rejection(
            "angst_type_in_use",
            say(
                "Some characters have points in {types}; keep those types in the catalogue.",
                types=join_parts(sorted(used)),
            ),
            rule="AN-4",
            choices=sorted(used),
        )
    return [AngstTypesDefined(types=list(command.types))]


def create_character(state: Angst, context: CommandContext, command: CreateCharacter) -> list[CharacterCreated]:
    """AN-C1: create a character; players their own, a GM for any player, and every GMC."""
    player = command.player
    if not context.is_gm:
        player = context.account if player is None else player
        if command.kind == "gmc":
            require_gm(context, "AN-C1")
        if player != context.account:
            raise Forbidden(
                "not_your_character", "You may create a character for yourself, not for others.", rule="AN-C1"
            )
    if player is not None:
        context.require_member(player)
    for angst in command.angst:
        require_angst_type(state, angst, "AN-4")
    if command.factoids and command.kind == "pc":
        raise Rejection("factoid_gmc_only", "Only GMCs have Factoids.", rule="AN-2")
    return [
        CharacterCreated(
            character=derive_id("character", context.action_id),
            player_id=player,
            name=command.name,
            kind=command.kind,
            cores={core: rated(command.cores.get(core), core) for core in CORES},
            rocks=_traits(command.rocks),
            sucks=_traits(command.sucks),
            perks=_once(command.perks),
            factoids=_once(command.factoids),
            angst={angst: points for angst, points in sorted(command.angst.items()) if points},
            stressors=_once(command.stressors),
            comforts=_once(command.comforts),
            relationships={
                target: require_grade(grade) for target, grade in sorted(command.relationships.items())
            },
            story_points=command.story_points,
            life_experience=command.life_experience,
            hidden=context.visibility != "all",
        )
    ]


def rated(die: str | None, core: CoreName) -> DieName:
    """A die from d4 to d12. Raises `core_missing` or `core_out_of_range`."""
    if die is None:
        raise Rejection(
            "core_missing",
            say("The Core {core} is missing; a character has all four.", core=CORE_WORDS[core]),
            rule="AN-2",
        )
    die_name = on_ladder(die)
    if die_name is None or die_name == "d0":
        raise Rejection(
            "core_out_of_range",
            say("A Core is rated d4, d6, d8, d10 or d12, not {die}.", die=die),
            rule="AN-1",
            choices=list(LADDER[1:]),
        )
    return die_name


def on_ladder(die: str) -> DieName | None:
    """A die by its name, if it is one of the ladder's."""
    return next((name for name in LADDER if name == die), None)


def require_grade(text: str) -> str:
    """A grade in its one spelling. Raises `unknown_grade`."""
    grade = parsed_grade(text)
    if grade is None:
        raise Rejection(
            "unknown_grade",
            say(
                "“{written}” is not a grade; use Critical A, A, B, C, D, F or Critical F, with or without + or -.",
                written=text,
            ),
            rule="AN-3",
        )
    return grade


def _traits(drafts: list[TraitDraft]) -> dict[str, Trait]:
    """Rocks or Sucks by name."""
    _once([draft.name for draft in drafts])
    return {draft.name: Trait(core=draft.core, really=draft.really) for draft in drafts}


def _once(names: list[str]) -> list[str]:
    """Raise `duplicate_name` unless every name is given once, because tests refer to names."""
    twice = next((name for nth, name in enumerate(names) if name in names[:nth]), None)
    if twice is not None:
        raise Rejection(
            "duplicate_name",
            say("“{name}” is listed twice; give each a name of its own.", name=twice),
            rule="AN-2",
        )
    return list(names)


def assign(state: Angst, character: CharacterId, account: AccountId | None) -> list[CharacterAssigned]:
    """Hand a character to another account; None leaves it without a player.

    The campaign checks who may do that.
    """
    sheet = state.characters.get(character)
    if sheet is None:
        raise Rejection("unknown_character", "There is no such character in this campaign.")
    if sheet.player_id == account:
        return []  # nothing changes
    return [CharacterAssigned(character=character, player_id=account)]


def types_defined(state: Angst, event: AngstTypesDefined) -> None:
    """Replace the catalogue."""
    state.angst_types = list(event.types)


def character_created(state: Angst, event: CharacterCreated) -> None:
    """Add the sheet."""
    state.characters[event.character] = Character(
        character_id=event.character,
        player_id=event.player_id,
        name=event.name,
        kind=event.kind,
        cores=fresh_cores(event.cores),
        rocks=dict(event.rocks),
        sucks=dict(event.sucks),
        perks=list(event.perks),
        factoids=list(event.factoids),
        angst=dict(event.angst),
        stressors=list(event.stressors),
        comforts=calming(event.comforts),
        relationships=standing(event.relationships),
        story_points=event.story_points,
        life_experience=LifeExperience(current=event.life_experience, max=event.life_experience),
        hidden=event.hidden,
    )


def calming(names: Iterable[str]) -> dict[str, Comfort]:
    """Comforts that are not used yet."""
    return {name: Comfort() for name in names}


def standing(grades: dict[str, str]) -> dict[str, Relationship]:
    """Relationships from before the first play session."""
    return {target: Relationship(grade) for target, grade in grades.items()}


def character_assigned(state: Angst, event: CharacterAssigned) -> None:
    """Set the character's player."""
    character = state.characters.get(event.character)
    if character is not None:
        character.player_id = event.player_id
