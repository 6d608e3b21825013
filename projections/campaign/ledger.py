"""The ledger: balances per account, and entries with the action behind each."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.events import BalancesEntered, EntryPosted
from domain.campaign.evolve import ENTERED, is_news
from domain.campaign.messages.escrow import EntryPending
from domain.campaign.messages.undo import ActionRedone, ActionUndone
from domain.campaign.money.ledger import BY_HAND, PENDING, postings_of
from domain.campaign.state import CampaignState, PendingEntry
from domain.ids import AccountId, ActionId
from domain.recorded_event import RecordedEvent
from domain.sentences import ENGLISH
from domain.stored_view_types import ViewRow
from domain.systems import SYSTEMS
from domain.systems.system import EscrowItem, Posting
from projections.campaign.ledger_account_names import account_title
from projections.languages import render
from projections.timestamps import moment

VIEW = "statement"
IN_PLAY, UNDO, REDO = "entered", "undo", "redo"
_encoder = msgspec.json.Encoder()


class AccountBalance(Struct, frozen=True):
    """The balance of one account in one currency.

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

    With `reason` `entered`, `credit` belongs to a character that entered play, and holds `amount` from then on;
    with `undo` or `redo` it takes back or brings back what the action in `undoes` or `redoes` moved. In
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
    undoes: ActionId | None = None
    redoes: ActionId | None = None


class EntryRow(Struct, frozen=True, omit_defaults=True):
    """A ledger entry as it is stored: without names and personal texts. Times as in `RecordedEvent`.

    `undoes` and `redoes` are the action whose move it takes back or brings back.
    """

    action_id: ActionId
    recorded_at: int
    game_time: int
    actor: AccountId | None
    posting: Posting
    imported_at: int | None = None
    undoes: ActionId | None = None
    redoes: ActionId | None = None


def statement_rows(records: list[RecordedEvent], *, reader: CampaignState | None = None) -> list[ViewRow]:
    """The ledger entries of an action, with their two accounts and their currency as keys.

    `reader` is the campaign as the reader knows it, who may learn the balances of what enters play.
    """
    rows = []
    for record in records:
        event = record.event
        postings = (
            _postings_of_entrance(event, reader) if isinstance(event, BalancesEntered) else postings_of(event)
        )
        for nth, posting in enumerate(postings):
            keys = (f"account:{posting.debit}", *keys_of(posting.credit, posting.currency))
            entry = EntryRow(
                action_id=record.action_id,
                recorded_at=record.recorded_at,
                game_time=record.game_time,
                actor=record.actor,
                posting=posting,
                imported_at=record.imported_at,
                undoes=event.action_id if isinstance(event, ActionUndone) else None,
                redoes=event.action_id if isinstance(event, ActionRedone) else None,
            )
            rows.append(ViewRow(VIEW, record.seq, nth, keys, _encoder.encode(entry)))
    return rows


def keys_of(account: str | None, currency: str | None) -> list[str]:
    """The keys of entries of an account, of a currency, or of both; None: of any."""
    account_key = [] if account is None else [f"account:{account}"]
    return account_key if currency is None else [*account_key, f"currency:{currency}"]


def _postings_of_entrance(event: BalancesEntered, reader: CampaignState | None) -> list[Posting]:
    """The balances that become visible with an entrance."""
    by_account = event.balances if reader is not None and is_news(reader, event) else {}
    return [
        Posting(currency, ENTERED, account, amount, IN_PLAY)
        for account, balances in by_account.items()
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
        for account, balances in sorted(state.balances.items())
        for currency, balance in sorted(balances.items())
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

    def title_of(account: str) -> str:
        return render(account_title(account, name), language)

    by_rule = [
        escrow_item
        for system, inner in state.systems.items()
        for escrow_item in SYSTEMS[system].escrow_items(inner)
    ]
    return [
        *(
            _pending(entry, entry.entry_id, entry.held_by, entry.consent, title_of)
            for entry in state.pending_entries.values()
        ),
        *(_pending(escrow_item, escrow_item.subject, None, None, title_of) for escrow_item in by_rule),
    ]


def _pending(
    pending: PendingEntry | EscrowItem,
    entry: str,
    held_by: AccountId | None,
    consent: AccountId | None,
    title_of: Callable[[str], str],
) -> PendingView:
    return PendingView(
        entry=entry,
        currency=pending.currency,
        amount=pending.amount,
        debit=pending.debit,
        debit_name=title_of(pending.debit),
        credit=pending.credit,
        credit_name=title_of(pending.credit),
        held_by=held_by,
        consent=consent,
    )


_row_decoder = msgspec.json.Decoder(EntryRow)


def action_of(row: ViewRow) -> ActionId:
    """The action of a stored entry."""
    return _row_decoder.decode(row.content).action_id


def is_by_hand(row: ViewRow) -> bool:
    """Whether an account posted, undid or redid this entry, or its escrow, by command: with words of its own."""
    content = _row_decoder.decode(row.content)
    return content.posting.reason in (BY_HAND, PENDING) or bool(content.undoes or content.redoes)


def note_of(event: Any) -> str | None:
    """The note of an entry that was posted by command."""
    return event.reason if isinstance(event, EntryPosted | EntryPending) else None


def words_of(event: Any) -> str | None:
    """The same, or why an entry was taken back or brought back."""
    return event.reason if isinstance(event, ActionUndone | ActionRedone) else note_of(event)


def balances_after(rows: list[ViewRow], account: str, running: Counter[str]) -> dict[tuple[int, int], int]:
    """The balance of an account after each of its entries; `running` is the balance before, updated in place."""
    balances = {}
    for row in rows:
        posting = _row_decoder.decode(row.content).posting
        if posting.reason == IN_PLAY and posting.credit == account:
            running[posting.currency] = posting.amount
        else:
            side = (posting.credit == account) - (posting.debit == account)
            running[posting.currency] += posting.amount * side
        balances[row.seq, row.nth] = running[posting.currency]
    return balances


def changes_in(rows: list[ViewRow], account: str) -> Iterator[tuple[str, int]]:
    """Each entry's change of an account, as currency and amount; without balances that came into play with it."""
    for row in rows:
        posting = _row_decoder.decode(row.content).posting
        if posting.reason != IN_PLAY:
            yield posting.currency, posting.amount if posting.credit == account else -posting.amount


def entry(row: ViewRow, name: Callable[[Any], str], note: str | None, balance: int | None = None) -> LedgerEntry:
    """A stored entry as people read it; `note` is the text of the person who posted it by command."""
    content = _row_decoder.decode(row.content)
    posting = content.posting
    return LedgerEntry(
        seq=row.seq,
        action_id=content.action_id,
        at=moment(content.recorded_at),
        game_time=content.game_time,
        actor=content.actor,
        actor_name=name(content.actor) if content.actor is not None else None,
        debit=posting.debit,
        credit=posting.credit,
        currency=posting.currency,
        amount=posting.amount,
        reason=UNDO if content.undoes else REDO if content.redoes else posting.reason,
        note=note,
        balance=balance,
        imported_at=moment(content.imported_at) if content.imported_at is not None else None,
        undoes=content.undoes,
        redoes=content.redoes,
    )
