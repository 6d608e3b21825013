"""Checks of account and currency names against typing errors.

Known accounts are those of the group's chart, of members and characters, and all that were used before; known
currencies are those of the rules and all that were used before. Without a chart, a new name may be used unless
it is similar to a known one: then, and always with a chart, `new` must name it. Campaigns from before these
rulings are checked only if they have a chart.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias

from domain.campaign.commands import PostEntry
from domain.campaign.messages.character_retirement import RetireCharacter
from domain.campaign.messages.downtime import PlanActivity
from domain.campaign.messages.escrow import OfferTransfer
from domain.campaign.messages.names import Rename
from domain.campaign.messages.things import CreateThing, MoveThing, Split
from domain.campaign.messages.timers import Post, ScheduleTimer
from domain.campaign.play.characters import account_name, currency_name, find_character, titles
from domain.campaign.play.ledger_accounts import FOUND, GROUP, USED_UP
from domain.campaign.state import CampaignState
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import Sentence, either, say, term
from domain.systems import SYSTEMS

NEAREST_MAX = 5

OfMoney: TypeAlias = PostEntry | OfferTransfer | PlanActivity | Post
Naming: TypeAlias = OfMoney | CreateThing | MoveThing | Split


def require_no_slip(state: CampaignState, command: Any) -> None:
    """Raise `unknown_account` and `unknown_currency` with the most similar names that the asker knows.

    Raises `name_of_a_currency` where a thing is called like money.

    Checked where a request comes in: due commands, and re-decided ones, were checked before.
    """
    match command:
        case PostEntry() | OfferTransfer():
            _check_named(state, command, "debit", "credit")
        case CreateThing():
            _check_accounts(state, command, [("account", command.account)])
            _require_no_currency(state, command.name)
        case Rename() if command.thing in state.things:
            _require_no_currency(state, command.name)
        case MoveThing():
            _check_accounts(state, command, [("debit", command.debit), ("credit", command.credit)])
        case Split():
            portions = [("among", share.account) for share in command.among]
            _check_accounts(state, command, [("debit", command.debit), *portions])
        case PlanActivity() if command.account is not None:
            _check_named(state, command, "account")
        case RetireCharacter() if command.purse_to is not None:
            with About("purse_to"):
                _check_account(state, titles(state), command.purse_to, may_be_new=":" not in command.purse_to)
        case ScheduleTimer() if isinstance(command.effect, Post):
            with About("effect"):
                _check_named(state, command.effect, "debit", "credit")


def _check_named(state: CampaignState, naming: OfMoney, *accounts: str) -> None:
    if naming.new is True:
        return
    _check_accounts(state, naming, [(field, getattr(naming, field)) for field in accounts])
    chart = titles(state)
    if naming.currency is not None and (chart or state.rulings):
        with About("currency", "new"):
            _check_currency(state, chart, naming.currency)


def _check_accounts(state: CampaignState, naming: Naming, accounts: Iterable[tuple[str, str]]) -> None:
    """Raise `unknown_account` for accounts, each with the field of the command that names it."""
    chart = titles(state)
    if naming.new is True or not (chart or state.rulings):
        return
    for field, account in accounts:
        with About(field, "new"):
            _check_account(state, chart, account)


def _check_account(
    state: CampaignState, chart: Mapping[str, str], account: str, *, may_be_new: bool = True
) -> None:
    if (
        account in chart
        or account in (FOUND, GROUP, USED_UP)
        or (account in state.balances and not _is_escrow(account))
        or _is_owned(state, account)
    ):
        return
    names = {**chart, **{other: account_name(state, other) for other in state.balances if not _is_escrow(other)}}
    near = _nearest(account, names)
    if near or chart or not may_be_new:
        nearest = _did_you_mean(names[other] for other in near)
        raise Rejection(
            "unknown_account",
            say(
                "There is no account {account} here yet. {nearest}To open it, say that it is new.",
                account=account,
                nearest=nearest,
            )
            if may_be_new
            else say("There is no account {account} here. {nearest}", account=account, nearest=nearest),
            choices=[{"account": other, "name": str(names[other])} for other in near],
        )


def _is_escrow(account: str) -> bool:
    return account.startswith("escrow:")


def _is_owned(state: CampaignState, account: str) -> bool:
    """Whether an account ends in the id of a member or a character."""
    owner = account.partition(":")[2]
    return find_character(state, owner) is not None or any(str(member) == owner for member in state.members)


def _check_currency(state: CampaignState, chart: Mapping[str, str], currency: str) -> None:
    currencies = _currencies(state)
    if currency not in currencies:
        near = _nearest(currency, {name: currency_name(state, name) for name in currencies})
        if not (near or chart):
            return
        raise Rejection(
            "unknown_currency",
            say(
                "Nobody here has any {currency} yet. {nearest}To begin with it, say that it is new.",
                currency=term(currency),
                nearest=_did_you_mean(currency_name(state, name) for name in near),
            ),
            choices=[{"currency": name} for name in near],
        )


def _currencies(state: CampaignState) -> set[str]:
    """Those of the rules, and all that were used before; things are among these."""
    currencies = {name for system in state.systems for name in SYSTEMS[system].currencies}
    currencies.update(*state.balances.values())
    return currencies


def _require_no_currency(state: CampaignState, name: str) -> None:
    """Refuse a thing the name of money: said of an amount it would mean either."""
    for currency in _currencies(state) - {*state.things}:
        if name.strip().casefold() in (currency.casefold(), str(term(currency)).casefold()):
            with About("name"):
                raise Rejection(
                    "name_of_a_currency",
                    say("{name} is money here: give the thing another name.", name=term(currency)),
                )


def _nearest(word: str, names: Mapping[str, str | Sentence]) -> list[str]:
    """The known names most like a word, best first: of the same kind (`world:`), compared by the rest."""
    kind, _, own = word.rpartition(":")
    alike = {name.rpartition(":")[2]: name for name in sorted(names) if name.rpartition(":")[0] == kind}
    return [alike[near] for near in get_close_matches(own, alike, NEAREST_MAX)]


def _did_you_mean(nearest: Iterable[str | Sentence]) -> str | Sentence:
    names = [*nearest]
    return say("Did you mean {nearest}? ", nearest=either(names)) if names else ""
