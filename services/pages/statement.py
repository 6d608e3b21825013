"""`/c/{campaign}/money/{account}`: the statement of an account, why it holds what it does, and both as a table."""

from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Response, Stream
from msgspec import Struct

from domain.campaign.play.characters import titles
from domain.rejection import Missing
from domain.sentences import Part, Sentence, number, say, term
from projections.campaign.account_names import account_title
from projections.campaign.ledger import LedgerEntry
from projections.languages import render
from services.api.ledger import PageOfEntries, entries_as_csv, statement_of
from services.api.paths import AfterQuery, AtQuery, BeforeQuery, require_one_direction
from services.api.time_limit import takes_long
from services.application import Application
from services.pages.explanation import ExplanationPage, ValueMove, last_moves
from services.pages.money import Way, read_at, told_moment, ways_to_move
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import Moved, entries_moved
from services.queries.diff import Move, why_balance
from services.queries.play_session import SessionHeld, session_span, sessions_held
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.changed_values import ChangedValue
from services.web.chronicle_lines import action_path
from services.web.ledger_lines import EntryLine, StatementLines, balance_why, statement_path
from services.web.play_table import table_of
from services.web.printed import Footer, footer_of
from services.web.visitor import Visitor

ENTRIES = 50
SESSION_DIGITS_MAX = 9
CURRENCY_MAX = 200


class Balance(Struct, frozen=True):
    """What an account holds of a currency, or held before the entries of a page; `why` explains it."""

    currency: Part
    amount: int
    why: str = ""


class Total(Struct, frozen=True):
    """What came in and went out of a currency in all that is listed."""

    currency: Part
    came: int
    went: int


class StatementPage(CampaignPage, frozen=True, kw_only=True):
    """The statement of an account, newest first.

    `opening` is what it held before the oldest entry of the page, as far as that could be added up. `here` is the
    page's own address without a query. `session` is the number of the play session that is listed, empty for all.
    """

    template: ClassVar[str] = "statement.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "money"
    here: str
    account: Part
    balances: list[Balance]
    lines: list[EntryLine]
    opening: list[Balance]
    totals: list[Total]
    sessions: list[SessionHeld]
    session: str
    at: str
    later: str
    earlier: str
    ways: list[Way]
    file: str
    moment: Sentence | None
    footer: Footer

    @property
    def title(self) -> Part:
        """Whose statement it is."""
        return self.account

    @property
    def is_of_one_currency(self) -> bool:
        """Whether the unit need not stand beside each amount."""
        units = [*(each.currency for each in self.totals), *(each.currency for each in self.lines)]
        return len({*map(str, (*units, *(each.currency for each in self.balances)))}) == 1


class BalanceExplanation(ExplanationPage, frozen=True, kw_only=True):
    """Why an account holds what it does: the actions that stand and moved it."""

    section: ClassVar[str] = "money"


@get(read_paths("/money/{account:str}"))
async def statement(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    account: FromPath[str],
    session: FromQuery[str] = "",
    before: BeforeQuery = None,
    after: AfterQuery = None,
    at: AtQuery = None,
) -> Response[bytes]:
    """The last entries, or those before or after a seq; of all, or of one play session."""
    require_one_direction(after, before)
    seen = await read_at(application, visitor, campaign, at)
    asked = _Asked(application, seen, account, session_number(session), None if at is None else seen.seq)
    return shown(request, visitor, await asked.page(after, before))


@get(read_paths("/money/{account:str}/why"), guards=[takes_long])
async def balance_explained(
    request: Request[Any, Any, Any],
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    account: FromPath[str],
    currency: FromQuery[str],
    at: AtQuery = None,
) -> Response[bytes]:
    """Everything that stands and moved a balance, oldest first. Refuses `account_not_found`."""
    seen = await read_at(application, visitor, campaign, at)
    found = last_moves(await why_balance(application, seen, account, currency[:CURRENCY_MAX]))
    past = None if at is None else seen.seq
    unit = render(term(currency), seen.language)
    page = BalanceExplanation(
        **frame_of(seen),
        sheet=statement_path(seen, account, past),
        whose=render(account_title(account, seen.name), seen.language),
        value=ChangedValue((unit,), _told(found.before, seen), _told(found.value, seen)),
        moves=[_move(seen, each) for each in found.moves],
        since=found.since_seq,
        as_of=past,
    )
    return shown(request, visitor, page)


