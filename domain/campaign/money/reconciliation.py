"""Whether the books are right: every currency adds up to zero, and sheets say what the ledger says."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from domain.campaign.state import CampaignState
from domain.systems import SYSTEMS

Balances = Mapping[str, Mapping[str, int]]


class Drift(Struct, frozen=True):
    """Two sources that should say the same of an account, and do not: the `ledger`, and another one.

    `source` is `sheet`, `log` or `trial balance`; of the last, the account is `*`: all of them together.
    """

    account: str
    currency: str
    ledger: int
    other: int
    source: str


def trial_balance(balances: Balances) -> dict[str, int]:
    """What all accounts hold together of each currency: nothing, as long as every entry balances."""
    total: Counter[str] = Counter()
    for held in balances.values():
        total.update(held)
    return dict(sorted(total.items()))


def drift_from_sheets(state: CampaignState) -> list[Drift]:
    """Where a system's own state says otherwise than the ledger."""
    return [
        Drift(purse.account, purse.currency, ledger, purse.balance, "sheet")
        for system, inner in state.systems.items()
        for purse in SYSTEMS[system].purses(inner)
        if (ledger := state.balances.get(purse.account, {}).get(purse.currency, 0)) != purse.balance
    ]


def drift_from_log(state: CampaignState, summed: Balances) -> list[Drift]:
    """Where the entries of the log, added up by themselves, say otherwise than the ledger."""
    pairs = {
        (account, currency) for each in (state.balances, summed) for account in each for currency in each[account]
    }
    return [
        Drift(account, currency, ledger, log, "log")
        for account, currency in sorted(pairs)
        if (ledger := state.balances.get(account, {}).get(currency, 0))
        != (log := summed.get(account, {}).get(currency, 0))
    ]


def drift_from_zero(state: CampaignState) -> list[Drift]:
    """Where all accounts together hold anything, or owe it."""
    return [
        Drift("*", currency, total, 0, "trial balance")
        for currency, total in trial_balance(state.balances).items()
        if total
    ]
