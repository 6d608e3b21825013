"""The things of the group, and their holders."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.campaign.play.ledger_accounts import ESCROW, WORLD, kind_of
from domain.campaign.state import CampaignState
from domain.ids import CharacterId
from domain.sentences import ENGLISH
from projections.campaign.ledger_account_names import account_title
from projections.languages import render


class ThingHolder(Struct, frozen=True):
    """An account that has so many of a thing; `name` as in `AccountBalance`."""

    account: str
    name: str
    amount: int


class ThingView(Struct, frozen=True):
    """A thing of the group."""

    thing: str
    """Its id, and the currency of its entries in the ledger."""
    name: str
    kind: str | None
    description: str | None
    in_play: int
    """The number of those that are not the world's: of its holders, and set aside."""
    set_aside: int
    holders: list[ThingHolder]


class OwnThing(Struct, frozen=True):
    """So many of a thing in an account of a character."""

    thing: str
    name: str
    kind: str | None
    amount: int
    account: str


def things_of_group(state: CampaignState, name: Callable[[Any], str], language: str = ENGLISH) -> list[ThingView]:
    """Every thing by name, with its holders by theirs."""
    views = [_view(state, thing, name, language) for thing in state.things]
    return sorted(views, key=lambda view: (view.name.casefold(), view.thing))


def _view(state: CampaignState, thing: str, name: Callable[[Any], str], language: str) -> ThingView:
    known = state.things[thing]
    amounts = {account: balances.get(thing, 0) for account, balances in state.balances.items()}
    holders = [
        ThingHolder(account, render(account_title(account, name), language), amount)
        for account, amount in amounts.items()
        if amount and kind_of(account) not in (WORLD, ESCROW)
    ]
    aside = sum(amount for account, amount in amounts.items() if kind_of(account) == ESCROW)
    return ThingView(
        thing=thing,
        name=known.name,
        kind=known.kind,
        description=known.description,
        in_play=sum(holder.amount for holder in holders) + aside,
        set_aside=aside,
        holders=sorted(holders, key=lambda holder: (holder.name.casefold(), holder.account)),
    )


def things_of(state: CampaignState, character: CharacterId) -> list[OwnThing]:
    """Every thing in the accounts of a character, by name."""
    own = [
        OwnThing(thing, state.things[thing].name, state.things[thing].kind, amount, account)
        for account, balances in state.balances.items()
        if account.rpartition(":")[2] == character
        for thing, amount in balances.items()
        if amount and thing in state.things
    ]
    return sorted(own, key=lambda thing: (thing.name.casefold(), thing.thing, thing.account))
