"""Entering play: a hidden thing becomes known to everyone as it is now.

Its past stays hidden. Readers who knew it already learn nothing new; it cannot be undone.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, structs

from domain.campaign.commands import EnterPlay
from domain.campaign.events import BalancesEntered
from domain.campaign.messages.character_retirement import CharacterRetired
from domain.campaign.play import ledger_accounts
from domain.campaign.play.characters import find_character
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.ids import BORN_FORM, ActionId, CharacterId, SystemId
from domain.rejection import Forbidden, Missing, Rejection
from domain.sentences import say
from domain.systems import SYSTEMS

OWN = SystemId("campaign")
"""In place of a rule system: things of the group."""

_BORN = re.compile(f"(?:[a-z_]+:)*({BORN_FORM})")
"""The id of a thing, or an account of the ledger that ends in it."""


def enter_play(state: CampaignState, context: CommandContext, command: EnterPlay) -> list[Any]:
    """The events that tell how a thing is now. Raises `unknown_subject` and `not_yours_to_show`."""
    subject = command.subject
    entering = (SYSTEMS[system].may_enter(inner) for system, inner in state.systems.items())
    if subject not in state.things and not any(subject in ids for ids in entering):
        raise Missing("unknown_subject", say("There is nothing of that id that could enter play."))
    if not context.is_gm and context.account not in _players_of(state, subject):
        raise Forbidden("not_yours_to_show", "Only a GM, or whoever plays it, may bring it into play.")
    return told_in(entrance_events(state, subject), context.action_id)


def require_hidden(entering: list[Any], common: CampaignState, subject: str) -> None:
    """Raise `not_hidden` where everybody knows a subject as these events would tell it."""
    known_events = entrance_events(common, subject)
    if known_events and not put_right(entering, known_events):
        raise Rejection("not_hidden", say("That is already in play: everybody who would read it knows of it."))


def told_in(events: list[Any], action_id: ActionId, *, anew: bool = False) -> list[Any]:
    """The events of an entry, with the action that they are in, where a rule system wants to know it.

    Events where that field is unset do not have it; events that tell something again (`anew`) always do, and say
    so.
    """
    entry_events = [
        structs.replace(event, entered_in=action_id)
        if "entered_in" in event.__struct_fields__ and (anew or event.entered_in is not UNSET)
        else event
        for event in events
    ]
    return as_told_again(entry_events) if anew else entry_events


def as_told_again(events: list[Any]) -> list[Any]:
    """The events, marked as telling something again."""
    return [structs.replace(event, anew=True) if "anew" in event.__struct_fields__ else event for event in events]


def entrance_events(state: CampaignState, subject: str) -> list[Any]:
    """The events that tell how a thing is now; none where this state knows no such thing that may enter play."""
    return next(filter(None, (entrance_events_of(state, system, subject) for system in (*state.systems, OWN))), [])


def entrance_events_of(state: CampaignState, system: SystemId, subject: str) -> list[Any]:
    """The same events for a thing of one system; its balances in the campaign's own currencies come last.

    Of a thing of the group, under `OWN`, the accounts that hold it come last.
    """
    if system == OWN:
        own_events: list[Any] = [*ledger_accounts.thing_entrance(state, subject)]
        holders = ledger_accounts.holders(state, subject) if own_events else {}
        balances = {account: {subject: amount} for account, amount in sorted(holders.items())}
        return [*own_events, BalancesEntered(balances, lasts=True)] if balances else own_events
    events = SYSTEMS[system].entrance_events(state.systems[system], subject)
    if not events:
        return []
    departure = state.departures.get(CharacterId(subject))
    who = CharacterId(subject)
    retirements = [] if departure is None else [CharacterRetired(who, departure.fate, departure.player)]
    return [*events, *_balances(state, system, events), *retirements]


def _balances(state: CampaignState, system: SystemId, events: list[Any]) -> list[BalancesEntered]:
    """The balances of the things that enter in these events, except currencies of their system."""
    rules, inner = SYSTEMS[system], state.systems[system]
    currencies = frozenset(rules.currencies)
    accounts = {
        account: account.rpartition(":")[2]
        for account, purse in state.balances.items()
        if not (purse.keys() <= currencies or rules.owns_account(account))
    }
    if not accounts:
        return []
    plain = msgspec.to_builtins(events)
    ids = {*things_named(plain)}
    accounts = {account: owner for account, owner in accounts.items() if owner in ids}
    told_parts = [*_parts(plain)] if accounts else []
    entering = {
        owner for owner in {*accounts.values()} if _are_told(rules.entrance_events(inner, owner), told_parts)
    }
    balances = {
        account: {
            currency: balance
            for currency, balance in sorted(state.balances[account].items())
            if currency not in currencies
        }
        for account, owner in sorted(accounts.items())
        if owner in entering
    }
    balances = {account: purse for account, purse in balances.items() if purse}
    return [BalancesEntered(balances, lasts=True)] if balances else []


def _are_told(events: list[Any], told_parts: list[Any]) -> bool:
    """Whether all of these events is already told as parts of others: a frame enters with its pilot."""
    fields = [field for event in events for field in msgspec.to_builtins(event).values()]
    wholes = [field for field in fields if isinstance(field, dict | list)]
    return bool(wholes) and all(whole in told_parts for whole in wholes)


def _parts(plain: Any) -> Iterator[Any]:
    """Plain data and all parts of it."""
    if isinstance(plain, dict | list):
        yield plain
        for inner in plain.values() if isinstance(plain, dict) else plain:
            yield from _parts(inner)


def put_right(would: list[Any], known_events: list[Any]) -> list[Any]:
    """The events of `would` that correct the state of readers who know the `known_events`; none if equal."""
    should, has = _standing(would), _standing(known_events)
    nothing = {account: dict.fromkeys(purse, 0) for account, purse in has.items()}
    should = {account: nothing.get(account, {}) | should.get(account, {}) for account in {**nothing, **should}}
    systems = [event for event in would if not isinstance(event, BalancesEntered)]
    same = systems == [event for event in known_events if not isinstance(event, BalancesEntered)] and all(
        has.get(account, {}).get(currency, 0) == balance
        for account, purse in should.items()
        for currency, balance in purse.items()
    )
    return [] if same or not systems else [*systems, *([BalancesEntered(should, lasts=True)] if should else [])]


def _standing(events: list[Any]) -> dict[str, dict[str, int]]:
    return next((event.balances for event in events if isinstance(event, BalancesEntered)), {})


def only_whole(whole: CampaignState, common: CampaignState, subject: str) -> SystemId | None:
    """The system in which `whole` knows a subject that may enter play and `common` does not know it."""
    for system, inner in whole.systems.items():
        rules = SYSTEMS[system]
        if rules.entrance_events(inner, subject) and not (
            system in common.systems and rules.entrance_events(common.systems[system], subject)
        ):
            return system
    return OWN if subject in whole.things and subject not in common.things else None


def _players_of(state: CampaignState, subject: str) -> set[Any]:
    if subject in state.things:
        return {ledger_accounts.owner_of_thing(state, subject)} - {None}
    found = find_character(state, subject)
    return set() if found is None else {found.character.player}


def things_named(part: Any) -> Iterator[str]:
    """Every string in plain data that may be the id of a thing of the campaign."""
    if isinstance(part, str):
        if match := _BORN.fullmatch(part):
            yield match[1]
    elif isinstance(part, Mapping):
        for key, inner in part.items():
            yield from (*things_named(key), *things_named(inner))
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from things_named(inner)
