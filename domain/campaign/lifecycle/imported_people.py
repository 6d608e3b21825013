"""The people of an imported campaign who are no members yet, and a GM's word about which member one of them is.

An import without the people's accounts gives each person an id of its own. Things for that id alone have no
reader and no owner until a GM names the member; from there on the member reads them at their old place, and has
the person's belongings.

Codes: gm_only, unknown_person, already_identified, unknown_member, both_have_one.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.campaign.membership import must_be_gm
from domain.campaign.messages.imports import IdentifyPerson, PersonIdentified, PurseHandedOver
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state
from domain.command_context import CommandContext
from domain.ids import AccountId
from domain.mechanics.dispatch import Decide, Evolve, without_dice
from domain.mechanics.refused_fields import About
from domain.rejection import Missing, Rejection, Stale
from domain.sentences import say

DERIVED = 5
"""The version of the ids that an import derives for people without a known account; accounts have 4."""

OF_PEOPLE = (
    "systems",
    "session",
    "timers",
    "activities",
    "pending_entries",
    "undone",
    "undo_requests",
    "arrivals",
)
"""The parts of a campaign in which a member takes a person's place. Money moves by events of its own."""


def strangers(state: CampaignState) -> dict[AccountId, str]:
    """The people of an import who are no members, and were not said to be one, with their names there."""
    return {
        person: name
        for person, name in state.imported_people.items()
        if person.version == DERIVED and person not in state.stands_for and person not in state.members
    }


def purse_of(state: CampaignState, person: AccountId) -> dict[str, dict[str, int]]:
    """The balances of a person in the ledger, by account and currency; only zeros are left out."""
    own = ((account, held) for account, held in state.balances.items() if _owner_in(account) == str(person))
    purses = ((account, {currency: held for currency, held in all_.items() if held}) for account, all_ in own)
    return {account: held for account, held in purses if held}


def identify(
    state: CampaignState, context: CommandContext, command: IdentifyPerson
) -> list[PersonIdentified | PurseHandedOver]:
    """Say which member a person is; said again, it hands over the money that came to the person's accounts since.

    Said again where nothing came, it gives no events.
    """
    person, account = command.person, command.account
    must_be_gm(context, say("Only a GM may say who a person of the import is."))
    before = state.stands_for.get(person)
    if account not in state.members:
        raise Missing("unknown_member", "Nobody with that account is a member of this campaign.")
    if before is None and person not in strangers(state):
        with About("person"):
            raise Rejection(
                "unknown_person", say("No person of the import has that id, or they are a member already.")
            )
    if before not in (None, account):
        with About("person"):
            raise Stale("already_identified", say("Another member is that person: undo it there first."))
    if before is None and _collide(_parts(state), str(person), str(account)):
        raise Rejection(
            "both_have_one",
            say(
                "Both have something that nobody has twice, such as a company of Mobile Frame: hand what the "
                "member has over to another first."
            ),
        )
    identified = [] if before == account else [PersonIdentified(person, account)]
    return [*identified, *_handed_over(state, person, account)]


def _handed_over(state: CampaignState, person: AccountId, account: AccountId) -> Iterator[PurseHandedOver]:
    for own, held in purse_of(state, person).items():
        theirs = own.replace(str(person), str(account))
        for currency, amount in held.items():
            debit, credit = (own, theirs) if amount > 0 else (theirs, own)
            yield PurseHandedOver(currency, debit, credit, abs(amount))


def with_person(
    stands_for: Mapping[AccountId, AccountId], person: AccountId, account: AccountId
) -> dict[AccountId, AccountId]:
    """`stands_for` with `account` in place of `person`, also for everybody whom `person` stood for."""
    moved = {who: account if member == person else member for who, member in stands_for.items()}
    return {**moved, person: account}


def _identified(state: CampaignState, event: PersonIdentified) -> None:
    """The member takes the person's place in everything that is not over."""
    state.stands_for = with_person(state.stands_for, event.person, event.account)
    moved = _moved(_parts(state), str(event.person), str(event.account))
    now = decode_state(msgspec.json.encode(moved))
    for part in OF_PEOPLE:
        setattr(state, part, getattr(now, part))


def _parts(state: CampaignState) -> dict[str, Any]:
    parts = {part: getattr(state, part) for part in OF_PEOPLE}
    plain: dict[str, Any] = msgspec.to_builtins(parts)
    return plain


def _moved(part: Any, person: str, account: str) -> Any:
    """Plain data with an account in place of a person; a list in which both stood has the account once."""
    match part:
        case str():
            return part.replace(person, account)
        case dict():
            return {_moved(key, person, account): _moved(each, person, account) for key, each in part.items()}
        case list() if person in part and account in part:
            return [_moved(each, person, account) for each in part if each != person]
        case list():
            return [_moved(each, person, account) for each in part]
    return part


def _collide(part: Any, person: str, account: str) -> bool:
    """Whether a place that can be taken once is taken by both."""
    match part:
        case dict():
            keys = [key for key in part if isinstance(key, str) and person in key]
            twice = any(key.replace(person, account) in part for key in keys)
            return twice or any(_collide(each, person, account) for each in part.values())
        case list():
            return any(_collide(each, person, account) for each in part)
    return False


def _owner_in(account: str) -> str:
    return account.partition(":")[2]


DECIDE: Decide[CampaignState, Any] = without_dice({IdentifyPerson: identify})
EVOLVE: Evolve[CampaignState] = {PersonIdentified: _identified}
