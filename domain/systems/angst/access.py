"""Permission to give commands, and the ids that a command leaves out.

Codes: not_the_gm, not_your_character, observers_only_watch, only_a_worker (forbidden); unknown_character,
no_character, which_character, character_unavailable, unknown_angst.
"""

from msgspec import UNSET, UnsetType

from domain.command_context import CommandContext
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import either, join_parts, say
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, Character
from domain.systems.angst.tables import HOUR_SECONDS


def require_gm(context: CommandContext, rule: str) -> None:
    """Raise `not_the_gm` unless a GM or the campaign itself asks."""
    if not context.is_gm:
        raise Forbidden("not_the_gm", "Only the GM may do that; ask your GM.", rule=rule)


def require_player_or_gm(character: Character, context: CommandContext, rule: str) -> None:
    """Raise `not_your_character` unless the character's player or a GM asks."""
    if context.is_gm:
        return
    if character.player_id is None or context.account != character.player_id:
        raise Forbidden(
            "not_your_character",
            say("{name} is not your character; only their player or the GM may do that.", name=character.name),
            rule=rule,
        )


def is_own(character: Character | None, context: CommandContext) -> bool:
    """Whether the asker plays this character."""
    return character is not None and character.player_id is not None and character.player_id == context.account


def nameable(state: Angst, context: CommandContext) -> list[Character]:
    """Everyone that the events of a command may name, by name; hidden characters only if the events are hidden."""
    return [character for character in state.everybody if not character.hidden or context.visibility == "gm"]


def described(character: Character) -> dict[str, str]:
    """A choice as a client may show it."""
    return {"character": character.character_id, "name": character.name}


def find_character(state: Angst, context: CommandContext, character: str | None, rule: str) -> Character:
    """The character that a command means: the asker's only living one, else the campaign's, if it names none.

    Raises `unknown_character`, `no_character` or `which_character`.
    """
    if character is not None:
        sheet = state.characters.get(character)
        if sheet is None:
            raise Rejection("unknown_character", "There is no such character in this campaign.", rule=rule)
        return sheet
    everyone = [sheet for sheet in state.everybody if context.is_gm or not sheet.hidden]
    own = [sheet for sheet in everyone if is_own(sheet, context)] or everyone
    return the_one(
        context,
        "character",
        [sheet for sheet in own if sheet.status != "dead"] or own,
        code="which_character",
        message=lambda several: say(
            "Which character? {choices}.", choices=either(sheet.name for sheet in several)
        ),
        rule=rule,
        describe=described,
        none=lambda: Rejection("no_character", "There is no character yet; create one first.", rule=rule),
    )


def require_available(character: Character, rule: str) -> None:
    """Raise `character_unavailable` for a character who is out of the scene or dead, and so makes no tests."""
    if character.status == "active":
        return
    require_alive(character, rule)
    raise Rejection(
        "character_unavailable",
        say(
            "{name} is out of the scene, and can act again once it ends or the next one begins.",
            name=character.name,
        ),
        rule=rule,
    )


def require_alive(character: Character, rule: str) -> None:
    """Raise `character_unavailable` for the dead alone."""
    if character.status == "dead":
        raise Rejection("character_unavailable", say("{name} is dead.", name=character.name), rule=rule)


def require_angst_type(state: Angst, angst: str, rule: str) -> None:
    """A type of the campaign's catalogue. Raises `unknown_angst`."""
    if angst in state.angst_types:
        return
    if not state.angst_types:
        raise Rejection("unknown_angst", "This campaign has no type of Angst yet; define some first.", rule=rule)
    raise Rejection(
        "unknown_angst",
        say(
            "This campaign has no type of Angst called “{angst}”; it has {known}.",
            angst=angst,
            known=join_parts(state.angst_types),
        ),
        rule=rule,
        choices=list(state.angst_types),
    )


def hidden_of(context: CommandContext) -> bool | UnsetType:
    """True where only some may read the events of a command; unset where all may, as in all old events."""
    return context.visibility != "all" or UNSET


def has_spendables(character: Character, context: CommandContext) -> bool:
    """Whether Story Points and Life Experience exist for a character (AN-A21)."""
    settings: Settings = context.settings
    return character.kind == "pc" or settings.gmc_spendables


def game_hour(context: CommandContext) -> int:
    """The hour of campaign time (AN-6)."""
    return context.game_time // HOUR_SECONDS
