"""A ledger of another tool before it is posted: its entries, refusals by line, and the balances after it."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from domain.campaign.command_request import ActRequest, Together
from domain.campaign.commands import PostEntry
from domain.campaign.messages.base_types import Account
from domain.campaign.play.characters import characters, titles
from domain.campaign.play.ledger_accounts import ESCROW, FOUND, GROUP, PLAYER, USED_UP, kind_of, purse_of
from domain.personal_text import FreeText, Key
from domain.rejection import Forbidden, Rejection
from domain.sentences import ENGLISH, say, term
from domain.systems import SYSTEMS
from projections.campaign.ledger import IN_PLAY
from projections.campaign.ledger_account_names import account_title
from projections.languages import render
from projections.narration_tables import currency_name
from services.campaign.visible_campaign import VisibleCampaign, refusing_in
from services.reading.foreign_ledger_table import (
    FILE_BYTES_MAX,
    LINES_MAX,
    Columns,
    Decimal,
    LedgerTable,
    Separator,
    TableLine,
    amount_in,
    guess_columns,
    guess_decimal,
    parse_table,
    quoted,
)
from services.reading.possible_commands import PossibleCommands

NOTE_MAX = 2_000
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters, but for tabs and ends of lines."""
NAMES_MAX = 2 * LINES_MAX
BANK = "world:bank"
NEEDED = ("debit", "credit", "amount")
"""The columns without which no line can be read."""

Names = Annotated[dict[str, Account], Meta(max_length=NAMES_MAX)]
CurrencyNames = Annotated[dict[str, Key], Meta(max_length=NAMES_MAX)]


