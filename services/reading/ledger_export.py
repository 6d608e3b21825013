"""The ledger as a file for an accountant's tool, read twice: once for its names and days, once to be written."""

from collections.abc import AsyncIterator
from typing import Literal, TypeAlias

from msgspec import Struct, field

from domain.rejection import Rejection
from domain.sentences import Sentence, say
from projections.campaign.ledger import IN_PLAY, LedgerEntry
from projections.campaign.ledger_files.beancount_file import BeancountFile
from projections.campaign.ledger_files.entry_date import EntryDate
from projections.campaign.ledger_files.entry_in_file import Balances, EntryInFile, NamedInFile
from projections.campaign.ledger_files.hledger_file import LEDGER_YEARS, HledgerFile
from projections.languages import render
from projections.narration_tables import currency_name
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.chronicle import LIMIT_MAX, entries_page, entries_without_words
from services.reading.entry_dates import DatesOf, EntryDates
from services.reading.ledger_books import entries_as_csv
from services.reading.read_dependencies import Readers
from services.runtime.sliced_work import Pace

LedgerFormat: TypeAlias = Literal["hledger", "beancount", "csv"]
WRITERS: dict[LedgerFormat, type[HledgerFile | BeancountFile]] = {
    "hledger": HledgerFile,
    "beancount": BeancountFile,
}
TOOLS: dict[LedgerFormat, str] = {"hledger": "hledger", "beancount": "Beancount"}


class LedgerFile(Struct, frozen=True):
    """A ledger as a file that is written while it is read."""

    name: str
    media_type: str
    pieces: AsyncIterator[bytes]


class Survey(Struct):
    """The names and days of a ledger."""

    accounts: set[str]
    currencies: set[str]
    first: EntryDate | None = None
    last: EntryDate | None = None
    ends: list[EntryDate] = field(default_factory=list)
    """Days that are over for good: no later entry has that day or an earlier one, as after an undo in time."""

    def follow(self, entry: LedgerEntry, date: EntryDate, before: EntryDate | None) -> None:
        """Add an entry, dated, after one of another date."""
        self.accounts |= {entry.debit, entry.credit}
        self.currencies.add(entry.currency)
        if before is not None and before == self.last and date > before:
            self.ends.append(before)
        while self.ends and self.ends[-1] >= date:
            self.ends.pop()
        self.first = date if self.first is None else min(self.first, date)
        self.last = date if self.last is None else max(self.last, date)


async def export_ledger(
    parts: Readers, campaign: VisibleCampaign, file_format: LedgerFormat, dates: DatesOf
) -> LedgerFile:
    """The whole ledger, as far as its reader may know it.

    Refuses `date_not_writable` before anything is written, where the tool has no such day or year.
    """
    if file_format == "csv":
        return LedgerFile("ledger.csv", "text/csv", await entries_as_csv(parts, campaign, dates=dates))
    export = _Export(parts, campaign, file_format, dates)
    survey = await export.survey()
    return LedgerFile(export.writer.file_name, "text/plain", export.pieces(survey))


