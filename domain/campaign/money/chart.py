"""Checks of account and currency names against typing errors.

Known accounts are those of the group's chart, of members and characters, and all that were used before; known
currencies are those of the rules and all that were used before. Without a chart, a new name may be used unless
it is similar to a known one: then, and always with a chart, `new` must name it. Campaigns from before these
rulings are checked only if they have a chart.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from domain.campaign.calendar.downtime_messages import PlanActivity
from domain.campaign.commands import PostEntry
from domain.campaign.money.messages import OfferTransfer
from domain.campaign.play.characters import account_name, characters, titles
from domain.campaign.scheduling.messages import Post, ScheduleTimer
from domain.campaign.state import CampaignState
from domain.rejection import Rejection
from domain.sentences import Sentence, either, say, term
from domain.systems import SYSTEMS

NEAREST_MAX = 5


def require_no_slip(state: CampaignState, command: Any) -> None:
    """Raise `unknown_account` and `unknown_currency` with the most similar names that the asker knows.

    Checked where a request comes in: due commands, and re-decided ones, were checked before.
    """
    match command:
        case PostEntry() | OfferTransfer():
            _check_named(state, command, command.debit, command.credit)
        case PlanActivity() if command.account is not None:
            _check_named(state, command, command.account)
        case ScheduleTimer() if isinstance(command.effect, Post):
            _check_named(state, command.effect, command.effect.debit, command.effect.credit)


def _check_named(
    state: CampaignState, naming: PostEntry | OfferTransfer | PlanActivity | Post, *accounts: str
) -> None:
    chart, currency = titles(state), naming.currency
    if naming.new is True or not (chart or state.rulings):
        return
    held = {each for each in state.balances if not each.startswith("escrow:")}
    owners = {*(str(each.character) for each in characters(state)), *map(str, state.members)}
    for account in accounts:
        if account not in chart and account not in held and account.partition(":")[2] not in owners:
            known = {**chart, **{each: account_name(state, each) for each in held}}
            near = _nearest(account, known)
            if not (near or chart):
                continue
            raise Rejection(
                "unknown_account",
                say(
                    "There is no account {account} here yet. {nearest}To open it, say that it is new.",
                    account=account,
                    nearest=_meant(known[each] for each in near),
                ),
                choices=[{"account": each, "name": str(known[each])} for each in near],
            )
    currencies = {each for held in state.balances.values() for each in held}
    currencies |= {each for system in state.systems for each in SYSTEMS[system].currencies}
    if currency is not None and currency not in currencies:
        near = _nearest(currency, {each: term(each) for each in currencies})
        if not (near or chart):
            return
        raise Rejection(
            "unknown_currency",
            say(
                "Nobody here has any {currency} yet. {nearest}To begin with it, say that it is new.",
                currency=term(currency),
                nearest=_meant(map(term, near)),
            ),
            choices=[{"currency": each} for each in near],
        )


def _nearest(word: str, known: Mapping[str, str | Sentence]) -> list[str]:
    """The known names most like a word, best first: of the same kind (`world:`), compared by the rest."""
    kind, _, own = word.rpartition(":")
    alike = {each.rpartition(":")[2]: each for each in sorted(known) if each.rpartition(":")[0] == kind}
    return [alike[each] for each in get_close_matches(own, alike, NEAREST_MAX)]


def _meant(nearest: Iterable[str | Sentence]) -> str | Sentence:
    found = [*nearest]
    return say("Did you mean {nearest}? ", nearest=either(found)) if found else ""
