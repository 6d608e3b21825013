"""`/c/{campaign}/ledger/read`: a ledger of another tool from a file or a text, looked at before it is posted."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Meta, Struct

from domain.campaign.messages.base_types import Account
from domain.ids import COMMANDS_TOGETHER_MAX, ActionId
from domain.personal_text import Key
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, say
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import done_before, submit_command
from services.http.route_parameters import checked_key
from services.http.screen.shared.campaign_page import CampaignPage, frame_of
from services.http.screen.shared.chronicle_lines import action_path
from services.http.screen.shared.forms import Form, FormStruct, Unfit
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.page_upload import receive, require_page_upload
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.foreign_ledger_preview import (
    BalanceAfter,
    LedgerReading,
    LedgerText,
    known_accounts,
    known_currencies,
    new_key,
    read_ledger,
    request_of,
    require_poster,
)
from services.reading.foreign_ledger_table import (
    COLUMNS_MAX,
    FILE_BYTES_MAX,
    Columns,
    Decimal,
    Separator,
    quoted,
    text_of,
)

FIELDS_BYTES_MAX = 4 * FILE_BYTES_MAX
"""The text of a table with its names, and what browsers make of its line ends."""
MAPPINGS_MAX = 100
"""So many names that mean nothing here are asked about at once; the others stay refused until then."""
ACCOUNT, CURRENCY = "account", "currency"
"""The kinds of names in the table, for which a form has two fields each: the name, and what it is here."""

COLUMN_TITLES: dict[str, Sentence] = {
    "date": say("Date"),
    "debit": say("Account that loses"),
    "credit": say("Account that gains"),
    "amount": say("Amount"),
    "currency": say("Currency"),
    "note": say("Note"),
}
SEPARATOR_TITLES: dict[Separator, Sentence] = {
    "comma": say("Commas"),
    "semicolon": say("Semicolons"),
    "tab": say("Tabs"),
}
DECIMAL_TITLES: dict[Decimal, Sentence] = {"point": say("A point (1,500.00)"), "comma": say("A comma (1.500,00)")}

ColumnPlace = Annotated[int, Meta(ge=0, le=COLUMNS_MAX)]


class Option(Struct, frozen=True):
    """A value that a field may have."""

    value: str
    title: Part
    is_chosen: bool


class Selection(Struct, frozen=True):
    """A field with its values."""

    name: str
    title: Part
    options: list[Option]
    explained: str = ""
    """The name in the table that it explains."""


class EntryRow(Struct, frozen=True):
    """An entry as it would be posted."""

    line: int
    debit: str
    credit: str
    amount: int
    currency: str
    note: str


class RefusedRow(Struct, frozen=True):
    """A line that cannot be posted, and why."""

    line: int
    why: str


class LedgerFilePage(CampaignPage, frozen=True, kw_only=True):
    """The form that takes a table."""

    template: ClassVar[str] = "ledger_file.html"
    section: ClassVar[str] = "money"
    form: Form
    lines_max: int
    kib_max: int

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("A ledger of another tool")


class LedgerReadPage(CampaignPage, frozen=True, kw_only=True):
    """A table as it is understood: its columns, its unknown names, entries, refusals and balances."""

    template: ClassVar[str] = "ledger_read.html"
    section: ClassVar[str] = "money"
    form: Form
    key: str
    text: str
    """The table, as the form sends it."""
    separator: Separator
    amount: int
    """As the form sends them: the separator, and the column of the amounts, with which the page was made."""
    columns: list[Selection]
    ways_to_read: list[Selection]
    accounts: list[Selection]
    currencies: list[Selection]
    missing: list[Sentence]
    entries: list[EntryRow]
    refused: list[RefusedRow]
    balances: list[BalanceAfter]

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("A ledger of another tool")


class ReadForm(FormStruct, frozen=True):
    """The way to read a table; a column of 0 is none."""

    separator: Separator | None = None
    decimal: Decimal | None = None
    date: ColumnPlace | None = None
    debit: ColumnPlace | None = None
    credit: ColumnPlace | None = None
    amount: ColumnPlace | None = None
    currency: ColumnPlace | None = None
    note: ColumnPlace | None = None
    read_separator: Separator | None = None
    read_amount: ColumnPlace | None = None
    """The separator, and the column of the amounts, with which the page was made."""
    key: str = ""
    do: str = "look"


class _PostedAction(Struct, frozen=True):
    """The part of an action's answer that leads to its page."""

    action_id: ActionId


