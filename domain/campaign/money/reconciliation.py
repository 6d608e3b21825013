"""Checks the books: every currency adds up to zero, and sheets agree with the ledger."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from domain.campaign.state import CampaignState
from domain.systems import SYSTEMS

Balances = Mapping[str, Mapping[str, int]]
ESCROW = "escrow:"


class Drift(Struct, frozen=True):
    """A difference about an account between the `ledger` and another source.

    `source` is `sheet`, `log`, `set aside` (escrow) or `trial balance`; of the last, the account is `*`: all of
    them together.
    """

    account: str
    currency: str
    ledger: int
    other: int
    source: str


def trial_balance(balances: Balances) -> dict[str, int]:
    """The total of each currency over all accounts that is not zero; empty as long as every entry balances."""
    total: Counter[str] = Counter()
    for purse in balances.values():
        total.update(purse)
    return dict(sorted(total.items()))


def drift_from_sheets(state: CampaignState) -> list[Drift]:
    """Differences between the ledger and the systems' own states."""
    return [
        Drift(purse.account, purse.currency, ledger, purse.balance, "sheet")
        for system, inner in state.systems.items()
        for purse in SYSTEMS[system].sheet_balances(inner)
        if (ledger := state.balances.get(purse.account, {}).get(purse.currency, 0)) != purse.balance
    ]


def drift_from_log(state: CampaignState, summed: Balances) -> list[Drift]:
    """Differences between the ledger and the entries of the log, added up."""
    pairs = {
        (account, currency)
        for balances in (state.balances, summed)
        for account in balances
        for currency in balances[account]
    }
    return [
        Drift(account, currency, ledger, log, "log")
        for account, currency in sorted(pairs)
        if (ledger := state.balances.get(account, {}).get(currency, 0))
        != (log := summed.get(account, {}).get(currency, 0))
    ]


def drift_from_zero(state: CampaignState) -> list[Drift]:
    """Currencies whose accounts do not add up to zero."""
    return [
        Drift("*", currency, total, 0, "trial balance")
        for currency, total in trial_balance(state.balances).items()
        if total
    ]


def drift_from_set_aside(state: CampaignState) -> list[Drift]:
    """Escrow accounts without exactly the sum set aside, as in a campaign that was cut off within an action."""
    aside: Counter[tuple[str, str]] = Counter()
    for entry in state.pending_entries.values():
        aside[entry.escrow, entry.currency] += entry.amount
    for system, inner in state.systems.items():
        for item in SYSTEMS[system].escrow_items(inner):
            aside[f"{ESCROW}{item.subject}", item.currency] += item.amount
    escrow_balances = {
        (account, currency): balance
        for account, balances in state.balances.items()
        if account.startswith(ESCROW)
        for currency, balance in balances.items()
    }
    return [
        Drift(account, currency, ledger, other, "set aside")
        for account, currency in sorted(escrow_balances.keys() | aside.keys())
        if (ledger := escrow_balances.get((account, currency), 0)) != (other := aside[account, currency])
    ]
