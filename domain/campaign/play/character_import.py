"""Imports characters from the sheets that another campaign gave out."""

from typing import Any

from msgspec import structs

from domain.campaign.commands import SHEET_DEPTH_MAX, AdoptCharacter
from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS


def adopt(state: CampaignState, context: CommandContext, command: AdoptCharacter) -> list[Any]:
    """Import a character: a GM for the player that its sheet names, a player for themselves.

    Raises `unknown_system`, `system_not_played`, `sheet_invalid` and what the system raises for the sheet.
    """
    system = SYSTEMS.get(command.system)
    if system is None:
        raise Rejection("unknown_system", say("There is no rule system {system}.", system=command.system))
    if system.id not in state.systems:
        raise Rejection("system_not_played", say("This campaign does not play {system}.", system=system.title))
    sheet = _inner(command)
    own = structs.replace(context, settings=settings_of(system.id, state.changed_settings))
    return system.adopt(state.systems[system.id], {**sheet, "player": _player(state, sheet, context)}, own)


def _inner(command: AdoptCharacter) -> dict[str, Any]:
    """The sheet itself, out of the answer `{as_of, character, system, sheet}` if that came whole."""
    if _depth_exceeds(command.sheet, SHEET_DEPTH_MAX):
        raise _invalid("", say("It is nested more than {most} levels deep.", most=SHEET_DEPTH_MAX))
    inner = command.sheet.get("sheet")
    if not isinstance(inner, dict):
        return command.sheet
    if command.sheet.get("system", command.system) != command.system:
        raise _invalid(
            "system", say("It belongs to a rule system other than {system}.", system=SYSTEMS[command.system].title)
        )
    return inner


def _player(state: CampaignState, sheet: dict[str, Any], context: CommandContext) -> str | None:
    """The player of the imported character; None for an account that is no member here."""
    if not context.is_gm:
        return str(context.account)
    named = sheet.get("player")
    return named if any(str(member) == named for member in state.members) else None


def _invalid(path: str, reason: Sentence) -> Rejection:
    told = say("The sheet: {reason}", reason=reason)
    return Rejection("sheet_invalid", told, path=path, reason=str(reason))


def _depth_exceeds(value: Any, most: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(most == 0 or _depth_exceeds(each, most - 1) for each in inner if isinstance(each, dict | list))
