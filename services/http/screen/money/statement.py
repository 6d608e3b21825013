"""`/c/{campaign}/money/{account}`: the statement of an account, why it holds what it does, and both as a table."""

from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Response, Stream
from msgspec import Struct

from domain.campaign.play.characters import titles
from domain.ids import is_born
from domain.rejection import Missing
from domain.sentences import Part, Sentence, number, say
from projections.campaign.ledger import LedgerEntry
from projections.campaign.ledger_account_names import account_title
from projections.languages import render
from projections.narration_tables import Name, currency_name
from projections.setting_words import capitalise
from projections.things_on_sheets import balance_thing
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.file_download import csv_file
from services.http.ledger_download import DatesQuery, FormatQuery, saved_ledger
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import AfterQuery, AtQuery, BeforeQuery
from services.http.screen.chronicle.explanation import (
    ACTS,
    ExplanationPage,
    ValueMove,
    acts_of_things,
    acts_page,
    last_moves,
)
from services.http.screen.commands.play_table import table_of
from services.http.screen.money.money import Way, told_moment, ways_to_move
from services.http.screen.money.statement_lines import EntryLine, StatementLines, balance_why, statement_path
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.changed_values import ChangedValue
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.print_footer import Footer, footer_of
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.chronicle import AccountMovement, entries_moved
from services.reading.diff import Move, why_balance
from services.reading.ledger_books import PageOfEntries, entries_as_csv, statement_of
from services.reading.ledger_export import export_ledger
from services.reading.parameters import number_after, require_one_direction
from services.reading.play_session import SessionHeld, session_span, sessions_held

ENTRIES = 50
CURRENCY_MAX = 200


class Balance(Struct, frozen=True):
    """An account's balance of a currency, now or before the entries of a page; `why` explains it."""

    currency: Part
    amount: int
    why: str = ""


class Total(Struct, frozen=True):
    """The sums of a currency that came in and went out in all the listed entries."""

    currency: Part
    came: int
    went: int


class StatementPage(CampaignPage, frozen=True, kw_only=True):
    """The statement of an account, newest first."""

    template: ClassVar[str] = "statement.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "money"
    here: str
    """The page's own address without a query."""
    account: Part
    balances: list[Balance]
    lines: list[EntryLine]
    opening: list[Balance]
    """The balances before the oldest entry of the page, as far as they could be added up."""
    totals: list[Total]
    sessions: list[SessionHeld]
    session: str
    """The number of the play session that is listed; empty: all."""
    at: str
    later: str
    earlier: str
    ways: list[Way]
    file: str
    moment: Sentence | None
    footer: Footer

    @property
    def title(self) -> Part:
        """The page's title: the account."""
        return self.account

    @property
    def is_of_one_currency(self) -> bool:
        """Whether the unit need not stand beside each amount."""
        units = [*(total.currency for total in self.totals), *(line.currency for line in self.lines)]
        return len({*map(str, (*units, *(balance.currency for balance in self.balances)))}) == 1


class BalanceExplanation(ExplanationPage, frozen=True, kw_only=True):
    """Why an account holds what it does: the actions that stand and moved it."""

    section: ClassVar[str] = "money"


@get(watched_paths("/money/{account:str}"))
async def statement(
    visit: NamedDependency[Visit],
    account: FromPath[str],
    session: FromQuery[str] = "",
    before: BeforeQuery = None,
    after: AfterQuery = None,
    at: AtQuery = None,
) -> Response[bytes]:
    """The last entries, or those before or after a seq; of all, or of one play session."""
    require_one_direction(after, before)
    visible = await open_campaign(visit, at)
    statement = _Statement(
        visit.application, visible, account, number_after("session", session), None if at is None else visible.seq
    )
    return show_page(visit, await statement.page(after, before))


@get(watched_paths("/money/{account:str}/why"), guards=[takes_long])
async def balance_explained(
    visit: NamedDependency[Visit], account: FromPath[str], currency: FromQuery[str], at: AtQuery = None
) -> Response[bytes]:
    """Everything that stands and moved a balance, oldest first, and what can be done with it.

    Refuses `account_not_found`.
    """
    visible = await open_campaign(visit, at)
    past = None if at is None else visible.seq
    unit = render(currency_name(currency, visible.name), visible.language)
    whose = render(account_title(account, visible.name), visible.language)
    heading = unit if is_born(currency) else capitalise(unit)
    acts = await acts_of_things(visit, visible, [balance_thing(account, currency[:CURRENCY_MAX])], at)
    if acts is not None and ACTS in visit.request.query_params:
        balance = _in_figures(visible.state.balances.get(account, {}).get(currency), visible)
        why = balance_why(visible, account, currency)
        return show_page(visit, await acts_page(visible, acts, whose, f"{heading} {balance}".strip(), why))
    explanation = last_moves(await why_balance(visit.application, visible, account, currency[:CURRENCY_MAX]))
    page = BalanceExplanation(
        **frame_of(visible),
        sheet=statement_path(visible, account, past),
        whose=whose,
        heading=heading,
        value=ChangedValue(
            (unit,), _in_figures(explanation.before, visible), _in_figures(explanation.value, visible)
        ),
        moves=[_move(visible, move) for move in explanation.moves],
        since=explanation.since_seq,
        as_of=past,
        acts=() if acts is None else acts.doings,
    )
    return show_page(visit, page)


@get(watched_paths("/ledger.csv"))
async def ledger_file(
    visit: NamedDependency[Visit], account: FromQuery[str] = "", session: FromQuery[str] = "", at: AtQuery = None
) -> Stream:
    """All entries as a table, of one account and play session or of all, as the API has them."""
    visible = await open_campaign(visit, at)
    return csv_file(
        await entries_as_csv(visit.application, visible, account or None, number_after("session", session)),
        "ledger.csv",
    )


