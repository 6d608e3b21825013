"""`/c/{campaign}/money`: payments that wait for consent, whether the books are right, and all balances."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import UNSET, Struct

from domain.campaign.commands import PostEntry
from domain.campaign.messages.escrow import OfferTransfer, PostPending, VoidPending
from domain.campaign.messages.things import PORTIONS_MAX, Split
from domain.campaign.money.escrow import consenter_of
from domain.campaign.money.reconciliation import Drift
from domain.campaign.play.characters import characters
from domain.campaign.play.ledger_accounts import purse_of
from domain.campaign.settings import OWN, CampaignSettings, settings_of, standing
from domain.sentences import Part, Sentence, say
from projections.campaign.campaign_view import alarm_of
from projections.campaign.ledger import AccountBalance, LedgerEntry, PendingView
from projections.campaign.ledger_account_names import Holders, holders_of
from projections.narration_tables import currency_name
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.route_parameters import AtQuery
from services.http.screen.commands.one_click_button import Press, press
from services.http.screen.commands.play_table import PlayTable, table_of
from services.http.screen.money.statement_lines import (
    AccountLink,
    Sentences,
    account_link,
    balance_why,
    sentences_of,
)
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.ledger_books import Checked, PageOfEntries, books_of, statement_of

OFFER, POST, AGREE, TURN_DOWN, SPLIT = (
    str(kind.__struct_config__.tag) for kind in (OfferTransfer, PostEntry, PostPending, VoidPending, Split)
)

HOLDERS: dict[Holders, Sentence] = {
    "characters": say("Characters"),
    "members": say("Members"),
    "group": say("Of the group"),
    "aside": say("Set aside"),
    "world": say("The world"),
}
"""The kinds of owners of accounts, in the order of the page."""

MAY_OWE: dict[str, Sentence] = {
    "allowed": say("Every account may go below zero."),
    "shared": say("Purses of members and characters may not go below zero; accounts of the group may."),
    "refused": say("No account may go below zero."),
}
"""The meaning of the setting of debts for accounts that are not in the chart."""


class Holding(Struct, frozen=True):
    """An account's balance of a currency: the way to its statement, and to its explanation."""

    account: AccountLink
    balance: int
    why: str


class HoldingGroup(Struct, frozen=True):
    """Accounts of the same kind of holders; of the world, what it paid out and took in."""

    title: Sentence
    holdings: list[Holding]
    is_world: bool


class Purse(Struct, frozen=True):
    """A currency with all who hold it; `in_play` is what all but the world hold together."""

    currency: Part
    key: str
    in_play: int
    groups: list[HoldingGroup]


class Aside(Struct, frozen=True):
    """Money that is set aside."""

    amount: int
    currency: Part
    debit: AccountLink
    credit: AccountLink
    told: str
    seq: int
    path: str
    at: str
    waits: Sentence
    """The members whose consent it waits for."""
    is_yours: bool
    presses: list[Press]
    """The buttons that the reader has for it."""


class Alarm(Struct, frozen=True):
    """A difference in the books. `seq` and `at` are those of the check that found it; 0: this page did."""

    told: Sentence
    seq: int
    at: str


class ChartLine(Struct, frozen=True):
    """An account of the group's chart, and whether it may go below zero."""

    account: AccountLink
    may_owe: bool


class Way(Struct, frozen=True):
    """A form that moves money."""

    title: Sentence
    path: str


class MoneyPage(CampaignPage, frozen=True, kw_only=True):
    """The campaign's money."""

    template: ClassVar[str] = "money.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "money"
    alarms: list[Alarm]
    aside: list[Aside]
    purses: list[Purse]
    ways: list[Way]
    chart: list[ChartLine]
    debts: Sentence
    file: str
    """The address of all entries as a table."""
    export: str
    """The address of all entries for bookkeeping programs."""
    past: int | None
    """The seq that is read, if it is not now."""
    moment: Sentence | None
    """Of a past one, when that was."""

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Money")


