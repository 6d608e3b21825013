"""Escrow: transfers between players that need consent, and prices that may go back.

Codes: not_your_account, insufficient_balance, unknown_entry, not_yours_to_agree, not_yours_to_void, gm_only,
hidden_from_who_agrees, and those of `ledger.check_accounts`.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from domain.campaign.membership import players_of
from domain.campaign.messages.escrow import (
    EntryPending,
    OfferTransfer,
    PendingPosted,
    PendingVoided,
    PostPending,
    VoidPending,
)
from domain.campaign.messages.things import MoveThing, Split
from domain.campaign.money import ledger
from domain.campaign.money.ledger import Move
from domain.campaign.play.characters import account_name
from domain.campaign.play.ledger_accounts import owner_of, owning_character
from domain.campaign.secrecy.audience import Audience, may_see
from domain.campaign.state import CampaignState, PendingEntry
from domain.command_context import CommandContext
from domain.ids import AccountId, derive_id
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.mechanics.refused_fields import About
from domain.rejection import Forbidden, Rejection
from domain.sentences import say

DEBIT = About("debit")


def _offer(state: CampaignState, context: CommandContext, command: OfferTransfer) -> list[Any]:
    with ledger.BOTH:
        ledger.require_two(command.debit, command.credit)
    with DEBIT:
        require_own(state, context, command.debit)
    with ledger.FROM:
        check_kept(state, command.debit, command.currency)
    with ledger.TO:
        check_kept(state, command.credit, command.currency)
    with ledger.PAID_FROM if _has_something(state, command.debit) else DEBIT:
        require_held(state, command.debit, command.currency, command.amount)
    escrow = f"escrow:{derive_id('entry', context.action_id)}"
    move = Move(command.currency, command.debit, command.credit, command.amount, command.reason)
    with ledger.PAID_TO:  # refused now rather than when it is posted
        on_sheet(state, command.credit, command.currency, command.amount, escrow)
    with ledger.PAID_FROM:
        moves = on_sheet(state, command.debit, command.currency, -command.amount, escrow)
    return _set_aside_events(state, context, move, 0, moves)


def offer_events(state: CampaignState, context: CommandContext, move: Move, nth: int, total: int) -> list[Any]:
    """The events that set an amount aside until the owner of `credit` agrees, as the `nth` entry of the action.

    `total` is what the action has taken from `debit` already.
    """
    escrow = f"escrow:{derive_id('entry', context.action_id, nth)}"
    on_sheet(state, move.credit, move.currency, move.amount, escrow)  # refused now rather than when it is posted
    moves = on_sheet(state, move.debit, move.currency, -move.amount, escrow, -total)
    return _set_aside_events(state, context, move, nth, moves)


def _set_aside_events(
    state: CampaignState, context: CommandContext, move: Move, nth: int, moves: list[Any] | None
) -> list[Any]:
    consent = owner_of(state, move.credit)
    pending = ledger.pending_entry(move, context, consent=consent, on_sheet=moves is not None, nth=nth)
    return [pending, *(moves or [])]


def move_events(state: CampaignState, move: Move, between: str, posted: Any, total: int = 0) -> list[Any]:
    """The events that move an amount at once: those of sheets, or `posted` where it is on none.

    Where both sides are sheets whose events move the whole amount, it passes through the account `between`.
    `total` is what the action has taken from `debit` already.
    """
    currency, amount = move.currency, move.amount
    from_sheet = on_sheet(state, move.debit, currency, -amount, move.credit, -total)
    to_sheet = on_sheet(state, move.credit, currency, amount, move.debit)
    if from_sheet is None and to_sheet is None:
        return [posted]
    if from_sheet is None or to_sheet is None:
        return [*(from_sheet or ()), *(to_sheet or ())]
    return [
        *(on_sheet(state, move.debit, currency, -amount, between, -total) or ()),
        *(on_sheet(state, move.credit, currency, amount, between) or ()),
    ]


def offered_from(state: CampaignState, context: CommandContext, account: str) -> Iterator[int]:
    """The amounts that the asker may give from an account, of each currency in it."""
    for currency, balance in state.balances.get(account, {}).items():
        with suppress(Rejection):
            require_own(state, context, account)
            check_kept(state, account, currency)
            on_sheet(state, account, currency, -balance, account)
            yield balance


def require_own(state: CampaignState, context: CommandContext, account: str) -> None:
    """Raise `not_your_account` unless the asker is a GM, or the account is theirs."""
    if not context.is_gm and owner_of(state, account) != context.account:
        raise Forbidden(
            "not_your_account",
            say("You cannot give from {account}: it is not yours.", account=account_name(state, account)),
        )


def check_kept(state: CampaignState, account: str, currency: str) -> None:
    """Raise the errors of `ledger.check_kept`, but for what is on a sheet: its system says whether it moves."""
    if ledger.keeper_of(state, account, currency) is None:
        ledger.check_kept(state, account)


def _has_something(state: CampaignState, account: str) -> bool:
    return any(balance > 0 for balance in state.balances.get(account, {}).values())


def require_held(state: CampaignState, account: str, currency: str, amount: int) -> None:
    """Raise `insufficient_balance` where an account holds less than an amount, whatever it may owe."""
    if amount > state.balances.get(account, {}).get(currency, 0):
        raise ledger.holds_only(state, account, currency)


def _post(state: CampaignState, context: CommandContext, command: PostPending) -> list[Any]:
    entry = _entry(state, command.entry)
    consent = consenter_of(state, entry)
    if not context.is_gm and (context.account != consent or consent not in players_of(state)):
        raise Forbidden("not_yours_to_agree", "Somebody else has to agree to that.")
    moves = on_sheet(state, entry.credit, entry.currency, entry.amount, entry.escrow)
    return [
        PendingPosted(
            entry.entry_id, entry.currency, entry.debit, entry.credit, entry.amount, on_sheet=moves is not None
        ),
        *(moves or []),
    ]


def _void(state: CampaignState, context: CommandContext, command: VoidPending) -> list[Any]:
    entry = _entry(state, command.entry)
    if not context.is_gm and context.account not in (entry.held_by, consenter_of(state, entry)):
        raise Forbidden("not_yours_to_void", "Only the two parties to this entry and GMs may do that.")
    moves = on_sheet(state, entry.debit, entry.currency, entry.amount, entry.escrow)
    return [
        PendingVoided(
            entry.entry_id, entry.currency, entry.debit, entry.credit, entry.amount, on_sheet=moves is not None
        ),
        *(moves or []),
    ]


def _entry(state: CampaignState, entry_id: str) -> PendingEntry:
    entry = state.pending_entries.get(entry_id)
    if entry is None:
        raise Rejection("unknown_entry", "Nothing is set aside under that id.")
    return entry


def require_read_by_who_agrees(state: CampaignState, command: Any, asker: AccountId | None, readers: str) -> None:
    """Raise `hidden_from_who_agrees` if the account whose consent is needed may not read the offer."""
    for consent in (owner_of(state, account) for account in _accounts_that_agree(state, command, asker)):
        if consent in (None, asker) or consent not in players_of(state):
            continue
        if not may_see(readers, Audience(gm=state.members[consent] == "gm", account=consent)):
            raise Rejection(
                "hidden_from_who_agrees",
                say(
                    "The one who is paid has to agree, and would not read of this: let them read it, too, or "
                    "offer it openly."
                ),
            )


def _accounts_that_agree(state: CampaignState, command: Any, asker: AccountId | None) -> list[str]:
    """The accounts whose owners a command asks; a GM asks by `offer_transfer` alone."""
    is_of_gm = asker is not None and state.members.get(asker) == "gm"
    match command:
        case OfferTransfer():
            return [command.credit]
        case MoveThing() if not is_of_gm:
            return [command.credit]
        case Split() if not is_of_gm:
            return [share.account for share in command.among]
        case _:
            return []


def consenter_of(state: CampaignState, entry: PendingEntry) -> AccountId | None:
    """The account that has to agree to an entry: the present player of the character it is for; None: a GM."""
    return None if entry.consent is None else owner_of(state, entry.credit) or entry.consent


def on_sheet(
    state: CampaignState, account: str, currency: str, change: int, other: str, earlier: int = 0
) -> list[Any] | None:
    """The system's own events for a currency that is on a sheet; None for one that is on none.

    The action changes it by `earlier` before.
    """
    character, system = owning_character(state, account), ledger.keeper_of(state, account, currency)
    if character is None or system is None:
        return None
    events = system.transfer_events(state.systems[system.id], character, account, currency, change, other, earlier)
    if events is None:
        raise ledger.on_a_sheet(state, account)
    return events


def _set_aside(state: CampaignState, event: EntryPending) -> None:
    state.pending_entries[event.entry_id] = PendingEntry(
        entry_id=event.entry_id,
        currency=event.currency,
        debit=event.debit,
        credit=event.credit,
        amount=event.change,
        held_by=event.held_by,
        consent=event.consent,
    )


def _over(state: CampaignState, event: PendingPosted | PendingVoided) -> None:
    state.pending_entries.pop(event.entry_id, None)


DECIDE: Decide[CampaignState, Any] = without_dice(
    {
        OfferTransfer: _offer,
        PostPending: _post,
        VoidPending: _void,
    }
)
EVOLVE: Evolve[CampaignState] = {EntryPending: _set_aside, **each_of(PendingPosted | PendingVoided, _over)}
