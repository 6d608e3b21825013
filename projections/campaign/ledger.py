"""The ledger as people read it: balances per account, and entries with the action behind each."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.events import BalancesEntered, EntryPosted
from domain.campaign.evolve import ENTERED, is_news
from domain.campaign.money.ledger import BY_HAND, PENDING, moved
from domain.campaign.money.messages import EntryPending
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId
from domain.projection_types import ViewRow
from domain.recorded_event import Recorded
from domain.systems import SYSTEMS
from domain.systems.system import Posting
from projections.campaign.narration import called
from projections.timestamps import moment

VIEW = "statement"
IN_PLAY = "entered"
_encoder = msgspec.json.Encoder()


class AccountBalance(Struct, frozen=True):
    """What one account holds of one currency.

    `name` is its title in the group's chart, or says whose it is, as far as it has a name; `kind` is what stands
    before the colon (`world`, `pilot`, `escrow`, …), or the account itself.
    """

    account: str
    name: str
    kind: str
    currency: str
    balance: int


class LedgerEntry(Struct, frozen=True):
    """One move of currency: out of `debit`, into `credit`. `seq` is its event's.

    Where the `reason` is `entered`, `credit` is of somebody who came into play, and holds `amount` from then on.
    In a statement of one account `balance` is what that account holds of the currency afterwards. `at` is when it
    happened; `imported_at` when it was brought over, where that was in another campaign.
    """

    seq: int
    action_id: ActionId
    at: str
    game_time: int
    actor: AccountId | None
    actor_name: str | None
    debit: str
    credit: str
    currency: str
    amount: int
    reason: str
    note: str | None
    balance: int | None = None
    imported_at: str | None = None


class EntryRow(Struct, frozen=True, omit_defaults=True):
    """A ledger entry as it is stored: without names, and without anybody's own words. Moments as in `Recorded`."""

    action_id: ActionId
    recorded_at: int
    game_time: int
    actor: AccountId | None
    posting: Posting
    imported_at: int | None = None


def statement_rows(records: list[Recorded], *, reader: CampaignState | None = None) -> list[ViewRow]:
    """The ledger entries of an action, found again by either of their accounts.

    `reader` is the campaign as they know it whom it is for, and who may learn what those have who enter play.
    """
    rows = []
    for record in records:
        told = _entered(record.event, reader)
        for nth, posting in enumerate(told or moved(record.event)):
            keys = (f"account:{posting.debit}", f"account:{posting.credit}")
            entry = EntryRow(
                action_id=record.action_id,
                recorded_at=record.recorded_at,
                game_time=record.game_time,
                actor=record.actor,
                posting=posting,
                imported_at=record.imported_at,
            )
            rows.append(ViewRow(VIEW, record.seq, nth, keys, _encoder.encode(entry)))
    return rows


def _entered(event: Any, reader: CampaignState | None) -> list[Posting]:
    """What accounts hold from an entering on."""
    learns = reader is not None and isinstance(event, BalancesEntered) and is_news(reader, event)
    held = event.balances if learns else {}
    return [
        Posting(currency, ENTERED, account, amount, IN_PLAY)
        for account, balances in held.items()
        for currency, amount in balances.items()
    ]


def account_balances(state: CampaignState, name: Callable[[Any], str]) -> list[AccountBalance]:
    """Every account that ever held something, by its id."""
    return [
        AccountBalance(account, called(account, name), account.partition(":")[0], currency, balance)
        for account, held in sorted(state.balances.items())
        for currency, balance in sorted(held.items())
    ]


class PendingView(Struct, frozen=True):
    """Currency that is set aside: from whom, for whom, and who has to agree (None: a GM, or the rules alone).

    `entry` is what a hand posts or voids it by; where a rule set it aside, the treatment or repair it is for.
    """

    entry: str
    currency: str
    amount: int
    debit: str
    debit_name: str
    credit: str
    credit_name: str
    held_by: AccountId | None
    consent: AccountId | None


def pending_entries(state: CampaignState, name: Callable[[Any], str]) -> list[PendingView]:
    """Everything that is set aside, by hand or by the rules."""
    by_rule = [each for system, inner in state.systems.items() for each in SYSTEMS[system].set_aside(inner)]
    by_hand = [
        PendingView(
            entry=each.entry_id,
            currency=each.currency,
            amount=each.amount,
            debit=each.debit,
            debit_name=called(each.debit, name),
            credit=each.credit,
            credit_name=called(each.credit, name),
            held_by=each.held_by,
            consent=each.consent,
        )
        for each in state.pending_entries.values()
    ]
    return [
        *by_hand,
        *(
            PendingView(
                entry=each.subject,
                currency=each.currency,
                amount=each.amount,
                debit=each.debit,
                debit_name=called(each.debit, name),
                credit=each.credit,
                credit_name=called(each.credit, name),
                held_by=None,
                consent=None,
            )
            for each in by_rule
        ),
    ]


_row_decoder = msgspec.json.Decoder(EntryRow)


def action_of(row: ViewRow) -> ActionId:
    """The action behind a stored entry."""
    return _row_decoder.decode(row.content).action_id


def is_by_hand(row: ViewRow) -> bool:
    """Whether somebody posted this entry, or set it aside, by hand and in words of their own."""
    return _row_decoder.decode(row.content).posting.reason in (BY_HAND, PENDING)


def note_of(event: Any) -> str | None:
    """Those words."""
    return event.reason if isinstance(event, EntryPosted | EntryPending) else None


def balances_after(rows: list[ViewRow], account: str, running: Counter[str]) -> dict[tuple[int, int], int]:
    """What an account holds after each of its entries; `running` is what it held before, and is moved on."""
    found = {}
    for row in rows:
        posting = _row_decoder.decode(row.content).posting
        if posting.reason == IN_PLAY and posting.credit == account:
            running[posting.currency] = posting.amount
        else:
            side = (posting.credit == account) - (posting.debit == account)
            running[posting.currency] += posting.amount * side
        found[row.seq, row.nth] = running[posting.currency]
    return found


def entry(row: ViewRow, name: Callable[[Any], str], note: str | None, balance: int | None = None) -> LedgerEntry:
    """A stored entry as people read it; `note` are the words of whoever posted it by hand."""
    stored = _row_decoder.decode(row.content)
    posting = stored.posting
    return LedgerEntry(
        seq=row.seq,
        action_id=stored.action_id,
        at=moment(stored.recorded_at),
        game_time=stored.game_time,
        actor=stored.actor,
        actor_name=name(stored.actor) if stored.actor is not None else None,
        debit=posting.debit,
        credit=posting.credit,
        currency=posting.currency,
        amount=posting.amount,
        reason=posting.reason,
        note=note,
        balance=balance,
        imported_at=moment(stored.imported_at) if stored.imported_at is not None else None,
    )