@get(watched_paths("/money"))
async def money_page(visit: NamedDependency[Visit], at: AtQuery = None) -> Response[bytes]:
    """Every balance, now or at a moment, and what can be done about money."""
    visible = await open_campaign(visit, at)
    books = await books_of(visit.application, visible)
    past = None if at is None else visible.seq
    ledger = _Ledger(visit.application, visible, past, books.pending)
    page = MoneyPage(
        **frame_of(visible),
        alarms=[_alarm(visible, drift, books.checked) for drift in books.drift],
        aside=await ledger.aside(),
        purses=ledger.purses(books.accounts),
        ways=[]
        if past is not None
        else ways_to_move(table_of(visit.application, visible), {}, f"{campaign_path(visible)}/money"),
        chart=ledger.chart(),
        debts=MAY_OWE[ledger.settings.debt],
        file=f"{campaign_path(visible)}/ledger.csv" + ("" if past is None else f"?at={past}"),
        export=f"{campaign_path(visible)}/ledger/export",
        past=past,
        moment=told_moment(visible, past),
    )
    return show_page(visit, page)


def told_moment(campaign: VisibleCampaign, past: int | None) -> Sentence | None:
    """That this is the past, and when."""
    return None if past is None else say("You read this as it was at no. {seq}.", seq=campaign.seq)


def _what_for(began: LedgerEntry, sentences: Sentences) -> str:
    """Why something was set aside: in the words of who did it, or what happened."""
    return sentences.reasons.get(began.action_id) or sentences.of(began.seq, began.action_id)


def ways_to_move(table: PlayTable, values: Mapping[str, Any], back: str) -> list[Way]:
    """The forms that move money, for who may use them, with what is said filled in."""
    campaign = table.campaign
    if campaign.role == "observer" or campaign.state.archived_at is not None:
        return []
    ways = table.ways(table.back(back))
    among = among_players(campaign)
    forms = [
        Way(say("Offer money …"), ways.form(OFFER, dict(values))),
        Way(say("Split …"), ways.form(SPLIT, {**values, "among": among})),
    ]
    if campaign.role == "gm":
        forms.append(Way(say("Post an entry …"), ways.form(POST, dict(values))))
    return forms


def among_players(campaign: VisibleCampaign) -> list[dict[str, str]]:
    """A share for the purse of each character in the story who has a player."""
    state = campaign.state
    purses = [
        purse_of(one.character)
        for one in characters(state)
        if one.player is not None and one.character not in state.departures
    ]
    return [{"account": purse} for purse in purses[:PORTIONS_MAX]]


def _alarm(campaign: VisibleCampaign, drift: Drift, checked: Checked | None) -> Alarm:
    sentence = alarm_of(drift, campaign.name)
    is_checked = checked is not None and drift in checked.drift
    return (
        Alarm(sentence, checked.seq, checked.at) if checked is not None and is_checked else Alarm(sentence, 0, "")
    )