@get(read_paths("/ledger.csv"))
async def ledger_file(
    application: NamedDependency[Application],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    account: FromQuery[str] = "",
    session: FromQuery[str] = "",
    at: AtQuery = None,
) -> Stream:
    """All entries as a table, of one account and play session or of all, as the API has them."""
    seen = await read_at(application, visitor, campaign, at)
    return await entries_as_csv(application, seen, account or None, session_number(session))


class _Asked(Struct, frozen=True):
    """A statement as it was asked for; `past` is the seq that is read, if it is not now."""

    application: Application
    seen: VisibleCampaign
    account: str
    session: int | None
    past: int | None

    async def page(self, after: int | None, before: int | None) -> StatementPage:
        """The page of the entries before or after a seq. Refuses `account_not_found`."""
        seen, application = self.seen, self.application
        newest = seen.seq + 1 if before is None and after is None else before
        found = await statement_of(
            application, seen, self.account, self.session, PageOfEntries(after, newest, ENTRIES)
        )
        entries = found.entries[::-1] if after is not None else found.entries
        if not entries and self.account not in seen.state.balances and self.account not in titles(seen.state):
            raise Missing("account_not_found", seen.told(say("There is no such account in this campaign.")))
        sessions = await sessions_held(application.log, application.views, seen)
        drawn = StatementLines(application, seen, self.account, sessions, self.past)
        path = statement_path(seen, self.account)
        known = {"account": self.account, "session": self.session, "at": self.past}
        said = {"debit": self.account, **self._only_currency()}
        return StatementPage(
            **frame_of(seen),
            here=path,
            account=account_title(self.account, seen.name),
            balances=self._balances(),
            lines=await drawn.of(entries),
            opening=self._opening(entries),
            totals=await self._totals(),
            sessions=sessions,
            session=str(self.session or ""),
            at=str(self.past or ""),
            later=self._later(entries, found.next_after, after, before),
            earlier=self._earlier(entries, found.next_before, after),
            ways=[] if self.past is not None else ways_to_move(table_of(application, seen), said, path),
            file=f"{campaign_path(seen)}/ledger.csv?{_query(known)}",
            moment=told_moment(seen, self.past),
            footer=await footer_of(application, seen),
        )

    def _only_currency(self) -> dict[str, str]:
        """The currency that the account holds, if it is one."""
        held = [each for each, balance in self.seen.state.balances.get(self.account, {}).items() if balance]
        return {"currency": held[0]} if len(held) == 1 else {}

    def _balances(self) -> list[Balance]:
        return [
            Balance(term(currency), amount, balance_why(self.seen, self.account, currency, self.past))
            for currency, amount in sorted(self.seen.state.balances.get(self.account, {}).items())
        ]

    def _opening(self, entries: Sequence[LedgerEntry]) -> list[Balance]:
        """What the account held before the oldest of these entries, by currency; newest first they are."""
        found: dict[str, Balance] = {}
        for each in entries:
            if each.balance is not None:
                change = each.amount if each.credit == self.account else -each.amount
                why = balance_why(self.seen, self.account, each.currency, each.seq - 1)
                found[each.currency] = Balance(term(each.currency), each.balance - change, why)
        return [each for _, each in sorted(found.items())]

    async def _totals(self) -> list[Total]:
        """What came in and went out, in the play session that is listed or from the beginning."""
        application, seen = self.application, self.seen
        first, last = 1, seen.seq
        if self.session is not None:
            first, last = await session_span(application.log, application.views, seen, self.session)
        moved = await entries_moved(application.log, application.views, seen, self.account, first - 1, last)
        return [_total(*each) for each in sorted((moved or {}).items())]

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
        known = {"session": self.session, "at": self.past, **place}
        return f"{statement_path(self.seen, self.account)}?{_query(known)}"


def _query(known: dict[str, Any]) -> str:
    return urlencode({name: value for name, value in known.items() if value is not None})


def _total(currency: str, moved: Moved) -> Total:
    return Total(term(currency), moved.came, moved.went)


def session_number(said: str) -> int | None:
    """The number of a play session, as a form says it; None: all, also for what is no number."""
    return int(said) if said.isascii() and said.isdigit() and len(said) <= SESSION_DIGITS_MAX else None


def _move(seen: VisibleCampaign, move: Move) -> ValueMove:
    before, after = _told(move.before, seen), _told(move.after, seen)
    return ValueMove(
        move.seq, action_path(seen, move.seq), move.at, move.actor_name or "", move.told, before, after
    )


def _told(amount: int | None, seen: VisibleCampaign) -> str:
    """An amount in figures; empty where there was none."""
    if amount is None:
        return ""
    return ("\N{MINUS SIGN}" if amount < 0 else "") + render(number(abs(amount)), seen.language)
