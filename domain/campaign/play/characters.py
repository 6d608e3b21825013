"""The characters of a campaign, across its rule systems, and their players."""

from typing import NamedTuple

from domain.campaign.commands import AssignCharacter
from domain.campaign.events import CharacterAssigned
from domain.campaign.membership import must_be_gm
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext, KnownCharacter
from domain.ids import CharacterId, SystemId, is_born
from domain.rejection import Rejection
from domain.sentences import Sentence, number, say, term
from domain.systems import SYSTEMS
from domain.systems.system import Character

CHART = f"{OWN}.chart"


def characters(state: CampaignState) -> list[Character]:
    """Every character of every system, by system and then in order of creation."""
    return [
        character for system, inner in state.systems.items() for character in SYSTEMS[system].characters(inner)
    ]


class FoundCharacter(NamedTuple):
    """A character with the rule system that it is of."""

    system: SystemId
    character: Character


def find_character(state: CampaignState, thing: str) -> FoundCharacter | None:
    """The character whose id this is; None: it is no character's."""
    for system, inner in state.systems.items():
        if (character := SYSTEMS[system].character(inner, thing)) is not None:
            return FoundCharacter(system, character)
    return None


def system_of(state: CampaignState, character: CharacterId) -> SystemId:
    """The rule system of a character. Raises `unknown_character`."""
    return _required(state, character).system


def character_of(state: CampaignState, character: CharacterId) -> Character:
    """A character by its id. Raises `unknown_character`."""
    return _required(state, character).character


def _required(state: CampaignState, character: CharacterId) -> FoundCharacter:
    known_character = find_character(state, character)
    if known_character is None:
        raise Rejection("unknown_character", "No character of this campaign has that id.")
    return known_character


def titles(state: CampaignState) -> dict[str, str]:
    """The titles of the accounts in the group's chart."""
    if CHART not in state.changed_settings:
        return {}
    return {line.account: line.title for line in settings_of(OWN, state.changed_settings).chart}


def own_name(state: CampaignState, thing: str) -> str | Sentence | None:
    """The name of a thing of the campaign's own; of money that is set aside, its amount."""
    own = state.timers.get(thing) or state.activities.get(thing)
    if own is not None:
        return own.title
    if (entry := state.pending_entries.get(thing)) is not None:
        return say(
            "{amount} {currency}", amount=number(entry.amount), currency=currency_name(state, entry.currency)
        )
    if (own_thing := state.things.get(thing)) is not None:
        return own_thing.name
    if (arrival := state.arrivals.get(thing)) is not None:
        return arrival.name
    if state.session is not None and state.session.session_id == thing and not state.titles.get(thing):
        return say("Play session {n}", n=state.session.number)
    return state.titles.get(thing) or None


def currency_name(state: CampaignState, currency: str) -> str | Sentence:
    """The name of a currency of the ledger: of a thing its own, else the rules' or the group's word."""
    thing = state.things.get(currency)
    return term(currency) if thing is None else thing.name


def account_name(state: CampaignState, account: str) -> str | Sentence:
    """The name of a ledger account: its title, its owner's name (`Mara`), or `plain_name` where that is no id."""
    if (title := titles(state).get(account)) is not None:
        return title
    owner = account.partition(":")[2]
    if any(str(member) == owner for member in state.members):
        return say("The player's account")
    if not owner:
        return plain_name(account)
    names = (SYSTEMS[system].name(inner, owner) for system, inner in state.systems.items())
    is_of_id = is_born(owner.partition(".")[0])
    return next(filter(None, names), None) or (say("That account") if is_of_id else plain_name(account))


def plain_name(account: str) -> str:
    """The name of an account without title and owner: `old bank` for `world:old_bank`."""
    return account.rpartition(":")[2].replace("_", " ") or account


def known_anywhere(state: CampaignState, character: CharacterId) -> KnownCharacter | None:
    """A character of any system with the facts other systems may know, such as its machine's name."""
    if (holder := find_character(state, character)) is None:
        return None
    machine = SYSTEMS[holder.system].machine(state.systems[holder.system], character)
    return KnownCharacter(holder.character.name, holder.character.player, machine)


def assign(state: CampaignState, context: CommandContext, command: AssignCharacter) -> list[object]:
    """Hand a character to a member; also returns the events of its system."""
    must_be_gm(context, say("Only a GM may hand a character to somebody."))
    if command.player is not None and command.player not in state.members:
        raise Rejection("unknown_member", "A character can only be handed to a member of the campaign.")
    if command.character in state.departures:
        raise Rejection("character_retired", say("They have left the story: bring them back first."))
    system = system_of(state, command.character)
    handed = CharacterAssigned(character=command.character, system=system, player=command.player)
    own = SYSTEMS[system].assign(state.systems[system], command.character, command.player)
    return [handed, *own]
