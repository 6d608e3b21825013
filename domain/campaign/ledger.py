"""Money moves between two named accounts, so that nothing appears or vanishes unseen.

A system says how its events move currency (`RuleSystem.postings`), people post by hand. Balances are the
fold of both; the balances of all accounts always add up to zero.
"""

from typing import Any

from domain.asked import Asked
from domain.campaign.characters import characters
from domain.campaign.commands import PostEntry
from domain.campaign.events import CampaignEvent, EntryPosted
from domain.campaign.membership import must_be_gm
from domain.campaign.state import CampaignState
from domain.campaign.timer_commands import Post
from domain.ids import born
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems import SYSTEMS, owner_of
from domain.systems.system import Posting

BY_HAND = "entry"
"""The reason of an entry that somebody posted; their own words stand in the event."""


def post_entry(state: CampaignState, command: PostEntry, asked: Asked) -> list[CampaignEvent]:
    """Move currency by hand. Refuses `same_account`, `account_on_a_sheet` and `account_of_the_rules`.

    An account that ends in a character's id mirrors a number on a sheet, and a system may keep others, such as
    the team's points: only the system's own commands move those.
    """
    must_be_gm(asked, say("Only a GM may post to the ledger by hand."))
    check_accounts(state, command.debit, command.credit)
    return [entry(command, command.reason, asked)]


def check_accounts(state: CampaignState, debit: str, credit: str) -> None:
    """Refuse `same_account`, and `account_on_a_sheet` or `account_of_the_rules` for what only those move."""
    if debit == credit:
        raise Rejection("same_account", "An entry moves currency between two different accounts.")
    on_sheets = {known.character for known in characters(state)}
    for account in (debit, credit):
        if account.rpartition(":")[2] in on_sheets:
            raise Rejection(
                "account_on_a_sheet",
                say(
                    "{account} is on a character's sheet: move it by the commands of the rule system.",
                    account=account,
                ),
            )
        keeper = next((SYSTEMS[system] for system in state.systems if SYSTEMS[system].keeps(account)), None)
        if keeper is not None:
            raise Rejection(
                "account_of_the_rules",
                say(
                    "{account} is kept by the rules of {system}: move it by their commands.",
                    account=account,
                    system=keeper.title,
                ),
            )


def entry(wanted: PostEntry | Post, reason: str, asked: Asked) -> EntryPosted:
    """What moves currency between two accounts."""
    return EntryPosted(
        entry_id=born("entry", asked.action_id),
        currency=wanted.currency,
        debit=wanted.debit,
        credit=wanted.credit,
        change=wanted.amount,
        reason=reason,
    )


def postings(event: Any) -> list[Posting]:
    """How any event of a campaign moves currency."""
    if isinstance(event, EntryPosted):
        return [
            Posting(
                currency=event.currency,
                debit=event.debit,
                credit=event.credit,
                amount=event.change,
                reason=BY_HAND,
            )
        ]
    system = owner_of(event)
    return system.postings(event) if system is not None else []


def post(state: CampaignState, posting: Posting) -> None:
    """Apply one posting to the balances."""
    for account, change in ((posting.debit, -posting.amount), (posting.credit, posting.amount)):
        held = state.balances.setdefault(account, {})
        held[posting.currency] = held.get(posting.currency, 0) + change