class _Export:
    """One export, of the campaign as it stood when it began."""

    def __init__(
        self, parts: Readers, campaign: VisibleCampaign, file_format: LedgerFormat, dates: DatesOf
    ) -> None:
        self._parts = parts
        self._campaign = campaign
        self._dates: DatesOf = dates
        self._tool = TOOLS[file_format]
        self.writer = WRITERS[file_format]()
        self._entry_dates = EntryDates(campaign)
        self._closing: Balances = {
            (account, currency): balance
            for account, purse in campaign.state.balances.items()
            for currency, balance in purse.items()
        }

    async def survey(self) -> Survey:
        """The names and days of all entries. Refuses `date_not_writable`."""
        survey = Survey({account for account, _ in self._closing}, {currency for _, currency in self._closing})
        pace, log, views = Pace(), self._parts.log, self._parts.views
        after: int | None = 0
        before = None
        while after is not None:
            entries, after = await entries_without_words(log, views, self._campaign, after, LIMIT_MAX)
            for entry in entries:
                date = self._entry_dates.date(entry, self._dates)
                self._require_writable(entry, date)
                survey.follow(entry, date, before)
                before = date
                await pace.step()
        return survey

    async def pieces(self, survey: Survey) -> AsyncIterator[bytes]:
        """The file, page by page. At the end of a day what moved has to hold, and at last every balance."""
        yield self._beginning(survey).encode()
        balances: Balances = {}
        purses: set[tuple[str, str]] = set()
        ends = set(survey.ends)
        day: EntryDate | None = None
        pace, log, views = Pace(), self._parts.log, self._parts.views
        after: int | None = 0
        while after is not None:
            entries, after = await entries_page(log, views, self._campaign, None, after, LIMIT_MAX)
            texts = []
            for entry in entries:
                date = self._entry_dates.date(entry, self._dates)
                if day is not None and date > day and day in ends:
                    texts.append(self.writer.assertions(day, {purse: balances[purse] for purse in purses}))
                    purses.clear()
                day = date
                change = _post(entry, balances)
                purses |= {(entry.debit, entry.currency), (entry.credit, entry.currency)}
                line = EntryInFile(
                    entry, date, change, self._entry_dates.game_date(entry), self._entry_dates.undone_in(entry)
                )
                texts.append(self.writer.entry(line))
                await pace.step()
            yield "".join(texts).encode()
        if survey.last is not None:
            yield self.writer.assertions(survey.last, self._closing).encode()

    def _beginning(self, survey: Survey) -> str:
        """A sentence about the file, and all names in it."""
        accounts = [NamedInFile(account, self._entry_dates.title(account)) for account in sorted(survey.accounts)]
        currencies = [
            NamedInFile(currency, render(currency_name(currency, self._campaign.name), self._campaign.language))
            for currency in sorted(survey.currencies)
        ]
        head = self.writer.head(self._campaign.text_of(sentence) for sentence in self._preface(survey))
        return head if survey.first is None else head + self.writer.names(accounts, currencies, survey.first)

    def _preface(self, survey: Survey) -> list[Sentence]:
        state = self._campaign.state
        sentences = [
            say(
                "The ledger of {campaign} as of no. {seq}, as far as its reader may know it.",
                campaign=state.name,
                seq=self._campaign.seq,
            ),
            say(
                "An amount above zero comes into its account (in Fieldlog: credit), one below zero goes out of it "
                "(in Fieldlog: debit)."
            ),
            say("Days are those of the campaign's calendar.")
            if self._dates == "game"
            else say("Days are those on which it was recorded, in UTC."),
            say(
                "An undo takes nothing out: it moves the amount back, as an entry of its own. Marks say what was "
                "undone."
            ),
        ]
        years = {date.year for date in (survey.first, survey.last) if date is not None}
        if self._tool == TOOLS["hledger"] and any(year not in LEDGER_YEARS for year in years):
            sentences.append(
                say("The program Ledger reads years from 1400 to 9999 only. This file has others: use hledger.")
            )
        return sentences

    def _require_writable(self, entry: LedgerEntry, date: EntryDate) -> None:
        years = self.writer.years
        if date.year in years and date.is_like_earths:
            return
        fault = (
            say(
                "{tool} reads years from {first} to {last}",
                tool=self._tool,
                first=str(years[0]),
                last=str(years[-1]),
            )
            if date.year not in years
            else say("{tool} has only the days of the calendar of Earth", tool=self._tool)
        )
        raise Rejection(
            "date_not_writable",
            say(
                "{fault}, and this ledger has an entry of {date} (no. {seq}). Take the days on which entries were "
                "recorded, or a table for a spreadsheet.",
                fault=fault,
                date=self._entry_dates.game_date(entry) if self._dates == "game" else date.text,
                seq=entry.seq,
            ),
        )


def _post(entry: LedgerEntry, balances: Balances) -> int:
    """The currency that an entry brings into `credit`; it is added to the balances."""
    credit, debit = (entry.credit, entry.currency), (entry.debit, entry.currency)
    change = entry.amount - balances.get(credit, 0) if entry.reason == IN_PLAY else entry.amount
    balances[credit] = balances.get(credit, 0) + change
    balances[debit] = balances.get(debit, 0) - change
    return change
