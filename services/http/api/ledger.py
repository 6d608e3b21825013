"""`…/ledger`: balances, entries, and whether the ledger is right."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import structs

from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import GMS, MEMBERS
from services.http.file_download import csv_file
from services.http.ledger_download import DatesQuery, FormatQuery, saved_ledger
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import ActsQuery, AfterQuery, AtQuery, BeforeQuery, LimitQuery
from services.reading.foreign_ledger_preview import LedgerReading, LedgerText, read_ledger
from services.reading.ledger_books import (
    AccountsPage,
    EntriesPage,
    PageOfEntries,
    acts_of_balances,
    books_of,
    entries_as_csv,
    statement_of,
)
from services.reading.ledger_export import export_ledger
from services.reading.names_in_answers import with_names
from services.reading.parameters import LIMIT_DEFAULT, currency_of, require_one_direction

SessionQuery = Annotated[
    int | None,
    QueryParameter(ge=1, le=2**31, description="Only what was posted during the play session of this number."),
]


CurrencyQuery = Annotated[
    str | None,
    QueryParameter(max_length=200, description="Only entries of this currency, or of this thing, by key or name."),
]


class LedgerController(Controller):
    """The campaign's money, in double entry."""

    path = "/api/campaigns/{campaign_id:str}/ledger"
    tags = ("money",)

    @get("/accounts", summary="Balances", operation_class=MEMBERS)
    async def accounts(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        at: AtQuery = None,
        with_acts: ActsQuery = True,
    ) -> AccountsPage:
        """The balance of each account with what may be done with it, escrow, and whether the ledger is right."""
        page = with_names(await books_of(application, visible), visible)
        if at is not None or not with_acts:
            return page
        return structs.replace(page, acts=await acts_of_balances(application.possible, visible, page.accounts))

    @get("/entries", summary="Entries", operation_class=MEMBERS)
    async def entries(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        account: FromQuery[str | None] = None,
        session: SessionQuery = None,
        after: AfterQuery = None,
        before: BeforeQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
        currency: CurrencyQuery = None,
    ) -> EntriesPage:
        """Every entry with its reason and action; entries of one account have running balances.

        For one account, one currency or thing, one play session, for several of these, or all. Refuses
        `session_not_found` and `ambiguous_name`.
        """
        require_one_direction(after, before)
        key = None if currency is None else currency_of(visible, currency)
        place = PageOfEntries(after, before, limit, key)
        return with_names(await statement_of(application, visible, account, session, place), visible)

    @get(
        "/entries.csv",
        summary="The ledger as a table",
        operation_class=MEMBERS,
        responses={
            200: ResponseSpec(
                str, description="One line an entry.", media_type="text/csv", generate_examples=False
            )
        },
    )
    async def entries_csv(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        account: FromQuery[str | None] = None,
        session: SessionQuery = None,
    ) -> Stream:
        """The same entries, of all pages, as comma-separated values for a spreadsheet."""
        return csv_file(await entries_as_csv(application, visible, account, session), "ledger.csv")

    @get(
        "/export",
        summary="The ledger for an accountant's tool",
        operation_class=MEMBERS,
        guards=[takes_long],
        responses={
            200: ResponseSpec(
                str,
                description="A journal of hledger, a file of Beancount, or a table (`text/csv`).",
                media_type="text/plain",
                generate_examples=False,
            )
        },
    )
    async def export(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        file_format: FormatQuery,
        dates: DatesQuery = "real",
    ) -> Stream:
        """Every entry, with the balances that have to hold after each day. Refuses `date_not_writable`."""
        return saved_ledger(await export_ledger(application, visible, file_format, dates))

    @post("/read", summary="Read a ledger of another tool", operation_class=GMS, status_code=200)
    async def parse_table(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        data: JSONBody[LedgerText],
    ) -> LedgerReading:
        """The entries of a table (CSV), the balances after them, and why other lines cannot be posted. For GMs.

        Nothing is posted: an action whose `commands` are those of the answer does it, all or none, and one undo
        takes them back. Dates go into the reasons. Refuses `gm_only`, `ledger_unreadable` and `ledger_too_long`.
        """
        await application.rates.act(visible.campaign_id, visible.account)
        return with_names(await read_ledger(application.possible, visible, data), visible)
