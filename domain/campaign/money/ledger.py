"""Money moves between two named accounts, so that none appears or disappears unseen.

A system says how its events move currency (`RuleSystem.postings`); members post by hand. Balances are the fold
of both; the balances of all accounts always add up to zero.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from msgspec import Struct

from domain.campaign.commands import PostEntry
from domain.campaign.events import CampaignEvent, EntryPosted
from domain.campaign.membership import must_be_gm
from domain.campaign.messages.escrow import EntryPending, PendingPosted, PendingVoided
from domain.campaign.messages.imports import PurseHandedOver
from domain.campaign.messages.timers import Post
from domain.campaign.messages.undo import ActionRedone, ActionUndone
from domain.campaign.play.characters import account_name, currency_name
from domain.campaign.play.ledger_accounts import WORLD, character_in, kind_of, owning_character
from domain.campaign.settings import OWN, CampaignSettings, settings_of, standing
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.ids import AccountId, derive_id
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import number, say
from domain.systems import SYSTEMS, owner_of_kind
from domain.systems.system import Posting, RuleSystem
from domain.type_cache import once_per_kind

BY_HAND = "entry"
"""The reason of an entry posted by hand; the member's own words are in the event."""

PENDING, POSTED, VOIDED = "pending", "posted", "voided"
"""The reasons of entries that put something in escrow, post it, and void it."""

ALL, BOTH = About(), About("debit", "credit")
FROM, PAID_FROM = About("debit", "currency"), About("debit", "currency", "amount")
TO, PAID_TO = About("credit", "currency"), About("credit", "currency", "amount")
"""The fields that refusals of a move between two accounts are about."""


class Move(Struct, frozen=True):
    """An amount that goes from one account to another."""

    currency: str
    debit: str
    credit: str
    amount: int
    reason: str


def post_entry(state: CampaignState, context: CommandContext, command: PostEntry) -> list[CampaignEvent]:
    """Move currency by hand. Raises `same_account`, `account_on_a_sheet` and `account_of_the_rules`.

    A currency that a character's system keeps on the sheet is moved by that system's commands only, and a system
    may keep other accounts, such as the team's points. The campaign's own currencies can be in any account.
    """
    with ALL:
        must_be_gm(context, say("Only a GM may post to the ledger by hand."))
    with BOTH:
        require_two(command.debit, command.credit)
    with FROM:
        check_account(state, command.debit, command.currency)
    with TO:
        check_account(state, command.credit, command.currency)
    with PAID_FROM:
        require_balance(state, command.debit, command.currency, command.amount)
    if command.pending:
        return [pending_entry(command, context, consent=None, on_sheet=False)]
    return [entry(command, command.reason, context)]


def check_accounts(state: CampaignState, debit: str, credit: str, currency: str | None) -> None:
    """Raise the errors of `require_two` and `check_account`. `currency` None: any."""
    require_two(debit, credit)
    for account in (debit, credit):
        check_account(state, account, currency)


def require_two(debit: str, credit: str) -> None:
    """Raise `same_account` for one account."""
    if debit == credit:
        raise Rejection("same_account", "An entry moves currency between two different accounts.")


def check_account(state: CampaignState, account: str, currency: str | None) -> None:
    """Raise `account_on_a_sheet`, and the errors of `check_kept`. `currency` None: any."""
    if keeper_of(state, account, currency) is not None:
        raise on_a_sheet(state, account)
    check_kept(state, account)


def check_kept(state: CampaignState, account: str) -> None:
    """Raise `account_of_the_rules`, and `account_in_escrow`, which `post_pending` and `void_pending` empty."""
    if account.partition(":")[2] in state.pending_entries:
        raise Rejection("account_in_escrow", say("That account holds what is set aside."))
    keeper = next((SYSTEMS[system] for system in state.systems if SYSTEMS[system].owns_account(account)), None)
    if keeper is not None:
        raise Rejection(
            "account_of_the_rules",
            say(
                "{account} is kept by the rules of {system}: move it by their commands.",
                account=account_name(state, account),
                system=keeper.title,
            ),
        )


def keeper_of(state: CampaignState, account: str, currency: str | None) -> RuleSystem | None:
    """The system of a character's account, if its sheets have this currency (None: any currency).

    The campaign's own currencies are on no sheet: characters of every system can have them.
    """
    holder = character_in(state, account)
    if holder is None:
        return None
    system = SYSTEMS[holder.system]
    return system if currency is None or currency in system.currencies else None


def on_a_sheet(state: CampaignState, account: str) -> Rejection:
    """The rejection `account_on_a_sheet`: only the system's own commands move that currency."""
    return Rejection(
        "account_on_a_sheet",
        say(
            "{account} is on a character's sheet: move it by the commands of the rule system.",
            account=account_name(state, account),
        ),
    )


def entry(request: PostEntry | Post | Move, reason: str, context: CommandContext, nth: int = 0) -> EntryPosted:
    """The event that moves currency between two accounts, the `nth` of its action."""
    return EntryPosted(
        entry_id=derive_id("entry", context.action_id, nth),
        currency=request.currency,
        debit=request.debit,
        credit=request.credit,
        change=request.amount,
        reason=reason,
    )


