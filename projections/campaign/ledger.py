"""The ledger: balances per account, and entries with the action behind each."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.events import BalancesEntered, EntryPosted
from domain.campaign.evolve import ENTERED, is_news
from domain.campaign.messages.money import EntryPending
from domain.campaign.money.ledger import BY_HAND, PENDING, moved
from domain.campaign.state import CampaignState, PendingEntry
from domain.ids import AccountId, ActionId
from domain.projection_types import ViewRow
from domain.recorded_event import Recorded
from domain.sentences import ENGLISH
from domain.systems import SYSTEMS
from domain.systems.system import EscrowItem, Posting
from projections.campaign.account_names import account_title
from projections.languages import render
from projections.timestamps import moment

VIEW = "statement"
IN_PLAY = "entered"
_encoder = msgspec.json.Encoder()


class AccountBalance(Struct, frozen=True):
    """What one account holds of one currency.

    `name` is its title in the group's chart of accounts, else its owner's name; `kind` is the part before the
    colon (`world`, `pilot`, `escrow`, …), or the account itself.
    """

    account: str
    name: str
    kind: str
    currency: str
    balance: int


class LedgerEntry(Struct, frozen=True):
    """One transfer of currency from `debit` to `credit`. `seq` is its event's.

    With `reason` `entered`, `credit` belongs to a character that entered play, and holds `amount` from then on. In
    the statement of one account `balance` is what it holds of the currency afterwards. `at` is when it happened;
    `imported_at` when it was imported, if it happened in another campaign.
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
    """A ledger entry as it is stored: without names and personal texts. Times as in `Recorded`."""

    action_id: ActionId
    recorded_at: int
    game_time: int
    actor: AccountId | None
    posting: Posting
    imported_at: int | None = None


def statement_rows(records: list[Recorded], *, reader: CampaignState | None = None) -> list[ViewRow]:
    """The ledger entries of an action, with their two accounts as keys.

    `reader` is the campaign as the reader knows it, who may learn the balances of what enters play.
    """
    rows = []
    for record in records:
        event = record.event
        postings = _entered(event, reader) if isinstance(event, BalancesEntered) else moved(event)
        for nth, posting in enumerate(postings):
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


def _entered(event: BalancesEntered, reader: CampaignState | None) -> list[Posting]:
    """The balances that become visible with an entrance."""
    held = event.balances if reader is not None and is_news(reader, event) else {}
    return [
        Posting(currency, ENTERED, account, amount, IN_PLAY)
        for account, balances in held.items()
        for currency, amount in balances.items()
    ]


def account_balances(
    state: CampaignState, name: Callable[[Any], str], language: str = ENGLISH
) -> list[AccountBalance]:
    """Every account that ever had a balance, ordered by id."""
    return [
        AccountBalance(
            account, render(account_title(account, name), language), account.partition(":")[0], currency, balance
        )
        for account, held in sorted(state.balances.items())
        for currency, balance in sorted(held.items())
    ]


class PendingView(Struct, frozen=True):
    """Currency in escrow: from whom, for whom, and who has to agree (null: a GM, or the rules alone).

    `entry` names it in commands that post or void it; for escrow of the rules, it is the treatment or repair it is
    for.
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


def pending_entries(
    state: CampaignState, name: Callable[[Any], str], language: str = ENGLISH
) -> list[PendingView]:
    """Everything in escrow, by command or by the rules."""

    def called(account: str) -> str:
        return render(account_title(account, name), language)

    by_rule = [each for system, inner in state.systems.items() for each in SYSTEMS[system].escrow_items(inner)]
    return [
        *(
            _pending(each, each.entry_id, each.held_by, each.consent, called)
            for each in state.pending_entries.values()
        ),
        *(_pending(each, each.subject, None, None, called) for each in by_rule),
    ]


def _pending(
    each: PendingEntry | EscrowItem,
    entry: str,
    held_by: AccountId | None,
    consent: AccountId | None,
    called: Callable[[str], str],
) -> PendingView:
    return PendingView(
        entry=entry,
        currency=each.currency,
        amount=each.amount,
        debit=each.debit,
        debit_name=called(each.debit),
        credit=each.credit,
        credit_name=called(each.credit),
        held_by=held_by,
        consent=consent,
    )


_row_decoder = msgspec.json.Decoder(EntryRow)


def action_of(row: ViewRow) -> ActionId:
    """The action of a stored entry."""
    return _row_decoder.decode(row.content).action_id


def is_by_hand(row: ViewRow) -> bool:
    """Whether an account posted this entry, or its escrow, by command and with a note of its own."""
    return _row_decoder.decode(row.content).posting.reason in (BY_HAND, PENDING)


def note_of(event: Any) -> str | None:
    """The note of an entry that was posted by command."""
    return event.reason if isinstance(event, EntryPosted | EntryPending) else None


def balances_after(rows: list[ViewRow], account: str, running: Counter[str]) -> dict[tuple[int, int], int]:
    """The balance of an account after each of its entries; `running` is the balance before, updated in place."""
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


def changes_in(rows: list[ViewRow], account: str) -> Iterator[tuple[str, int]]:
    """What each entry changed of an account: the currency, and how much; not what came into play with it."""
    for row in rows:
        posting = _row_decoder.decode(row.content).posting
        if posting.reason != IN_PLAY:
            yield posting.currency, posting.amount if posting.credit == account else -posting.amount


def entry(row: ViewRow, name: Callable[[Any], str], note: str | None, balance: int | None = None) -> LedgerEntry:
    """A stored entry as people read it; `note` is the text of the person who posted it by command."""
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