async def require_ledger_file(request: Request[Any, Any, Any]) -> None:
    """A file from a form of our own page, not larger than a ledger may be."""
    require_page_upload(request, FIELDS_BYTES_MAX)


@get("/c/{campaign:str}/ledger/read")
async def file_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The form for a table. For GMs."""
    return show_page(visit, _file_page(await _open_as_gm(visit), Form()))


@post("/c/{campaign:str}/ledger/read", before_request=require_ledger_file, request_max_body_size=None)
async def read_file(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Look at a table, read otherwise or with names that are explained, or post its entries. For GMs."""
    visible = await _open_as_gm(visit)
    file = bytearray()
    form = Form(await receive(visit.request, file.extend, FILE_BYTES_MAX, FIELDS_BYTES_MAX))
    try:
        await visit.application.rates.act(visible.campaign_id, visible.account)
        text = _text_of_form(bytes(file), form)
        fields = ReadForm.parse(form.without_empty())
        reading = await read_ledger(visit.application.possible, visible, _asked(text, fields, form))
    except Unfit:
        return show_page(
            visit, _file_page(visible, form.with_fault("text", say("That cannot be taken."))), REFUSED
        )
    except REFUSALS as refusal:
        return show_page(visit, _file_page(visible, form.with_fault("text", told_refusal(refusal))), REFUSED)
    if fields.do != "look":
        try:
            return see_other(await _post(visit, visible, reading, fields))
        except REFUSALS as refusal:
            form = form.with_fault("", told_refusal(refusal))
    page = _read_page(visit, visible, text, reading, form)
    return show_page(visit, page, REFUSED if form.wrong else 200)


async def _open_as_gm(visit: Visit) -> VisibleCampaign:
    """The campaign as a GM sees it. Refuses `gm_only`."""
    visible = await open_campaign(visit)
    require_poster(visible)
    return visible


async def _post(visit: Visit, campaign: VisibleCampaign, reading: LedgerReading, fields: ReadForm) -> str:
    """Post all entries as one action, once; returns the path of its page, from which it can be undone.

    Refuses `lines_refused` where a line is refused, unless the form says that such lines are left out.
    """
    parts = visit.application
    key = checked_key(fields.key or None)
    action = await done_before(parts, campaign.campaign_id, campaign.account, key)
    if action is None:
        if reading.refused and fields.do != "post_rest":
            raise Rejection("lines_refused", say("Some lines are refused now: look at them below."))
        if not reading.entries:
            raise Rejection("lines_refused", say("There is no line that can be posted."))
        request = request_of(reading)
        answer = await submit_command(parts, campaign.campaign_id, campaign.account, request, key=key)
        action = msgspec.json.decode(answer, type=_PostedAction).action_id
    first, *_ = await parts.log.actions(campaign.campaign_id, [action])
    return action_path(campaign, first.seq)


