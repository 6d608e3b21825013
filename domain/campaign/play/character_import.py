"""Imports characters from the sheets that another campaign gave out.

A player's character waits for a GM, unless the setting `adoption_approval` says otherwise.
"""

from typing import Any

import msgspec
from msgspec import structs

from domain.campaign.commands import SHEET_DEPTH_MAX, AdoptCharacter
from domain.campaign.membership import must_be_gm
from domain.campaign.messages.character_arrivals import (
    AgreeToArrival,
    ArrivalAgreed,
    ArrivalAsked,
    ArrivalDeclined,
    DeclineArrival,
)
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import Arrival, CampaignState
from domain.command_context import CommandContext
from domain.ids import SystemId, derive_id
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.personal_text import personal_paths, personal_places
from domain.rejection import Forbidden, Missing, Rejection
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS

ARRIVALS_MAX = 20
"""So many characters may wait for a GM's word at once."""
ARRIVALS_OF_ONE_MAX = 5
"""So many of these may be of one player."""


def adopt(state: CampaignState, context: CommandContext, command: AdoptCharacter) -> list[Any]:
    """Import a character: a GM for the player that its sheet names, a player for themselves, once a GM agrees.

    Raises `unknown_system`, `system_not_played`, `sheet_invalid`, `too_many_arrivals` and the system's errors
    for the sheet.
    """
    system = SYSTEMS.get(command.system)
    if system is None:
        raise Rejection("unknown_system", say("There is no rule system {system}.", system=command.system))
    if system.id not in state.systems:
        raise Rejection("system_not_played", say("This campaign does not play {system}.", system=system.title))
    sheet = {**_inner(command)}
    sheet["player"] = _player(state, sheet, context)
    brought = _adopted(state, system.id, sheet, context)
    if not _needs_agreement(state, context):
        return brought
    if len(state.arrivals) >= ARRIVALS_MAX:
        raise Rejection(
            "too_many_arrivals",
            say("{most} characters wait for a GM already, and no more can.", most=ARRIVALS_MAX),
        )
    assert context.account is not None
    own = sum(1 for arrival in state.arrivals.values() if arrival.player == context.account)
    if own >= ARRIVALS_OF_ONE_MAX and not context.decided_before:
        raise Rejection(
            "too_many_arrivals",
            say("{most} characters of yours wait for a GM already, and no more can.", most=ARRIVALS_OF_ONE_MAX),
        )
    return [
        ArrivalAsked(
            arrival=derive_id("arrival", context.action_id),
            system=system.id,
            player=context.account,
            name=sheet["name"],
            sheet=sheet,
            brings=[_without_texts(fact) for fact in brought],
        )
    ]


def _agree(state: CampaignState, context: CommandContext, command: AgreeToArrival) -> list[Any]:
    must_be_gm(context, say("Only a GM may let a character come in."))
    arrival = _arrival(state, command.arrival)
    player = str(arrival.player) if arrival.player in state.members else None
    sheet = {**arrival.sheet, "player": player}
    return [ArrivalAgreed(arrival.arrival, arrival.name, sheet), *_adopted(state, arrival.system, sheet, context)]


def _decline(state: CampaignState, context: CommandContext, command: DeclineArrival) -> list[Any]:
    arrival = _arrival(state, command.arrival)
    is_own = context.account == arrival.player
    if not context.is_gm and not is_own:
        raise Forbidden("gm_only", "Only a GM may decline what somebody else asked for.")
    return [
        ArrivalDeclined(arrival.arrival, arrival.name, arrival.player, withdrawn=is_own, reason=command.reason),
    ]


def _needs_agreement(state: CampaignState, context: CommandContext) -> bool:
    if context.is_gm:
        return False
    if context.meant_ids is not None:  # decided again: a character that came in unasked then does so now
        return derive_id("arrival", context.action_id) in context.meant_ids()
    return bool(settings_of(OWN, state.changed_settings).adoption_approval == "gm")


def _adopted(state: CampaignState, system: SystemId, sheet: dict[str, Any], context: CommandContext) -> list[Any]:
    own = structs.replace(context, settings=settings_of(system, state.changed_settings))
    return SYSTEMS[system].adopt(state.systems[system], sheet, own)


def _without_texts(fact: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(fact)
    for part, key, _ in personal_places(plain, personal_paths(type(fact)), ""):
        part[key] = ""
    return plain


def _arrival(state: CampaignState, arrival: str) -> Arrival:
    request = state.arrivals.get(arrival)
    if request is None:
        raise Missing("unknown_arrival", say("Nobody asks to bring that character in."), choices=[*state.arrivals])
    return request


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
    player = sheet.get("player")
    return player if any(str(member) == player for member in state.members) else None


def _invalid(path: str, reason: Sentence) -> Rejection:
    sentence = say("The sheet: {reason}", reason=reason)
    return Rejection("sheet_invalid", sentence, path=path, reason=str(reason))


def _depth_exceeds(value: Any, most: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(most == 0 or _depth_exceeds(part, most - 1) for part in inner if isinstance(part, dict | list))


def _ask_arrival(state: CampaignState, event: ArrivalAsked) -> None:
    state.arrivals[event.arrival] = Arrival(
        event.arrival, event.system, event.player, event.name, event.sheet, event.brings
    )


def _over(state: CampaignState, event: ArrivalAgreed | ArrivalDeclined) -> None:
    state.arrivals.pop(event.arrival, None)


DECIDE: Decide[CampaignState, Any] = without_dice(
    {AdoptCharacter: adopt, AgreeToArrival: _agree, DeclineArrival: _decline}
)
EVOLVE: Evolve[CampaignState] = {ArrivalAsked: _ask_arrival, **each_of(ArrivalAgreed | ArrivalDeclined, _over)}
