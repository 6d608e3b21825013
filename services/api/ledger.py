"""`…/ledger`: balances, entries, and whether the ledger is right."""

import csv
import io
from collections import Counter
from collections.abc import AsyncIterator
from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromQuery, QueryParameter
from litestar.response import Stream
from msgspec import Struct, structs

from domain.campaign.money.reconciliation import Drift, trial_balance
from domain.event_store_types import LedgerCheck
from projections.campaign.ledger import AccountBalance, LedgerEntry, PendingView, account_balances, pending_entries
from projections.timestamps import moment
from services.api.openapi_roles import MEMBERS
from services.api.paths import (
    LIMIT_DEFAULT,
    AfterQuery,
    BeforeQuery,
    LimitQuery,
    require_one_direction,
)
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import LIMIT_MAX, entries_before, entries_page
from services.queries.ledger_drift import check_of, drift_in, known_drift
from services.queries.names_in_answers import named
from services.queries.play_session import session_span

COLUMNS = LedgerEntry.__struct_fields__

SessionQuery = Annotated[
    int | None,
    QueryParameter(ge=1, le=2**31, description="Only what was posted during the play session of this number."),
]


class Checked(Struct, frozen=True):
    """The last audit: up to which seq, when, and the drift it found."""

    seq: int
    at: str
    drift: list[Drift]


class AccountsPage(Struct, frozen=True):
    """Every account of the ledger, and whether the ledger is right.

    `trial_balance` is the sum of all accounts by currency: always zero. `drift` names accounts whose balance
    differs on sheets, or in the log: always empty. `checked` is the last audit of the log, for GMs; another audit
    with the same result does not change it.
    `names` are those of the ids in it.
    """

    as_of: int
    accounts: list[AccountBalance]
    pending: list[PendingView]
    trial_balance: dict[str, int]
    drift: list[Drift]
    checked: Checked | None
    names: dict[str, str] = {}


class EntriesPage(Struct, frozen=True):
    """Entries, oldest first, or with `before` newest first.

    `next_after`, or with `before` `next_before`, goes into the next request; null where the ledger ends there.
    `names` are those of the ids in it.
    """

    as_of: int
    entries: list[LedgerEntry]
    next_after: int | None
    next_before: int | None
    names: dict[str, str] = {}


class LedgerController(Controller):
    """The campaign's money, in double entry."""

    path = "/api/campaigns/{campaign_id:str}/ledger"
    tags = ("money",)

    @get("/accounts", summary="Balances", operation_class=MEMBERS)
    async def accounts(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
    ) -> AccountsPage:
        """The balance of each account, escrow, and whether the ledger is right."""
        return named(await books_of(application, seen), seen)

    @get("/entries", summary="Entries", operation_class=MEMBERS)
    async def entries(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
        account: FromQuery[str | None] = None,
        session: SessionQuery = None,
        after: AfterQuery = None,
        before: BeforeQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> EntriesPage:
        """Every entry with its reason and action; entries of one account have running balances.

        For one account, for one play session, for both, or all. Refuses `session_not_found`.
        """
        require_one_direction(after, before)
        place = PageOfEntries(after, before, limit)
        return named(await statement_of(application, seen, account, session, place), seen)

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
        seen: NamedDependency[VisibleCampaign],
        account: FromQuery[str | None] = None,
        session: SessionQuery = None,
    ) -> Stream:
        """The same entries, of all pages, as comma-separated values for a spreadsheet."""
        return await entries_as_csv(application, seen, account, session)


class PageOfEntries(Struct, frozen=True):
    """Which entries are read: so many after a seq, or before one; with neither, the first."""

    after: int | None = None
    before: int | None = None
    limit: int = LIMIT_DEFAULT


async def books_of(application: Application, seen: VisibleCampaign) -> AccountsPage:
    """The balance of each account, escrow, and whether the ledger is right."""
    check = await check_of(application.ledger_checks, seen)
    return AccountsPage(
        as_of=seen.seq,
        accounts=account_balances(seen.state, seen.name, seen.language),
        pending=pending_entries(seen.state, seen.name, seen.language),
        trial_balance=trial_balance(seen.state.balances),
        drift=known_drift(seen, check),
        checked=_checked(check) if check is not None else None,
    )


async def statement_of(
    application: Application,
    seen: VisibleCampaign,
    account: str | None,
    session: int | None,
    place: PageOfEntries,
) -> EntriesPage:
    """Entries of one account or of all, of one play session or of all. Refuses `session_not_found`."""
    first, upto = await _span(application, seen, session)
    log, views, limit = application.log, application.views, place.limit
    if place.before is not None:
        entries, reached = await entries_before(log, views, upto, account, place.before, limit, first)
        return EntriesPage(seen.seq, entries, None, reached)
    entries, reached = await entries_page(log, views, upto, account, max(place.after or 0, first), limit)
    return EntriesPage(seen.seq, entries, reached, None)


async def entries_as_csv(
    application: Application, seen: VisibleCampaign, account: str | None, session: int | None
) -> Stream:
    """The same entries, of all pages, as a file for a spreadsheet. Refuses `session_not_found`."""
    before, upto = await _span(application, seen, session)
    headers = {"Content-Disposition": 'attachment; filename="ledger.csv"'}
    return Stream(_lines(application, upto, account, before), media_type="text/csv", headers=headers)


def _checked(check: LedgerCheck) -> Checked:
    return Checked(check.seq, moment(check.checked_at), drift_in(check))


async def _span(
    application: Application, seen: VisibleCampaign, session: int | None
) -> tuple[int, VisibleCampaign]:
    """The seq before a play session's first event, and the campaign as of its last; by default everything."""
    if session is None:
        return 0, seen
    first, last = await session_span(application.log, application.views, seen, session)
    return first - 1, structs.replace(seen, seq=last)


async def _lines(
    application: Application, seen: VisibleCampaign, account: str | None, before: int
) -> AsyncIterator[bytes]:
    """The table page by page, so that a long ledger takes no more memory than a short one."""
    yield _csv([COLUMNS])
    after: int | None = before
    running: Counter[str] | None = None if before else Counter()
    while after is not None:
        entries, after = await entries_page(
            application.log, application.views, seen, account, after, LIMIT_MAX, running
        )
        yield _csv([[_cell(getattr(entry, column)) for column in COLUMNS] for entry in entries])


def _cell(value: object) -> object:
    """A cell. Spreadsheets take texts with such a first character for formulas; personal texts must stay texts."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _csv(lines: list[list[object]] | list[tuple[str, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(lines)
    return text.getvalue().encode()
