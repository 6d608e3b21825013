"""The ledger as people read it: balances per account, and entries with the action behind each."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.campaign.events import EntryPosted
from domain.campaign.ledger import postings
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId
from domain.recorded import Recorded
from projections.moments import moment


class AccountBalance(Struct, frozen=True):
    """What one account holds of one currency; `name` says whose it is, as far as it has a name."""

    account: str
    name: str
    currency: str
    balance: int


class LedgerEntry(Struct, frozen=True):
    """One move of currency: out of `debit`, into `credit`. `seq` is its event's."""

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


def account_balances(state: CampaignState, name: Callable[[Any], str]) -> list[AccountBalance]:
    """Every account that ever held something, by name."""
    return [
        AccountBalance(account, called(account, name), currency, balance)
        for account, held in sorted(state.balances.items())
        for currency, balance in sorted(held.items())
    ]


def called(account: str, name: Callable[[Any], str]) -> str:
    """`pilot:pilot-5f0c…` as `Mara`; an account of nobody's keeps its own name."""
    kind, _, owner = account.partition(":")
    if not owner:
        return account
    person = name(owner)
    return f"{kind}: {owner}" if person == owner else person


def entries(record: Recorded, name: Callable[[Any], str]) -> list[LedgerEntry]:
    """The ledger entries of one event, as its reader sees it."""
    return [
        LedgerEntry(
            seq=record.seq,
            action_id=record.action_id,
            at=moment(record.recorded_at),
            game_time=record.game_time,
            actor=record.actor,
            actor_name=name(record.actor) if record.actor is not None else None,
            debit=posting.debit,
            credit=posting.credit,
            currency=posting.currency,
            amount=posting.amount,
            reason=posting.reason,
            note=record.event.reason if isinstance(record.event, EntryPosted) else None,
        )
        for posting in postings(record.event)
    ]
