"""Characters who left the story: dead, or gone. They act no more, are without a player, and can come back.

A GM finishes or calls off what is open, such as a test. Their activities stop, and timers about them are
cancelled; the clocks of the rules, such as healing and payouts, go on.

Codes: gm_only, unknown_character, already_retired, not_retired, character_retired, same_account.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.campaign.calendar.downtime import stop_events
from domain.campaign.membership import must_be_gm, players_of
from domain.campaign.messages.character_retirement import (
    BringCharacterBack,
    CharacterCameBack,
    CharacterRetired,
    Fate,
    RetireCharacter,
)
from domain.campaign.messages.imports import PurseHandedOver
from domain.campaign.messages.timers import TimerCancelled
from domain.campaign.money import escrow, ledger
from domain.campaign.play.characters import character_of, system_of
from domain.campaign.play.ledger_accounts import owning_character
from domain.campaign.secrecy.entrance import things_named
from domain.campaign.state import CampaignState, Departure
from domain.command_context import CommandContext
from domain.ids import CharacterId, derive_id
from domain.mechanics.dispatch import Decide, Evolve, without_dice
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS, owner_of

CHARACTER = About("character")


def fate_of(state: CampaignState, character: CharacterId) -> Fate | None:
    """How a character left the story, by a GM's word or by the rules; None: they are in it."""
    departure = state.departures.get(character)
    if departure is not None:
        return departure.fate
    fates = (SYSTEMS[system].fates(inner).get(character) for system, inner in state.systems.items())
    return next(filter(None, fates), None)


def require_none_retired(state: CampaignState, command: Any) -> None:
    """Raise `character_retired` where a command of a system names a character who left the story.

    Checked where a request comes in: an open choice that the rules mean themselves is a GM's to end, and a command
    that was accepted once stays so when it is decided again.
    """
    if not state.departures or owner_of(command) is None:
        return
    for who in map(CharacterId, things_named(msgspec.to_builtins(command))):
        if (departure := state.departures.get(who)) is not None:
            raise Rejection("character_retired", _has_left(state, who, departure.fate))


def _has_left(state: CampaignState, character: CharacterId, fate: Fate) -> Sentence:
    name = character_of(state, character).name
    if fate == "dead":
        return say("{name} is dead and acts no more; a GM may bring them back.", name=name)
    return say("{name} has left the story and acts no more; a GM may bring them back.", name=name)


def _retire(state: CampaignState, context: CommandContext, command: RetireCharacter) -> list[Any]:
    with About():
        must_be_gm(context, say("Only a GM may let a character leave the story."))
    who = command.character
    before = state.departures.get(who)
    with CHARACTER:
        character = character_of(state, who)
    purse_moves = [*_purse_moves(state, context, who, command.purse_to)]
    if before is not None and before.fate == command.fate and not purse_moves:
        with About("character", "fate", "purse_to"):
            raise Rejection("already_retired", _has_left(state, who, before.fate))
    player = character.player if before is None else before.player
    goes_to = command.purse_to if purse_moves else None
    events: list[Any] = [CharacterRetired(who, command.fate, player, goes_to, command.reason)]
    if character.player is not None:
        system = system_of(state, who)
        events += SYSTEMS[system].assign(state.systems[system], who, None)
    for activity in state.activities.values():
        if activity.character == who:
            events += stop_events(state, activity, context)
    events += [
        TimerCancelled(timer.timer_id, timer.title) for timer in state.timers.values() if timer.character == who
    ]
    return [*events, *purse_moves]


def _purse_moves(
    state: CampaignState, context: CommandContext, who: CharacterId, account: str | None
) -> Iterator[Any]:
    """The events that hand everything a character holds to an account; points of the rules stay."""
    if account is None:
        return
    with About("character", "purse_to"):
        _require_fitting(state, who, account)
    for own, held in state.balances.items():
        if own.partition(":")[2] != who:
            continue
        for nth, (currency, amount) in enumerate(sorted(held.items())):
            if amount > 0:
                between = f"escrow:{derive_id('entry', context.action_id, nth)}"
                yield from _move(state, own, account, currency, amount, between)


def _require_fitting(state: CampaignState, who: CharacterId, account: str) -> None:
    if account.rpartition(":")[2] == who or owning_character(state, account) in state.departures:
        raise Rejection("same_account", "The purse goes to somebody who is still in the story.")
    ledger.check_kept(state, account)


def _move(state: CampaignState, own: str, account: str, currency: str, amount: int, between: str) -> list[Any]:
    """The events that move an amount; none where the rules keep that currency with the character."""
    try:
        escrow.on_sheet(state, own, currency, -amount, account)
    except Rejection:
        return []
    with About("character", "purse_to"):
        handed_over = PurseHandedOver(currency, own, account, amount)
        return escrow.move_events(state, ledger.Move(currency, own, account, amount, ""), between, handed_over)


def _bring_back(state: CampaignState, context: CommandContext, command: BringCharacterBack) -> list[Any]:
    with About():
        must_be_gm(context, say("Only a GM may bring a character back."))
    who = command.character
    with CHARACTER:
        character = character_of(state, who)
    departure = state.departures.get(who)
    if departure is None:
        with CHARACTER:
            raise Rejection("not_retired", say("{name} has not left the story.", name=character.name))
    events: list[Any] = [CharacterCameBack(who)]
    if departure.player in players_of(state) and character.player is None:
        system = system_of(state, who)
        events += SYSTEMS[system].assign(state.systems[system], who, departure.player)
    return events


def _note_departure(state: CampaignState, event: CharacterRetired) -> None:
    state.departures[event.character] = Departure(event.fate, event.player)


def _note_return(state: CampaignState, event: CharacterCameBack) -> None:
    state.departures.pop(event.character, None)


DECIDE: Decide[CampaignState, Any] = without_dice({RetireCharacter: _retire, BringCharacterBack: _bring_back})
EVOLVE: Evolve[CampaignState] = {CharacterRetired: _note_departure, CharacterCameBack: _note_return}