class LedgerText(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of another tool, and how to read it; fields that are left out are guessed from what it holds."""

    text: Annotated[str, Meta(max_length=FILE_BYTES_MAX)]
    """Values separated by commas, semicolons or tabs; the first line is the header."""
    separator: Separator | None = None
    decimal: Decimal | None = None
    """The sign before decimals, of which there may only be zeros."""
    columns: Columns | None = None
    currency: Key | None = None
    """The currency of lines that name none."""
    accounts: Names = {}
    """The accounts of this campaign by their names in the table. One that is not known yet is opened."""
    currencies: CurrencyNames = {}
    """The currencies of this campaign by their names in the table."""


class ReadLine(Struct, frozen=True):
    """A line as it would be posted: `command` goes into the `commands` of an action."""

    line: int
    command: PostEntry
    debit_name: str
    credit_name: str
    currency_name: str


class RefusedLine(Struct, frozen=True):
    """A line that cannot be posted, and why."""

    line: int
    code: str
    detail: str


class BalanceAfter(Struct, frozen=True):
    """A balance before and after all lines that can be posted."""

    account: str
    name: str
    currency: str
    currency_name: str
    before: int
    after: int


class LedgerReading(Struct, frozen=True):
    """A ledger of another tool as it is understood. Nothing is posted."""

    as_of: int
    separator: Separator
    decimal: Decimal
    header: list[str]
    columns: Columns
    missing: list[str]
    """The columns that have to be chosen before any line is read."""
    unknown_accounts: list[str]
    """Names in the table that mean nothing here: their lines are refused until `accounts` says what they are."""
    unknown_currencies: list[str]
    entries: list[ReadLine]
    refused: list[RefusedLine]
    balances: list[BalanceAfter]
    names: dict[str, str] = {}


def require_poster(campaign: VisibleCampaign) -> None:
    """Raise `gm_only` for members who may not post entries, whatever a table says."""
    if campaign.role != "gm":
        raise Forbidden("gm_only", campaign.text_of(say("Only a GM may post to the ledger by hand.")))


async def read_ledger(
    possible: PossibleCommands, campaign: VisibleCampaign, ledger_text: LedgerText
) -> LedgerReading:
    """The entries of a table on the campaign as its reader knows it.

    Refuses `gm_only`, `ledger_unreadable` and `ledger_too_long`; of single lines the answer says why they are
    refused.
    """
    require_poster(campaign)
    with refusing_in(campaign.language):
        table = parse_table(ledger_text.text, ledger_text.separator)
    columns = ledger_text.columns or guess_columns(table.header)
    decimal = ledger_text.decimal or guess_decimal(table, columns.amount)
    draft = _Draft(campaign, table, columns, decimal, ledger_text)
    missing = [column for column in NEEDED if getattr(columns, column) is None]
    if columns.currency is None and ledger_text.currency is None:
        missing.append("currency")
    if not missing:
        draft.read_lines()
    attempts = await possible.try_in_turn(campaign, [command for _, command in draft.commands])
    entries = []
    for (line, command), refusal in zip(draft.commands, attempts.refusals, strict=True):
        if refusal is None:
            entries.append(draft.entry(line, command))
        else:
            draft.refuse(line, refusal)
    return LedgerReading(
        as_of=campaign.seq,
        separator=table.separator,
        decimal=decimal,
        header=table.header,
        columns=columns,
        missing=missing,
        unknown_accounts=[*draft.unknown_accounts],
        unknown_currencies=[*draft.unknown_currencies],
        entries=entries,
        refused=sorted(draft.refused, key=lambda refused: refused.line),
        balances=draft.balances(entries, attempts.state.balances),
    )


def request_of(reading: LedgerReading) -> ActRequest:
    """The one action that posts all entries of a reading, of which there is one at least."""
    commands = [entry.command for entry in reading.entries]
    return ActRequest(commands[0] if len(commands) == 1 else Together(commands))


def known_accounts(campaign: VisibleCampaign, language: str = "") -> dict[str, str]:
    """The accounts between which entries may be posted, with their names, as far as the reader knows them."""
    state = campaign.state
    accounts = [
        *titles(state),
        *(purse_of(character.character) for character in characters(state)),
        GROUP,
        *(f"{PLAYER}:{member}" for member, role in state.members.items() if role != "observer"),
        *(account for account in state.balances if kind_of(account) != ESCROW),
        *(BANK, FOUND, USED_UP),
    ]
    return {
        account: render(account_title(account, campaign.name), language or campaign.language)
        for account in dict.fromkeys(accounts)
    }


def known_currencies(campaign: VisibleCampaign, language: str = "") -> dict[str, str]:
    """The currencies of the campaign, with their names, as far as the reader knows them."""
    state = campaign.state
    used = (currency for balances in state.balances.values() for currency in balances)
    by_rules = (currency for system in state.systems for currency in SYSTEMS[system].currencies)
    return {
        currency: render(currency_name(currency, campaign.name), language or campaign.language)
        for currency in dict.fromkeys((*used, *by_rules))
    }


def new_key(name: str, kind: Any) -> str:
    """A name of another tool as the key of an account or of a currency; empty where none can be made of it."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    key = re.sub(r"[^a-z0-9:.\-]+", "_", plain).strip("_:.-")
    try:
        return "" if kind_of(key) == ESCROW else msgspec.convert(key, kind)
    except msgspec.ValidationError:
        return ""


class _Draft:
    """The commands of a table's lines as they are read, with the refusals of the others."""

    def __init__(
        self,
        campaign: VisibleCampaign,
        table: LedgerTable,
        columns: Columns,
        decimal: Decimal,
        ledger_text: LedgerText,
    ) -> None:
        self._campaign = campaign
        self._table = table
        self._columns = columns
        self._decimal: Decimal = decimal
        self._given = ledger_text
        self._accounts = known_accounts(campaign)
        self._currencies = known_currencies(campaign)
        self._account_keys = _keys_by_name(self._accounts, known_accounts(campaign, ENGLISH))
        self._currency_keys = _keys_by_name(self._currencies, known_currencies(campaign, ENGLISH))
        headers = [header.casefold() for header in table.header]
        self._reason = headers.index("reason") + 1 if {"reason", "undoes"} <= {*headers} else None
        """The column of a table of our own that says when a line is no entry by hand."""
        self.commands: list[tuple[int, PostEntry]] = []
        self.refused: list[RefusedLine] = []
        self.unknown_accounts: dict[str, None] = {}
        self.unknown_currencies: dict[str, None] = {}

    def read_lines(self) -> None:
        """Read every line as a command, or as refused."""
        for line in self._table.lines:
            try:
                self.commands.append((line.number, self._command(line)))
            except Rejection as refusal:
                self.refuse(line.number, refusal)

    def refuse(self, line: int, refusal: Rejection) -> None:
        """Note that a line cannot be posted."""
        detail = render(refusal.message, self._campaign.language)
        self.refused.append(RefusedLine(line, refusal.code, detail))

    def entry(self, line: int, command: PostEntry) -> ReadLine:
        """A line that can be posted, in words."""
        return ReadLine(
            line=line,
            command=command,
            debit_name=self._account_name(command.debit),
            credit_name=self._account_name(command.credit),
            currency_name=self._currency_name(command.currency),
        )

    def balances(self, entries: Iterable[ReadLine], after: Mapping[str, Mapping[str, int]]) -> list[BalanceAfter]:
        """The balances that the entries move, in the order in which they are named."""
        before = self._campaign.state.balances
        purses = dict.fromkeys(
            (account, entry.command.currency)
            for entry in entries
            for account in (entry.command.debit, entry.command.credit)
        )
        return [
            BalanceAfter(
                account=account,
                name=self._account_name(account),
                currency=currency,
                currency_name=self._currency_name(currency),
                before=before.get(account, {}).get(currency, 0),
                after=after.get(account, {}).get(currency, 0),
            )
            for account, currency in purses
        ]

    def _command(self, line: TableLine) -> PostEntry:
        """The command of a line. Raises `Rejection`."""
        columns = self._columns
        if len(line.cells) > len(self._table.header):
            raise Rejection("line_invalid", say("This line has more fields than the header."))
        if CONTROLS.search("".join(line.cells)):
            raise Rejection("line_invalid", say("This line holds a control character."))
        if self._reason is not None and line.cell(self._reason) == IN_PLAY:
            raise Rejection(
                "line_invalid",
                say("This line is a balance with which a character came into play: it is no entry."),
            )
        debit, credit = self._account(line.cell(columns.debit)), self._account(line.cell(columns.credit))
        currency = self._currency(line.cell(columns.currency))
        amount = amount_in(line.cell(columns.amount), self._decimal)
        is_new = not ({debit, credit} <= {*self._accounts} and currency in self._currencies)
        return PostEntry(
            currency=currency,
            debit=debit,
            credit=credit,
            amount=amount,
            reason=self._note(line),
            new=True if is_new else msgspec.UNSET,
        )

    def _account(self, name: str) -> str:
        if not name:
            raise Rejection("unknown_account", say("This line lacks one of its two accounts."))
        given = self._given.accounts.get(name)
        account = given if given is not None else self._account_keys(name)
        if account is None or (kind_of(account) == ESCROW and account not in self._accounts):
            self.unknown_accounts[name] = None
            raise Rejection(
                "unknown_account", say("Say which account of this campaign “{name}” is.", name=quoted(name))
            )
        return account

    def _currency(self, name: str) -> str:
        if not name:
            if self._given.currency is None:
                raise Rejection("unknown_currency", say("This line names no currency."))
            return self._given.currency
        currency = self._given.currencies.get(name) or self._currency_keys(name)
        if currency is None:
            self.unknown_currencies[name] = None
            raise Rejection(
                "unknown_currency", say("Say which currency of this campaign “{name}” is.", name=quoted(name))
            )
        return currency

    def _note(self, line: TableLine) -> str:
        """The date and the note of a line; without either, the line's number. Refuses `line_invalid`."""
        date, note = line.cell(self._columns.date), line.cell(self._columns.note)
        text = f"{date}: {note}" if date and note else date or note
        text = text or self._campaign.text_of(say("Line {line} of another ledger", line=str(line.number)))
        try:
            return msgspec.convert(text, FreeText)
        except msgspec.ValidationError:
            raise Rejection(
                "line_invalid",
                say("Date and note together have more than {most} characters.", most=str(NOTE_MAX)),
            ) from None

    def _account_name(self, account: str) -> str:
        own = self._accounts.get(account)
        return own or render(account_title(account, self._campaign.name), self._campaign.language)

    def _currency_name(self, currency: str) -> str:
        return self._currencies.get(currency) or render(term(currency), self._campaign.language)


def _keys_by_name(*languages: Mapping[str, str]) -> Callable[[str], str | None]:
    """Finds a key by itself, or by a name in one of these languages that is the only one of its kind."""
    keys: dict[str, set[str]] = {}
    for names in languages:
        for key, name in names.items():
            keys.setdefault(name.casefold(), set()).add(key)
    return partial(_key_of, languages[0], keys)


def _key_of(names: Mapping[str, str], keys: Mapping[str, set[str]], name: str) -> str | None:
    if name in names:
        return name
    same = keys.get(name.casefold(), set())
    return next(iter(same)) if len(same) == 1 else None
