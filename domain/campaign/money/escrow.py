"""Escrow: transfers between players that need consent, and prices that may go back.

Codes: not_your_account, insufficient_balance, unknown_entry, not_yours_to_agree, not_yours_to_void, gm_only,
hidden_from_who_agrees, and those of `ledger.check_accounts`.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from domain.campaign.membership import players_of
from domain.campaign.messages.money import (
    EntryPending,
    OfferTransfer,
    PendingPosted,
    PendingVoided,
    PostPending,
    VoidPending,
)
from domain.campaign.money import ledger
from domain.campaign.play.characters import account_name, characters
from domain.campaign.secrecy.audience import Audience, may_see
from domain.campaign.state import CampaignState, PendingEntry
from domain.command_context import CommandContext
from domain.ids import AccountId, derive_id
from domain.mechanics.culprits import About
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.rejection import Forbidden, Rejection
from domain.sentences import number, say, term

PLAYER = "player"
DEBIT = About("debit")


def _offer(state: CampaignState, context: CommandContext, command: OfferTransfer) -> list[Any]:
    with ledger.BOTH:
        ledger.require_two(command.debit, command.credit)
    with DEBIT:
        _require_own(state, context, command.debit)
    with ledger.FROM:
        _check_kept(state, command.debit, command.currency)
    with ledger.TO:
        _check_kept(state, command.credit, command.currency)
    with ledger.PAID_FROM if _has_something(state, command.debit) else DEBIT:
        _require_held(state, command)
    escrow = f"escrow:{derive_id('entry', context.action_id)}"
    with ledger.PAID_TO:  # refused now rather than when it is posted
        on_sheet(state, command.credit, command.currency, command.amount, escrow)
    with ledger.PAID_FROM:
        moves = on_sheet(state, command.debit, command.currency, -command.amount, escrow)
    consent = owner_of(state, command.credit)
    return [ledger.pending_entry(command, context, consent=consent, on_sheet=moves is not None), *(moves or [])]


def offered_from(state: CampaignState, context: CommandContext, account: str) -> Iterator[int]:
    """The amounts that the asker may give from an account, of each currency in it."""
    for currency, balance in state.balances.get(account, {}).items():
        with suppress(Rejection):
            _require_own(state, context, account)
            _check_kept(state, account, currency)
            on_sheet(state, account, currency, -balance, account)
            yield balance


def _require_own(state: CampaignState, context: CommandContext, account: str) -> None:
    if not context.is_gm and owner_of(state, account) != context.account:
        raise Forbidden(
            "not_your_account",
            say("You cannot give from {account}: it is not yours.", account=account_name(state, account)),
        )


def _check_kept(state: CampaignState, account: str, currency: str) -> None:
    if ledger.keeper_of(state, account, currency) is None:
        ledger.check_kept(state, account)


def _has_something(state: CampaignState, account: str) -> bool:
    return any(balance > 0 for balance in state.balances.get(account, {}).values())


def _require_held(state: CampaignState, command: OfferTransfer) -> None:
    balance = state.balances.get(command.debit, {}).get(command.currency, 0)
    if command.amount > balance:
        raise Rejection(
            "insufficient_balance",
            say(
                "{account} holds {held} {currency}.",
                account=account_name(state, command.debit),
                held=number(balance),
                currency=term(command.currency),
            ),
        )


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
    if not isinstance(command, OfferTransfer):
        return
    consent = owner_of(state, command.credit)
    if consent in (None, asker) or consent not in players_of(state):
        return
    if not may_see(readers, Audience(gm=state.members[consent] == "gm", account=consent)):
        raise Rejection(
            "hidden_from_who_agrees",
            say(
                "The one who is paid has to agree, and would not read of this: let them read it, too, or offer it "
                "openly."
            ),
        )


def owner_of(state: CampaignState, account: str) -> AccountId | None:
    """The player of an account's character, or the member it is named after; None: it has no owner."""
    kind, _, owner = account.partition(":")
    if kind == PLAYER:
        return next((member for member in state.members if str(member) == owner), None)
    character_id = ledger.owning_character(state, account)
    return next((character.player for character in characters(state) if character.character == character_id), None)


def consenter_of(state: CampaignState, entry: PendingEntry) -> AccountId | None:
    """The account that has to agree to an entry: the present player of the character it is for; None: a GM."""
    return None if entry.consent is None else owner_of(state, entry.credit) or entry.consent


def on_sheet(state: CampaignState, account: str, currency: str, change: int, other: str) -> list[Any] | None:
    """The system's own events for a currency that is on a sheet; None for one that is on none."""
    character, system = ledger.owning_character(state, account), ledger.keeper_of(state, account, currency)
    if character is None or system is None:
        return None
    events = system.transfer_events(state.systems[system.id], character, account, currency, change, other)
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