def _text_of_form(file: bytes, form: Form) -> str:
    """The table of a file, or the text in its place. Refuses `ledger_unreadable`."""
    text = (text_of(file) if file else form.value("text")).replace("\r\n", "\n")
    if len(text.encode()) > FILE_BYTES_MAX:
        raise Rejection("ledger_too_long", say("A table has {n} KiB at most.", n=str(FILE_BYTES_MAX // 1024)))
    return text


def _asked(text: str, fields: ReadForm, form: Form) -> LedgerText:
    """The table with the way to read it that a form says. Raises `Unfit`.

    With another separator the columns are guessed again, and with another column of amounts the sign in them.
    """
    places = {column: getattr(fields, column) for column in COLUMN_TITLES}
    is_chosen = fields.separator == fields.read_separator and any(place is not None for place in places.values())
    is_of_same_amounts = is_chosen and fields.amount == fields.read_amount
    try:
        return LedgerText(
            text=text,
            separator=fields.separator,
            decimal=fields.decimal if is_of_same_amounts else None,
            columns=Columns(**{column: place or None for column, place in places.items()}) if is_chosen else None,
            currency=msgspec.convert(form.value("one_currency") or None, Key | None),
            accounts=msgspec.convert(_mapping(form, ACCOUNT), dict[str, Account]),
            currencies=msgspec.convert(_mapping(form, CURRENCY), dict[str, Key]),
        )
    except msgspec.ValidationError:
        raise Unfit(form) from None


def _mapping(form: Form, kind: str) -> dict[str, str]:
    """The names in the table that a form explains, with their keys here."""
    names, keys = (form.values.get(f"{kind}_{part}", ()) for part in ("name", "key"))
    return {name.replace("\r\n", "\n"): key for name, key in zip(names, keys, strict=False) if key}


def _file_page(campaign: VisibleCampaign, form: Form) -> LedgerFilePage:
    return LedgerFilePage(
        **frame_of(campaign), form=form, lines_max=COMMANDS_TOGETHER_MAX, kib_max=FILE_BYTES_MAX // 1024
    )


def _read_page(
    visit: Visit, campaign: VisibleCampaign, text: str, reading: LedgerReading, form: Form
) -> LedgerReadPage:
    accounts, currencies = known_accounts(campaign), known_currencies(campaign)
    names = _names_to_explain(form, ACCOUNT, reading.unknown_accounts)
    currency_names = _names_to_explain(form, CURRENCY, reading.unknown_currencies)
    return LedgerReadPage(
        **frame_of(campaign),
        form=form,
        key=form.value("key") or str(visit.application.entropy.new_id()),
        text=text,
        separator=reading.separator,
        amount=reading.columns.amount or 0,
        columns=[_column(column, reading) for column in COLUMN_TITLES],
        ways_to_read=[
            _selection("separator", say("Columns are separated by"), SEPARATOR_TITLES, reading.separator),
            _selection("decimal", say("Sign before decimals"), DECIMAL_TITLES, reading.decimal),
            *([_one_currency(form, currencies)] if reading.columns.currency is None else []),
        ],
        accounts=[_explanation(form, ACCOUNT, name, accounts, new_key(name, Account)) for name in names],
        currencies=[
            _explanation(form, CURRENCY, name, currencies, new_key(name.replace(":", "_"), Key))
            for name in currency_names
        ],
        missing=[COLUMN_TITLES[column] for column in reading.missing],
        entries=[
            EntryRow(
                line=entry.line,
                debit=entry.debit_name,
                credit=entry.credit_name,
                amount=entry.command.amount,
                currency=entry.currency_name,
                note=entry.command.reason,
            )
            for entry in reading.entries
        ],
        refused=[RefusedRow(refused.line, refused.detail) for refused in reading.refused],
        balances=reading.balances,
    )


def _names_to_explain(form: Form, kind: str, unknown: Sequence[str]) -> list[str]:
    """The names that are explained already, and those that are not."""
    return [*dict.fromkeys((*_mapping(form, kind), *unknown))][:MAPPINGS_MAX]


def _column(column: str, reading: LedgerReading) -> Selection:
    """The choice of the column that holds something."""
    place = getattr(reading.columns, column)
    headers = [
        Option(str(nth), header or say("Column {n}", n=str(nth)), nth == place)
        for nth, header in enumerate(reading.header, 1)
    ]
    return Selection(
        column, COLUMN_TITLES[column], [Option("0", say("Not in this table"), place is None), *headers]
    )


def _selection(name: str, title: Sentence, titles: Mapping[Any, Sentence], chosen: str) -> Selection:
    return Selection(name, title, [Option(value, words, value == chosen) for value, words in titles.items()])


def _one_currency(form: Form, currencies: Mapping[str, str]) -> Selection:
    """The choice of the currency of a table without a column for it."""
    chosen = form.value("one_currency")
    options = [Option(key, name, key == chosen) for key, name in currencies.items()]
    return Selection(
        "one_currency", say("Currency of all lines"), [Option("", say("Choose …"), chosen == ""), *options]
    )


def _explanation(form: Form, kind: str, name: str, known: Mapping[str, str], new: str) -> Selection:
    """The choice of what a name in the table is here; it may be something new."""
    chosen = _mapping(form, kind).get(name, "")
    options = [Option(key, title, key == chosen) for key, title in sorted(known.items(), key=_by_title)]
    if new and new not in known:
        options.insert(0, Option(new, say("New here: {name}", name=new), new == chosen))
    return Selection(kind, quoted(name), [Option("", say("Choose …"), chosen == ""), *options], name)


def _by_title(pair: tuple[str, str]) -> str:
    return pair[1].casefold()
