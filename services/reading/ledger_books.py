"""The books of a campaign: balances, entries, and the entries as a table."""

import csv
import io
from collections import Counter
from collections.abc import AsyncIterator, Sequence

from msgspec import Struct, structs

from domain.campaign.money.reconciliation import Drift, trial_balance
from domain.event_store_types import LedgerCheck
from projections.campaign.ledger import AccountBalance, LedgerEntry, PendingView, account_balances, pending_entries
from projections.command_forms import Act
from projections.languages import render
from projections.narration_tables import currency_name
from projections.things_on_sheets import balance_thing
from projections.timestamps import moment
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.chronicle import LIMIT_MAX, entries_before, entries_page
from services.reading.entry_dates import DatesOf, EntryDates
from services.reading.ledger_drift import check_of, drift_in, known_drift
from services.reading.parameters import LIMIT_DEFAULT
from services.reading.play_session import session_span
from services.reading.possible_commands import PossibleCommands
from services.reading.read_dependencies import Readers

FIELDS = LedgerEntry.__struct_fields__
COLUMNS = (
    *FIELDS,
    "undone_by",
    "game_date",
    "debit_account_that_loses",
    "credit_account_that_gains",
    "currency_name",
)
"""The columns of the table; two say what their words mean here: accountants' tools turn them round."""


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
    `names` are those of the ids in it. `acts` are the commands that you may give now about a balance, by its
    account and then its currency, as on sheets: empty for the past.
    """

    as_of: int
    accounts: list[AccountBalance]
    pending: list[PendingView]
    trial_balance: dict[str, int]
    drift: list[Drift]
    checked: Checked | None
    names: dict[str, str] = {}
    acts: dict[str, dict[str, list[Act]]] = {}


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


class PageOfEntries(Struct, frozen=True):
    """Which entries are read: so many after a seq, or before one; with neither, the first."""

    after: int | None = None
    before: int | None = None
    limit: int = LIMIT_DEFAULT
    currency: str | None = None
    """Only entries of this one."""


async def books_of(parts: Readers, campaign: VisibleCampaign) -> AccountsPage:
    """The balance of each account, escrow, and whether the ledger is right."""
    check = await check_of(parts.ledger_checks, campaign)
    return AccountsPage(
        as_of=campaign.seq,
        accounts=account_balances(campaign.state, campaign.name, campaign.language),
        pending=pending_entries(campaign.state, campaign.name, campaign.language),
        trial_balance=trial_balance(campaign.state.balances),
        drift=known_drift(campaign, check),
        checked=_checked(check) if check is not None else None,
    )


async def acts_of_balances(
    possible: PossibleCommands, campaign: VisibleCampaign, balances: Sequence[AccountBalance]
) -> dict[str, dict[str, list[Act]]]:
    """The acts of balances, by account and currency; those without any are left out."""
    things = [
        balance_thing(balance.account, balance.currency, str(place)) for place, balance in enumerate(balances)
    ]
    acts: dict[str, dict[str, list[Act]]] = {}
    for place, acts_here in (await possible.acts(campaign, things)).items():
        balance = balances[int(place)]
        acts.setdefault(balance.account, {})[balance.currency] = acts_here
    return acts


async def statement_of(
    parts: Readers,
    campaign: VisibleCampaign,
    account: str | None,
    session: int | None,
    place: PageOfEntries,
) -> EntriesPage:
    """Entries of one account or of all, of one play session or of all. Refuses `session_not_found`."""
    first, upto = await _span(parts, campaign, session)
    log, views, limit = parts.log, parts.views, place.limit
    if place.before is not None:
        entries, reached = await entries_before(
            log, views, upto, account, place.before, limit, first, currency=place.currency
        )
        return EntriesPage(campaign.seq, entries, None, reached)
    entries, reached = await entries_page(
        log, views, upto, account, max(place.after or 0, first), limit, currency=place.currency
    )
    return EntriesPage(campaign.seq, entries, reached, None)


async def entries_as_csv(
    parts: Readers,
    campaign: VisibleCampaign,
    account: str | None = None,
    session: int | None = None,
    dates: DatesOf | None = None,
) -> AsyncIterator[bytes]:
    """The same entries, of all pages, as a table for a spreadsheet. Refuses `session_not_found`.

    With `dates`, each line begins with the date of that calendar.
    """
    entry_dates = EntryDates(campaign)
    before, upto = await _span(parts, campaign, session)
    return _lines(parts, upto, account, before, entry_dates, dates)


def _checked(check: LedgerCheck) -> Checked:
    return Checked(check.seq, moment(check.checked_at), drift_in(check))


async def _span(parts: Readers, campaign: VisibleCampaign, session: int | None) -> tuple[int, VisibleCampaign]:
    """The seq before a play session's first event, and the campaign as of its last; by default everything."""
    if session is None:
        return 0, campaign
    first, last = await session_span(parts.log, parts.views, campaign, session)
    return first - 1, structs.replace(campaign, seq=last)


async def _lines(
    parts: Readers,
    campaign: VisibleCampaign,
    account: str | None,
    before: int,
    entry_dates: EntryDates,
    dates: DatesOf | None,
) -> AsyncIterator[bytes]:
    """The table page by page, so that a long ledger takes no more memory than a short one."""

    def line(entry: LedgerEntry) -> list[object]:
        date = [] if dates is None else [entry_dates.date(entry, dates).text]
        own = [getattr(entry, field) for field in FIELDS]
        currency = render(currency_name(entry.currency, campaign.name), campaign.language)
        titles = [entry_dates.title(entry.debit), entry_dates.title(entry.credit), currency]
        return [*date, *own, entry_dates.undone_in(entry), entry_dates.game_date(entry), *titles]

    yield _csv([COLUMNS if dates is None else ("date", *COLUMNS)])
    after: int | None = before
    running: Counter[str] | None = None if before else Counter()
    while after is not None:
        entries, after = await entries_page(parts.log, parts.views, campaign, account, after, LIMIT_MAX, running)
        yield _csv([[_cell(cell) for cell in line(entry)] for entry in entries])


def _cell(value: object) -> object:
    """A cell. Spreadsheets take texts with such a first character for formulas; personal texts must stay texts."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _csv(lines: list[list[object]] | list[tuple[str, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(lines)
    return text.getvalue().encode()
