"""Classes and characters (FF-1, FF-4, FF-C1).

Codes: specialty_not_of_class, unknown_class, attribute_missing, creation_array_mismatch, npc_has_no_player,
too_many_characters, too_many_classes, unknown_member; not_the_gm, not_your_character (forbidden).
"""

from domain.command_context import CommandContext
from domain.ids import AccountId, CharacterId, derive_id
from domain.rejection import Forbidden, Rejection
from domain.sentences import join_parts, say
from domain.systems.freefall.access import require_gm
from domain.systems.freefall.commands import CreateCharacter, DefineClass, DefineClasses
from domain.systems.freefall.events import CharacterAssigned, CharacterCreated, ClassDefined
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Character, FreefallState, Points
from domain.systems.freefall.tables import ATTRIBUTES, CLASSES, CREATION_ARRAY
from domain.systems.freefall.term_words import attribute_word, class_word

CHARACTERS_MAX = 500
CLASSES_MAX = 100


def define_class(state: FreefallState, context: CommandContext, command: DefineClass) -> list[ClassDefined]:
    """FF-4: define a class."""
    require_gm(context, "FF-4")
    return _defined(state, {command.class_: list(dict.fromkeys(command.specialties))})


def define_classes(state: FreefallState, context: CommandContext, command: DefineClasses) -> list[ClassDefined]:
    """FF-4: define all classes of a published rulebook."""
    require_gm(context, "FF-4")
    return _defined(state, {name: list(specialties) for name, specialties in CLASSES[command.preset].items()})


def _defined(state: FreefallState, classes: dict[str, list[str]]) -> list[ClassDefined]:
    """The events of new or changed classes. Raises `too_many_classes`."""
    if len({*state.classes, *classes}) > CLASSES_MAX:
        raise Rejection(
            "too_many_classes", say("A campaign can have at most {most} classes.", most=CLASSES_MAX), rule="FF-4"
        )
    return [
        ClassDefined(class_=name, specialties=specialties)
        for name, specialties in classes.items()
        if state.classes.get(name) != specialties
    ]


def create_character(
    state: FreefallState, context: CommandContext, command: CreateCharacter
) -> list[CharacterCreated]:
    """FF-C1: create a sheet with every attribute full."""
    player = command.player
    if not context.is_gm:
        player = context.account if player is None else player
        if player != context.account:
            raise Forbidden("not_your_character", "You may create characters only for yourself.", rule="FF-C1")
        if command.npc:
            raise Forbidden("not_the_gm", "NPCs are the GM's.", rule="FF-C1")
    if player is not None:
        context.require_member(player)
        if command.npc:
            raise _npc_has_no_player()
    if len(state.characters) >= CHARACTERS_MAX:
        raise Rejection(
            "too_many_characters",
            say("A campaign can have at most {most} FREE/FALL characters.", most=CHARACTERS_MAX),
            rule="FF-C1",
        )
    settings: Settings = context.settings
    _check_permanents(command, settings)
    _check_class(state, command)
    return [
        CharacterCreated(
            character=derive_id("character", context.action_id),
            player=player,
            name=command.name,
            class_=command.class_,
            permanents={attribute: command.permanents[attribute] for attribute in ATTRIBUTES},
            specialties=list(dict.fromkeys(command.specialties)),
            crew=command.crew,
            npc=command.npc,
            creation_values=settings.creation_values,
            hidden=context.visibility != "all",
        )
    ]


def _npc_has_no_player() -> Rejection:
    return Rejection("npc_has_no_player", "An NPC is the GM's and has no player.", rule="FF-C1")


def _check_permanents(command: CreateCharacter, settings: Settings) -> None:
    """Raise unless all three attributes are given, in the public array where a setting wants it."""
    absent = [attribute for attribute in ATTRIBUTES if attribute not in command.permanents]
    if absent:
        raise Rejection(
            "attribute_missing",
            say("Give a value for {attributes}.", attributes=join_parts(map(attribute_word, absent))),
            rule="FF-1",
        )
    values = tuple(sorted(command.permanents.values(), reverse=True))
    if settings.creation_values == "public" and not command.npc and values != CREATION_ARRAY:
        raise Rejection(
            "creation_array_mismatch",
            say("Share out {values}, one value to each attribute.", values=join_parts(CREATION_ARRAY)),
            rule="FF-1",
        )


def _check_class(state: FreefallState, command: CreateCharacter) -> None:
    """Raise unless specialties are the class's; before any class is defined, all are accepted."""
    if not state.classes:
        return
    if command.class_ not in state.classes:
        raise Rejection(
            "unknown_class",
            say("There is no class “{class_}” here.", class_=command.class_),
            rule="FF-4",
            choices=sorted(state.classes),
        )
    class_specialties = state.classes[command.class_]
    foreign = [specialty for specialty in command.specialties if specialty not in class_specialties]
    if foreign:
        raise Rejection(
            "specialty_not_of_class",
            say(
                "{class_} does not offer {specialties}.",
                class_=class_word(command.class_),
                specialties=join_parts(map(class_word, foreign)),
            ),
            rule="FF-C1",
            choices=class_specialties,
        )


def assign(state: FreefallState, character: CharacterId, account: AccountId | None) -> list[CharacterAssigned]:
    """Hand a character to another account; None leaves it without a player.

    The campaign checks who may do that.
    """
    sheet = state.characters.get(character)
    if sheet is None:
        raise Rejection("unknown_character", "That character does not exist here.")
    if sheet.player == account:
        return []  # nothing changes
    if sheet.npc and account is not None:
        raise _npc_has_no_player()
    return [CharacterAssigned(character=character, player=account)]


def class_defined(state: FreefallState, event: ClassDefined) -> None:
    """Set the class."""
    state.classes[event.class_] = list(event.specialties)


def character_created(state: FreefallState, event: CharacterCreated) -> None:
    """Add the sheet."""
    if event.character in state.characters:
        return
    state.characters[event.character] = Character(
        character_id=event.character,
        player=event.player,
        name=event.name,
        class_=event.class_,
        attributes={
            attribute: Points(value, value)
            for attribute in ATTRIBUTES
            for value in (event.permanents.get(attribute, 0),)
        },
        specialties=list(event.specialties),
        crew=event.crew,
        npc=event.npc,
        hidden=event.hidden,
    )


def character_assigned(state: FreefallState, event: CharacterAssigned) -> None:
    """Set the character's player."""
    character = state.characters.get(event.character)
    if character is not None:
        character.player = event.player
