"""Amounts that are split among accounts in whole numbers, by the largest remainder.

Codes: same_account, not_your_account, insufficient_balance, and those of `ledger.check_kept`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.campaign.messages.things import AmountSplit, Portion, Share, Split
from domain.campaign.money import escrow, ledger
from domain.campaign.money.ledger import Move
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.dispatch import Decide, Evolve, only_told, without_dice
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import say

AMONG = About("among", "debit", "currency", "amount")


def portions_of(amount: int, among: Sequence[Share]) -> list[Portion]:
    """An amount by parts, rounded down; the largest remainders get one more each, the first named first."""
    parts = sum(share.parts for share in among)
    whole = [amount * share.parts // parts for share in among]
    remainders = [amount * share.parts % parts for share in among]
    first = sorted(range(len(among)), key=lambda nth: -remainders[nth])[: amount - sum(whole)]
    return [
        Portion(share.account, share.parts, whole[nth] + (nth in first), int(nth in first))
        for nth, share in enumerate(among)
    ]


def _split(state: CampaignState, context: CommandContext, command: Split) -> list[Any]:
    accounts = [share.account for share in command.among]
    with About("among", "debit"):
        if {*accounts} == {command.debit} or len({*accounts}) < len(accounts):
            raise Rejection("same_account", say("An amount is split among several accounts: name each once."))
    with About("debit"):
        escrow.require_own(state, context, command.debit)
    with ledger.FROM:
        escrow.check_kept(state, command.debit, command.currency)
        escrow.on_sheet(state, command.debit, command.currency, -command.amount, command.debit)
    with About("among", "currency"):
        for account in accounts:
            escrow.check_kept(state, account, command.currency)
    with ledger.PAID_FROM:
        _require_held(state, context, command)
    portions = portions_of(command.amount, command.among)
    split = AmountSplit(command.currency, command.debit, command.amount, portions, command.reason)
    with AMONG:
        return [split, *_moves(state, context, command, portions)]


def _require_held(state: CampaignState, context: CommandContext, command: Split) -> None:
    """Raise `insufficient_balance`, as for an entry by hand or an offer: a sheet owes nothing."""
    on_sheet = ledger.keeper_of(state, command.debit, command.currency) is not None
    if context.is_gm and not on_sheet:
        ledger.require_balance(state, command.debit, command.currency, command.amount)
    else:
        escrow.require_held(state, command.debit, command.currency, command.amount)


def _moves(
    state: CampaignState, context: CommandContext, command: Split, portions: list[Portion]
) -> Iterator[Any]:
    """The events that move each portion, one after the other: a sheet says what is left after each."""
    total = 0
    for nth, portion in enumerate(portions):
        if portion.amount == 0 or portion.account == command.debit:
            continue
        move = Move(command.currency, command.debit, portion.account, portion.amount, command.reason)
        if context.is_gm:
            between = f"escrow:{derive_id('entry', context.action_id, nth)}"
            entry = ledger.entry(move, move.reason, context, nth)
            yield from escrow.move_events(state, move, between, entry, total)
        else:
            yield from escrow.offer_events(state, context, move, nth, total)
        total += portion.amount


DECIDE: Decide[CampaignState, Any] = without_dice({Split: _split})
EVOLVE: Evolve[CampaignState] = {AmountSplit: only_told}