class _Ledger:
    """Puts the books of a campaign into words for one reader; `past` is the seq that is read, if it is not now."""

    def __init__(
        self, application: Application, campaign: VisibleCampaign, past: int | None, pending: Sequence[PendingView]
    ) -> None:
        self._application = application
        self._pending = pending
        self._campaign = campaign
        self._past = past
        state = campaign.state
        self.settings: CampaignSettings = settings_of(OWN, standing(state.changed_settings, state.rulings))

    def purses(self, accounts: Sequence[AccountBalance]) -> list[Purse]:
        """Every currency with those who hold it, but for things; those with nothing left come last."""
        things = self._campaign.state.things
        currencies = dict.fromkeys(account.currency for account in accounts if account.currency not in things)
        return [
            self._purse(currency, [one for one in accounts if one.currency == currency]) for currency in currencies
        ]

    def _purse(self, currency: str, accounts: Sequence[AccountBalance]) -> Purse:
        state = self._campaign.state
        by_holder = {
            holder: [one for one in accounts if holders_of(one.account, state) == holder] for holder in HOLDERS
        }
        return Purse(
            currency=currency_name(currency, self._campaign.name),
            key=currency.replace("_", "-").replace(".", "-"),
            in_play=sum(
                account.balance for holder in HOLDERS if holder != "world" for account in by_holder[holder]
            ),
            groups=[
                HoldingGroup(title, self._holdings(by_holder[holder]), holder == "world")
                for holder, title in HOLDERS.items()
                if any(account.balance or holder != "aside" for account in by_holder[holder])
            ],
        )

    def _holdings(self, accounts: Sequence[AccountBalance]) -> list[Holding]:
        aside = {f"escrow:{pending_entry.entry}": pending_entry.credit for pending_entry in self._pending}
        ordered = sorted(
            accounts, key=lambda account: (account.balance == 0, account.name.casefold(), account.account)
        )
        return [
            Holding(
                self._link(account.account, aside.get(account.account)),
                account.balance,
                balance_why(self._campaign, account.account, account.currency, self._past),
            )
            for account in ordered
        ]

    def _link(self, account: str, credit: str | None) -> AccountLink:
        """The way to a statement; money set aside is called by the account that it is for."""
        own = account_link(self._campaign, account, self._past)
        if credit is None:
            return own
        return AccountLink(own.path, say("For {account}", account=account_link(self._campaign, credit).title))

    def chart(self) -> list[ChartLine]:
        """The group's chart of accounts."""
        return [
            ChartLine(account_link(self._campaign, account.account, self._past), account.debt)
            for account in self.settings.chart
        ]

    async def aside(self) -> list[Aside]:
        """The money set aside, with that which waits for the reader first."""
        pending = self._pending
        began = [await self._began(pending_entry) for pending_entry in pending]
        sentences = await sentences_of(
            self._application, self._campaign, [entry.action_id for entry in began if entry is not None]
        )
        able = {command: await self._open_to(command) for command in (AGREE, TURN_DOWN)} if pending else {}
        asides = [
            self._aside(pending_entry, entry, sentences, able)
            for pending_entry, entry in zip(pending, began, strict=True)
        ]
        return sorted(asides, key=lambda aside: not aside.is_yours)

    async def _began(self, pending: PendingView) -> LedgerEntry | None:
        """The entry that set it aside."""
        place = PageOfEntries(before=self._campaign.seq + 1, limit=1)
        escrow = f"escrow:{pending.entry}"
        page = await statement_of(self._application, self._campaign, escrow, None, place)
        return next(iter(page.entries), None)

    async def _open_to(self, command: str) -> set[str]:
        """The entries that the reader may answer so now."""
        campaign = self._campaign
        if self._past is not None or campaign.role == "observer":
            return set()
        with campaign.refusing():
            offer = await self._application.possible.one(campaign, {"type": command})
        choices = next((field.choices for field in offer.fields if field.name == "entry"), UNSET)
        return set() if choices is UNSET else {str(choice.value) for choice in choices if choice.refused is None}

    def _aside(
        self, pending: PendingView, began: LedgerEntry | None, sentences: Sentences, able: Mapping[str, set[str]]
    ) -> Aside:
        waits, is_yours = self._waits(pending)
        return Aside(
            amount=pending.amount,
            currency=currency_name(pending.currency, self._campaign.name),
            debit=account_link(self._campaign, pending.debit, self._past),
            credit=account_link(self._campaign, pending.credit, self._past),
            told="" if began is None else _what_for(began, sentences),
            seq=0 if began is None else began.seq,
            path="" if began is None else action_path(self._campaign, began.seq),
            at="" if began is None else began.at,
            waits=waits,
            is_yours=is_yours,
            presses=self._presses(pending, able),
        )

    def _waits(self, pending: PendingView) -> tuple[Sentence, bool]:
        """For whose consent something waits, and whether that is the reader's."""
        campaign = self._campaign
        entry = campaign.state.pending_entries.get(pending.entry)
        if entry is None:
            return say("It is paid when the work is done."), False
        who = consenter_of(campaign.state, entry)
        if who is None or who not in campaign.state.members:
            return say("It waits for a GM."), campaign.role == "gm"
        if who == campaign.account:
            return say("It waits for you."), True
        return say("It waits for {name}.", name=campaign.name(who)), False

    def _presses(self, pending: PendingView, able: Mapping[str, set[str]]) -> list[Press]:
        table, back = table_of(self._application, self._campaign), f"{campaign_path(self._campaign)}/money"
        titles = {AGREE: say("Agree"), TURN_DOWN: self._no(pending)}
        return [
            press(table, back, title, command, {"entry": pending.entry}, about=pending.entry)
            for command, title in titles.items()
            if pending.entry in able[command]
        ]

    def _no(self, pending: PendingView) -> Sentence:
        """The word for saying no: the member who offered it takes it back."""
        return say("Take it back") if pending.held_by == self._campaign.account else say("Turn it down")