def pending_entry(
    request: PostEntry | Move, context: CommandContext, *, consent: AccountId | None, on_sheet: bool, nth: int = 0
) -> EntryPending:
    """The event that sets currency aside until `consent` agrees, the `nth` of its action."""
    return EntryPending(
        entry_id=derive_id("entry", context.action_id, nth),
        currency=request.currency,
        debit=request.debit,
        credit=request.credit,
        change=request.amount,
        reason=request.reason,
        held_by=context.account,
        consent=consent,
        on_sheet=on_sheet,
    )


def require_balance(state: CampaignState, account: str, currency: str, amount: int) -> None:
    """Raise `insufficient_balance` where an account that may not owe anything would."""
    balance = state.balances.get(account, {}).get(currency, 0)
    if amount > balance and not _may_owe(state, account, currency):
        raise holds_only(state, account, currency)


def holds_only(state: CampaignState, account: str, currency: str) -> Rejection:
    """The rejection `insufficient_balance`, with what an account holds of a currency."""
    return Rejection(
        "insufficient_balance",
        say(
            "{account} holds {held} {currency}.",
            account=account_name(state, account),
            held=number(state.balances.get(account, {}).get(currency, 0)),
            currency=currency_name(state, currency),
        ),
    )


def _may_owe(state: CampaignState, account: str, currency: str) -> bool:
    """Whether an account may go below zero: the world always, of money others by the chart, or by the setting."""
    if kind_of(account) == WORLD:
        return True
    if currency in state.things:
        return False
    settings: CampaignSettings = settings_of(OWN, standing(state.changed_settings, state.rulings))
    listed = next((line for line in settings.chart if line.account == account), None)
    if listed is not None:
        return listed.debt
    return settings.debt == "allowed" or (settings.debt == "shared" and not _is_a_purse(state, account))


def _is_a_purse(state: CampaignState, account: str) -> bool:
    """Whether an account belongs to a member or a character."""
    owner = account.partition(":")[2]
    return owning_character(state, account) is not None or any(str(member) == owner for member in state.members)


def postings_of(event: Any) -> list[Posting]:
    """The amounts an event adds to the ledger of a whole log, as the statement and the ledger check read it.

    Undone events count, because the undo moves their amounts back, and a redo moves them once more. The sum up
    to any event is the campaign's balance there.
    """
    moves = moved_by(type(event))
    return moves(event) if moves is not None else []


@once_per_kind
def moved_by(kind: type[Struct]) -> Callable[[Any], list[Posting]] | None:
    """The function that `postings_of` uses for events of a kind; None: they add nothing."""
    return _REWRITES.get(kind) or moves_of(kind)


def postings(event: Any) -> list[Posting]:
    """The amounts an event moves in a fold, which leaves undone events out."""
    moves = moves_of(type(event))
    return moves(event) if moves is not None else []


@once_per_kind
def moves_of(kind: type[Struct]) -> Callable[[Any], list[Posting]] | None:
    """The function that `postings` uses for events of a kind; None: they move nothing."""
    system = owner_of_kind(kind)
    return (_OWN_POSTINGS if system is None else system.postings).get(kind)


def _posted(event: EntryPosted | PurseHandedOver) -> list[Posting]:
    return [
        Posting(
            currency=event.currency, debit=event.debit, credit=event.credit, amount=event.change, reason=BY_HAND
        )
    ]


def _in_two_steps(event: EntryPending | PendingPosted | PendingVoided) -> list[Posting]:
    if event.on_sheet:
        return []  # the character's system moves the currency
    escrow = f"escrow:{event.entry_id}"
    match event:
        case EntryPending():
            debit, credit, reason = event.debit, escrow, PENDING
        case PendingPosted():
            debit, credit, reason = escrow, event.credit, POSTED
        case PendingVoided():
            debit, credit, reason = escrow, event.debit, VOIDED
    return [Posting(currency=event.currency, debit=debit, credit=credit, amount=event.change, reason=reason)]


_OWN_POSTINGS: dict[type, Callable[[Any], list[Posting]]] = {
    EntryPosted: _posted,
    PurseHandedOver: _posted,
    EntryPending: _in_two_steps,
    PendingPosted: _in_two_steps,
    PendingVoided: _in_two_steps,
}

_REWRITES: dict[type, Callable[[Any], list[Posting]]] = {
    ActionUndone: attrgetter("reversals"),
    ActionRedone: attrgetter("postings"),
}


def post(state: CampaignState, posting: Posting) -> None:
    """Apply one posting to the state's balances."""
    add(state.balances, posting)


def add(balances: dict[str, dict[str, int]], posting: Posting) -> None:
    """Apply one posting to balances."""
    for account, change in ((posting.debit, -posting.amount), (posting.credit, posting.amount)):
        purse = balances.setdefault(account, {})
        purse[posting.currency] = purse.get(posting.currency, 0) + change
