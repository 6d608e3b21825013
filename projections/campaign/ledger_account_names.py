"""The names of ledger accounts on pages: their title, their owner, or their use by the rules."""

import re
from typing import Literal, TypeAlias

from domain.campaign.play.characters import characters, plain_name
from domain.campaign.play.ledger_accounts import ESCROW, WORLD
from domain.campaign.state import CampaignState
from domain.sentences import Sentence, say
from projections.campaign_words.narration import holder
from projections.narration_tables import Name

Holders: TypeAlias = Literal["characters", "members", "group", "aside", "world"]
"""The kinds of owners of an account."""

NAMELESS = re.compile(r".*\b(?:[a-z_]+(?:-[a-z_]+)*-[0-9a-f]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b.*")
"""An account of a thing whose name is not known."""

CREW = "crew"

OWN: dict[str, Sentence] = {
    CREW: say("The crew"),
    "group": say("The group"),
    "team": say("The team"),
    "reserve": say("The reserve in a duel"),
    ESCROW: say("Set aside"),
    WORLD: say("The world"),
}
"""Accounts that the rules open, by their kind."""

BESIDE_OWNER: dict[str, Sentence] = {"available": say("To spend"), "spent": say("Spent")}
"""The accounts of one owner, by their kind."""

OF_WORLD: dict[str, Sentence] = {
    "adoption": say("Brought along"),
    "advancement": say("Advancement"),
    "award": say("Awards"),
    "bank": say("The bank"),
    "chapter": say("Ends of chapters"),
    "charge": say("Charges"),
    "creation": say("Newly made characters"),
    "duel": say("Duels"),
    "entered": say("Brought into play"),
    "found": say("Found or made"),
    "fatal_mode": say("Fatal mode"),
    "field_ops": say("Field ops"),
    "initiative": say("Initiative"),
    "major": say("Major successes"),
    "mission": say("Missions"),
    "mission_costs": say("Costs of missions"),
    "new_frame": say("New frames"),
    "off_core": say("Tests off Core"),
    "personal_objective": say("Personal objectives"),
    "purge": say("Purges of Angst"),
    "recap": say("Recaps"),
    "recover": say("Recovery"),
    "refit": say("Refits"),
    "repair": say("Repairs"),
    "reroll": say("Rerolls"),
    "revelation": say("Revelations"),
    "salvage": say("Salvage"),
    "social_scene": say("Social scenes"),
    "start": say("Newly made characters"),
    "starting_currency": say("Starting money"),
    "tap": say("Taps"),
    "train": say("Training"),
    "treat": say("Treatments"),
    "treatment": say("Treatments"),
    "used_up": say("Used up"),
    "work": say("Work"),
}
"""The sources and uses of currency, by the rules' words for them."""


def account_title(account: str, name: Name) -> str | Sentence:
    """The name of an account for people: its title in the chart, its owner, or its use."""
    title = name(account)
    if title != account:
        return title
    kind, _, own = account.partition(":")
    owner = holder(account, name)
    if owner is not None:
        return _of_owner(kind, owner)
    if kind == CREW and own:
        return say("Crew {owner}", owner=own.replace("_", " "))
    if kind == WORLD and own:
        return OF_WORLD.get(own) or plain_name(account).capitalize()
    if kind in OWN:
        return OWN[kind]
    return (
        say("An account whose owner is gone") if NAMELESS.fullmatch(account) else plain_name(account).capitalize()
    )


def _of_owner(kind: str, owner: str) -> str | Sentence:
    match kind:
        case "available":
            return say("{owner}: to spend", owner=owner)
        case "spent":
            return say("{owner}: spent", owner=owner)
        case _:
            return owner


def title_beside_owner(account: str, name: Name) -> str | Sentence:
    """The name of an account where its owner is named already."""
    return BESIDE_OWNER.get(account.partition(":")[0]) or account_title(account, name)


def holders_of(account: str, state: CampaignState) -> Holders:
    """The kind of an account's owner, as a reader of this state knows it."""
    kind, _, own = account.partition(":")
    if kind == WORLD:
        return "world"
    if kind == ESCROW:
        return "aside"
    if any(str(member) == own for member in (*state.members, *state.former_members)):
        return "members"
    is_of_one = kind == "frame" or any(
        str(character.character) == account.rpartition(":")[2] for character in characters(state)
    )
    return "characters" if is_of_one else "group"
