"""Accounts of the ledger: the kinds that there are, whose each is, and which of them hold a thing of the group."""

from domain.campaign.messages.things import ThingEntered
from domain.campaign.play.characters import FoundCharacter, find_character
from domain.campaign.state import CampaignState
from domain.ids import AccountId, CharacterId

WORLD, ESCROW, PLAYER = "world", "escrow", "player"
"""The kinds of accounts, before the colon, of the world, of what is set aside, and of members."""

FOUND, USED_UP = "world:found", "world:used_up"
"""The accounts that things come from and go to, if no other is named."""

GROUP = "group"
"""The account of what the group has in common."""


def kind_of(account: str) -> str:
    """The part of an account before the colon, or all of it."""
    return account.partition(":")[0]


def character_in(state: CampaignState, account: str) -> FoundCharacter | None:
    """The character in whose id an account ends, with its rule system."""
    return find_character(state, account.rpartition(":")[2])


def owning_character(state: CampaignState, account: str) -> CharacterId | None:
    """The id of a character in which an account ends."""
    holder = character_in(state, account)
    return None if holder is None else holder.character.character


def owner_of(state: CampaignState, account: str) -> AccountId | None:
    """The player of an account's character, or the member it is named after; None: it has no owner."""
    kind, _, owner = account.partition(":")
    if kind == PLAYER:
        return next((member for member in state.members if str(member) == owner), None)
    holder = character_in(state, account)
    return None if holder is None else holder.character.player


def purse_of(character: CharacterId) -> str:
    """The account of a character that no rules need to keep, such as `pilot:pilot-5f0c2a91e3b4`."""
    return f"{str(character).rpartition('-')[0]}:{character}"


def holders(state: CampaignState, thing: str) -> dict[str, int]:
    """The accounts that hold a thing, with how many; neither the world's nor those of what is set aside."""
    return {
        account: balances[thing]
        for account, balances in state.balances.items()
        if balances.get(thing) and kind_of(account) not in (WORLD, ESCROW)
    }


def owner_of_thing(state: CampaignState, thing: str) -> AccountId | None:
    """The owner of all accounts that hold a thing; None: they have several, or none."""
    owners = {owner_of(state, account) for account in holders(state, thing)}
    return next(iter(owners)) if len(owners) == 1 else None


def thing_entrance(state: CampaignState, thing: str) -> list[ThingEntered]:
    """The event that says what a thing is; none where this state knows no such thing."""
    known_thing = state.things.get(thing)
    if known_thing is None:
        return []
    return [ThingEntered(thing, known_thing.name, known_thing.kind, known_thing.description)]
