"""Who may ask for what, and what a command means when it leaves an id out.

Codes: not_the_gm, not_your_character, observers_only_watch, only_a_worker (forbidden); unknown_character,
no_character, which_character, character_unavailable, unknown_angst.
"""

from msgspec import UNSET, UnsetType

from domain.command_context import Asked
from domain.mechanics.choose import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import either, joined, say
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, Character
from domain.systems.angst.tables import HOUR_SECONDS


def require_gm(asked: Asked, rule: str) -> None:
    """Only a GM, or the campaign itself. Raises `not_the_gm`."""
    if not asked.is_gm:
        raise Forbidden("not_the_gm", "Only the GM may do that; ask your GM.", rule=rule)


def require_player_or_gm(character: Character, asked: Asked, rule: str) -> None:
    """The character's own player or a GM. Raises `not_your_character`."""
    if asked.is_gm:
        return
    if character.player_id is None or asked.account != character.player_id:
        raise Forbidden(
            "not_your_character",
            say("{name} is not your character; only their player or the GM may do that.", name=character.name),
            rule=rule,
        )


def is_own(character: Character | None, asked: Asked) -> bool:
    """Whether the asker plays this character."""
    return character is not None and character.player_id is not None and character.player_id == asked.account


def known(state: Angst, asked: Asked) -> list[Character]:
    """Everybody that may be named in what comes of this, by name; the hidden only where it is hidden too."""
    return [each for each in state.everybody if not each.hidden or asked.visibility == "gm"]


def described(character: Character) -> dict[str, str]:
    """A choice as a client may show it."""
    return {"character": character.character_id, "name": character.name}


def find_character(state: Angst, asked: Asked, character: str | None, rule: str) -> Character:
    """The character a command means; left out, the asker's only one that lives, else the campaign's.

    Raises `unknown_character`, `no_character` or `which_character`.
    """
    if character is not None:
        found = state.characters.get(character)
        if found is None:
            raise Rejection("unknown_character", "There is no such character in this campaign.", rule=rule)
        return found
    everyone = [each for each in state.everybody if asked.is_gm or not each.hidden]
    own = [each for each in everyone if is_own(each, asked)] or everyone
    return the_one(
        asked,
        "character",
        [each for each in own if each.status != "dead"] or own,
        code="which_character",
        message=lambda several: say("Which character? {choices}.", choices=either(each.name for each in several)),
        rule=rule,
        describe=described,
        none=lambda: Rejection("no_character", "There is no character yet; create one first.", rule=rule),
    )


def require_available(character: Character, rule: str) -> None:
    """Whoever is out of the scene or dead makes no tests. Raises `character_unavailable`."""
    if character.status == "active":
        return
    require_alive(character, rule)
    raise Rejection(
        "character_unavailable",
        say("{name} is out of this scene, and can act again once a scene ends.", name=character.name),
        rule=rule,
    )


def require_alive(character: Character, rule: str) -> None:
    """Raises `character_unavailable` for the dead alone."""
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
            known=joined(state.angst_types),
        ),
        rule=rule,
        choices=list(state.angst_types),
    )


def hidden_of(asked: Asked) -> bool | UnsetType:
    """Whether not everybody may read what comes of it; unset where all may, as in all events of old."""
    return asked.visibility != "all" or UNSET


def has_spendables(character: Character, asked: Asked) -> bool:
    """Whether Story Points and Life Experience exist for a character (AN-A21)."""
    settings: Settings = asked.settings
    return character.kind == "pc" or settings.gmc_spendables


def game_hour(asked: Asked) -> int:
    """The hour of campaign time (AN-6)."""
    return asked.game_time // HOUR_SECONDS