@get(watched_paths("/ledger/export"), guards=[takes_long])
async def ledger_export(
    visit: NamedDependency[Visit], file_format: FormatQuery, dates: DatesQuery = "real", at: AtQuery = None
) -> Stream:
    """The whole ledger for an accountant's tool, as the API has it. Refuses `date_not_writable`."""
    visible = await open_campaign(visit, at)
    return saved_ledger(await export_ledger(visit.application, visible, file_format, dates))


class _Statement(Struct, frozen=True):
    """A statement as it was asked for; `past` is the seq that is read, if it is not now."""

    application: Application
    campaign: VisibleCampaign
    account: str
    session: int | None
    past: int | None

    async def page(self, after: int | None, before: int | None) -> StatementPage:
        """The page of the entries before or after a seq. Refuses `account_not_found`."""
        campaign, application = self.campaign, self.application
        newest = campaign.seq + 1 if before is None and after is None else before
        entries_page = await statement_of(
            application, campaign, self.account, self.session, PageOfEntries(after, newest, ENTRIES)
        )
        entries = entries_page.entries[::-1] if after is not None else entries_page.entries
        if (
            not entries
            and self.account not in campaign.state.balances
            and self.account not in titles(campaign.state)
        ):
            raise Missing("account_not_found", campaign.text_of(say("There is no such account in this campaign.")))
        sessions = await sessions_held(application.log, application.views, campaign)
        lines = StatementLines(application, campaign, self.account, sessions, self.past)
        path = statement_path(campaign, self.account)
        parameters = {"account": self.account, "session": self.session, "at": self.past}
        values = {"debit": self.account, **self._only_currency()}
        return StatementPage(
            **frame_of(campaign),
            here=path,
            account=account_title(self.account, campaign.name),
            balances=self._balances(),
            lines=await lines.of(entries),
            opening=self._opening(entries),
            totals=await self._totals(),
            sessions=sessions,
            session=str(self.session or ""),
            at=str(self.past or ""),
            later=self._later(entries, entries_page.next_after, after, before),
            earlier=self._earlier(entries, entries_page.next_before, after),
            ways=[] if self.past is not None else ways_to_move(table_of(application, campaign), values, path),
            file=f"{campaign_path(campaign)}/ledger.csv?{_query(parameters)}",
            moment=told_moment(campaign, self.past),
            footer=await footer_of(application, campaign),
        )

    def _only_currency(self) -> dict[str, str]:
        """The currency that the account holds, if it is one."""
        currencies = [
            currency for currency, balance in self.campaign.state.balances.get(self.account, {}).items() if balance
        ]
        return {"currency": currencies[0]} if len(currencies) == 1 else {}

    def _balances(self) -> list[Balance]:
        return [
            Balance(
                currency_name(currency, self.campaign.name),
                amount,
                balance_why(self.campaign, self.account, currency, self.past),
            )
            for currency, amount in sorted(self.campaign.state.balances.get(self.account, {}).items())
        ]

    def _opening(self, entries: Sequence[LedgerEntry]) -> list[Balance]:
        """The account's balances before the oldest of these entries (newest first), by currency."""
        opening: dict[str, Balance] = {}
        for entry in entries:
            if entry.balance is not None:
                change = entry.amount if entry.credit == self.account else -entry.amount
                why = balance_why(self.campaign, self.account, entry.currency, entry.seq - 1)
                opening[entry.currency] = Balance(
                    currency_name(entry.currency, self.campaign.name), entry.balance - change, why
                )
        return [balance for _, balance in sorted(opening.items())]

    async def _totals(self) -> list[Total]:
        """The sums that came in and went out, in the play session that is listed or from the beginning."""
        application, campaign = self.application, self.campaign
        first, last = 1, campaign.seq
        if self.session is not None:
            first, last = await session_span(application.log, application.views, campaign, self.session)
        movements = await entries_moved(
            application.log, application.views, campaign, self.account, first - 1, last
        )
        return [_total(*movement, campaign.name) for movement in sorted((movements or {}).items())]

    def _later(
        self, entries: Sequence[LedgerEntry], next_after: int | None, after: int | None, before: int | None
    ) -> str:
        """The address of newer entries: read onwards, or from the beginning where those fit a page."""
        if before is None and next_after is None:
            return ""
        newest = entries[0].seq if entries else (before or after or 0)
        return self._at_place({"after": newest})

    def _earlier(self, entries: Sequence[LedgerEntry], next_before: int | None, after: int | None) -> str:
        if after is not None:
            return self._at_place({"before": entries[-1].seq if entries else after + 1})
        return "" if next_before is None else self._at_place({"before": next_before})

    def _at_place(self, place: dict[str, int]) -> str:
        parameters = {"session": self.session, "at": self.past, **place}
        return f"{statement_path(self.campaign, self.account)}?{_query(parameters)}"


def _query(parameters: dict[str, Any]) -> str:
    return urlencode({name: value for name, value in parameters.items() if value is not None})


def _total(currency: str, movement: AccountMovement, name: Name) -> Total:
    return Total(currency_name(currency, name), movement.came, movement.went)


def _move(campaign: VisibleCampaign, move: Move) -> ValueMove:
    before, after = _in_figures(move.before, campaign), _in_figures(move.after, campaign)
    return ValueMove(
        move.seq, action_path(campaign, move.seq), move.at, move.actor_name or "", move.told, before, after
    )


def _in_figures(amount: int | None, campaign: VisibleCampaign) -> str:
    """An amount in figures; empty where there was none."""
    if amount is None:
        return ""
    return ("\N{MINUS SIGN}" if amount < 0 else "") + render(number(abs(amount)), campaign.language)
