"""Entering: something hidden comes into play, and is seen from then on as it is now.

Its past stays hidden. Whoever knew it already learns nothing, and nobody can take it back.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, structs

from domain.campaign.commands import EnterPlay
from domain.campaign.events import BalancesEntered
from domain.campaign.state import CampaignState
from domain.command_context import Asked
from domain.ids import ActionId, SystemId
from domain.rejection import Forbidden, Missing
from domain.sentences import say
from domain.systems import SYSTEMS

_BORN = re.compile("(?:[a-z_]+:)*([a-z_-]+-[0-9a-f]{12})")
"""The id of a thing, or an account of the ledger that ends in it."""


def enter_play(state: CampaignState, asked: Asked, command: EnterPlay) -> list[Any]:
    """The events that tell how something stands. Refuses `unknown_subject` and `not_yours_to_show`."""
    events = entered(state, command.subject)
    if not events:
        raise Missing("unknown_subject", say("There is nothing of that id that could enter play."))
    if not asked.is_gm and asked.account not in _players_of(state, command.subject):
        raise Forbidden("not_yours_to_show", "Only a GM, or whoever plays it, may bring it into play.")
    return told_in(events, asked.action_id)


def told_in(events: list[Any], action_id: ActionId, *, anew: bool = False) -> list[Any]:
    """The events of an entering with the action that they stand in, where a rule system wants to know it.

    An event where it is unset does not: only where something is told `anew` does it stand in each, which say so.
    """
    told = [
        structs.replace(each, entered_in=action_id)
        if "entered_in" in each.__struct_fields__ and (anew or each.entered_in is not UNSET)
        else each
        for each in events
    ]
    return said_anew(told) if anew else told


def said_anew(events: list[Any]) -> list[Any]:
    """The same, where they say that who reads them knew what they tell of."""
    return [structs.replace(each, anew=True) if "anew" in each.__struct_fields__ else each for each in events]


def entered(state: CampaignState, subject: str) -> list[Any]:
    """The events that tell how it stands; none where this state knows no such thing that may enter play."""
    return next(filter(None, (entered_of(state, system, subject) for system in state.systems)), [])


def entered_of(state: CampaignState, system: SystemId, subject: str) -> list[Any]:
    """The same for a thing of one system; what it has of the campaign's own currencies comes at the end."""
    events = SYSTEMS[system].entered(state.systems[system], subject)
    return [*events, *_balances(state, system, events)] if events else []


def _balances(state: CampaignState, system: SystemId, events: list[Any]) -> list[BalancesEntered]:
    """What those have who enter in the same events, but for what their system keeps itself."""
    rules, inner = SYSTEMS[system], state.systems[system]
    plain = msgspec.to_builtins(events)
    named = {*things_named(plain)}
    accounts = {each: each.rpartition(":")[2] for each in state.balances}
    accounts = {each: owner for each, owner in accounts.items() if owner in named and not rules.keeps(each)}
    told = [*_parts(plain)] if accounts else []
    entering = {each for each in {*accounts.values()} if _are_told(rules.entered(inner, each), told)}
    held = {
        account: {
            currency: balance
            for currency, balance in sorted(state.balances[account].items())
            if currency not in rules.currencies
        }
        for account, owner in sorted(accounts.items())
        if owner in entering
    }
    held = {account: each for account, each in held.items() if each}
    return [BalancesEntered(held, lasts=True)] if held else []


def _are_told(events: list[Any], told: list[Any]) -> bool:
    """Whether all that these would tell stands among parts that are told: a frame comes along with its pilot."""
    fields = [each for event in events for each in msgspec.to_builtins(event).values()]
    wholes = [each for each in fields if isinstance(each, dict | list)]
    return bool(wholes) and all(each in told for each in wholes)


def _parts(plain: Any) -> Iterator[Any]:
    """Plain data, and whatever stands in it."""
    if isinstance(plain, dict | list):
        yield plain
        for each in plain.values() if isinstance(plain, dict) else plain:
            yield from _parts(each)


def put_right(would: list[Any], told: list[Any]) -> list[Any]:
    """The events of `would` that put right whoever goes by those of `told`; none where nothing differs."""
    should, has = _standing(would), _standing(told)
    nothing = {account: dict.fromkeys(held, 0) for account, held in has.items()}
    should = {account: nothing.get(account, {}) | should.get(account, {}) for account in {**nothing, **should}}
    systems = [each for each in would if not isinstance(each, BalancesEntered)]
    same = systems == [each for each in told if not isinstance(each, BalancesEntered)] and all(
        has.get(account, {}).get(currency, 0) == balance
        for account, held in should.items()
        for currency, balance in held.items()
    )
    return [] if same or not systems else [*systems, *([BalancesEntered(should, lasts=True)] if should else [])]


def _standing(events: list[Any]) -> dict[str, dict[str, int]]:
    return next((each.balances for each in events if isinstance(each, BalancesEntered)), {})


def only_whole(whole: CampaignState, told: CampaignState, subject: str) -> SystemId | None:
    """The system in which `whole` knows something that may enter play, where `told` does not know it."""
    for system, inner in whole.systems.items():
        rules = SYSTEMS[system]
        if rules.entered(inner, subject) and not (
            system in told.systems and rules.entered(told.systems[system], subject)
        ):
            return system
    return None


def _players_of(state: CampaignState, subject: str) -> set[Any]:
    return {
        each.player
        for system, inner in state.systems.items()
        for each in SYSTEMS[system].characters(inner)
        if each.character == subject
    }


def things_named(part: Any) -> Iterator[str]:
    """Every string in plain data that may be the id of a thing that was born in a campaign."""
    if isinstance(part, str):
        if found := _BORN.fullmatch(part):
            yield found[1]
    elif isinstance(part, Mapping):
        for key, each in part.items():
            yield from (*things_named(key), *things_named(each))
    elif isinstance(part, list | tuple):
        for each in part:
            yield from things_named(each)
