"""A ledger of another tool as a table: its lines, and the columns that its header suggests."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.ids import COMMANDS_TOGETHER_MAX
from domain.personal_text import AMOUNT_MAX
from domain.rejection import Rejection
from domain.sentences import Sentence, number, say

FILE_BYTES_MAX = 131_072
"""A table with as many lines as one action may hold is mostly much smaller."""
LINES_MAX = COMMANDS_TOGETHER_MAX
"""All lines become one action, which one undo takes back."""
COLUMNS_MAX = 100
QUOTED_MAX = 60
"""So much of a cell stands in a refusal."""

Separator: TypeAlias = Literal["comma", "semicolon", "tab"]
Decimal: TypeAlias = Literal["point", "comma"]
Place = Annotated[int, Meta(ge=1, le=COLUMNS_MAX)]
"""The place of a column, counted from 1."""

SEPARATORS: dict[Separator, str] = {"comma": ",", "semicolon": ";", "tab": "\t"}
MINUS = ("-", "\u2212", "(")
"""The beginnings of an amount below zero; accountants write one in brackets."""
FORMULA = re.compile("'(?=[=+\\-@\t\r])")
"""The sign that our own tables put before a text that a spreadsheet would work out."""

HEADERS: dict[str, tuple[str, ...]] = {
    "date": ("date", "day", "datum", "jour", "when", "timestamp", "at", "game date"),
    "debit": (
        *("debit", "from", "from account", "debit account", "debit account that loses", "account that loses"),
        *("loses", "payer", "sender", "source", "débit", "de", "compte débité", "compte qui perd", "payeur"),
    ),
    "credit": (
        *("credit", "to", "to account", "credit account", "credit account that gains", "account that gains"),
        *("gains", "payee", "receiver", "recipient", "target", "crédit", "vers", "à", "compte crédité"),
        *("compte qui gagne", "bénéficiaire"),
    ),
    "amount": ("amount", "sum", "value", "quantity", "montant", "somme", "betrag", "valeur"),
    "currency": ("currency", "commodity", "unit", "devise", "monnaie", "währung", "currency name"),
    "note": (
        *("note", "description", "memo", "comment", "narration", "details", "text", "title"),
        *("libellé", "commentaire", "motif", "texte"),
    ),
}
"""The headers of each column, in the order in which they are looked for."""


class Columns(Struct, frozen=True, forbid_unknown_fields=True):
    """The places of columns, counted from 1; null where a table has none.

    `debit` is the account that loses, `credit` the one that gains.
    """

    date: Place | None = None
    debit: Place | None = None
    credit: Place | None = None
    amount: Place | None = None
    currency: Place | None = None
    note: Place | None = None


class TableLine(Struct, frozen=True):
    """A line of a table, with the number of the file's line where it begins."""

    number: int
    cells: list[str]

    def cell(self, place: int | None) -> str:
        """The trimmed text of a column; empty where there is none. The sign before a formula is left out."""
        if place is None or place > len(self.cells):
            return ""
        return FORMULA.sub("", self.cells[place - 1].strip(), count=1)


class LedgerTable(Struct, frozen=True):
    """A table with its header, and the separator of its columns."""

    separator: Separator
    header: list[str]
    lines: list[TableLine]


def text_of(content: bytes) -> str:
    """The text of a file. Refuses `ledger_unreadable` with the line that is no UTF-8, or no text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise Rejection(
            "ledger_unreadable",
            say("Line {line} is not written in UTF-8: save the table as CSV in UTF-8.", line=number(line)),
            line=line,
        ) from None


def parse_table(text: str, separator: Separator | None = None) -> LedgerTable:
    """The table in a text; its separator is found in the header unless it is given.

    Refuses `ledger_unreadable`, and `ledger_too_long` beyond `LINES_MAX` lines.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise Rejection("ledger_unreadable", say("Choose a file, or paste its text."))
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Rejection(
            "ledger_unreadable",
            say("Line {line} holds a character that stands in no text: this is no CSV.", line=number(line)),
            line=line,
        )
    separator = separator or _separator_in(text)
    lines = [line for line in _lines(text, SEPARATORS[separator]) if any(cell.strip() for cell in line.cells)]
    if not lines:
        raise Rejection("ledger_unreadable", say("Choose a file, or paste its text."))
    header, *lines = lines
    if len(header.cells) > COLUMNS_MAX:
        raise Rejection(
            "ledger_unreadable",
            say(
                "The header has {n} columns, and {most} at most are read.",
                n=number(len(header.cells)),
                most=number(COLUMNS_MAX),
            ),
        )
    if len(lines) > LINES_MAX:
        raise Rejection(
            "ledger_too_long",
            say(
                "This table has {n} lines below its header, and one action holds {most}: give it in parts, each "
                "with the header.",
                n=number(len(lines)),
                most=number(LINES_MAX),
            ),
        )
    return LedgerTable(separator, [cell.strip() for cell in header.cells], lines)


def guess_columns(header: Sequence[str]) -> Columns:
    """The columns as their headers suggest, each at most once."""
    titles = [" ".join(re.split(r"[\s_]+", title.casefold())).strip() for title in header[:COLUMNS_MAX]]
    places = {
        column: next((titles.index(word) + 1 for word in words if word in titles), None)
        for column, words in HEADERS.items()
    }
    return Columns(**places)


def guess_decimal(table: LedgerTable, amount: int | None) -> Decimal:
    """The sign before decimals, as the amounts suggest; where they do not, as the separator does."""
    signs: Counter[Decimal] = Counter()
    for line in table.lines:
        cell = line.cell(amount)
        marks = re.findall("[.,]", cell)
        if not marks:
            continue
        is_group = re.search(r"[.,]\d{3}$", cell) is not None and len({*marks}) == 1
        if is_group and len(marks) == 1:
            continue  # 1,500 may be either
        last: Decimal = "comma" if marks[-1] == "," else "point"
        signs[("point" if last == "comma" else "comma") if is_group else last] += 1
    if signs:
        return signs.most_common(1)[0][0]
    return "comma" if table.separator == "semicolon" else "point"


def amount_in(cell: str, decimal: Decimal) -> int:
    """A whole amount above zero. Refuses `amount_invalid`: nothing is rounded, and nothing is turned round."""
    point, group = (".", ",") if decimal == "point" else (",", ".")
    pattern = rf"\+?(\d{{1,3}}(?:[{group}'\u2019 \u00a0\u202f]\d{{3}})+|\d+)(?:{re.escape(point)}(\d*))?"
    match = re.fullmatch(pattern, cell, re.ASCII)
    if match is None:
        if cell.startswith(MINUS) and re.search("[0-9]", cell):
            raise _invalid(
                cell, say("“{text}” is below zero: exchange the two accounts of this line.", text=quoted(cell))
            )
        raise _invalid(cell, say("“{text}” is no amount.", text=quoted(cell)))
    whole, rest = match[1], match[2] or ""
    if rest.strip("0"):
        raise _invalid(
            cell, say("“{text}” is not whole: an amount is, and nothing is rounded.", text=quoted(cell))
        )
    digits = re.sub(r"\D", "", whole).lstrip("0")
    if not digits:
        raise _invalid(cell, say("An amount has to be above zero."))
    if len(digits) > len(str(AMOUNT_MAX)) or int(digits) > AMOUNT_MAX:
        raise _invalid(cell, say("An amount is {most} at most.", most=number(AMOUNT_MAX)))
    return int(digits)


def quoted(cell: str) -> str:
    """So much of a cell as a refusal quotes."""
    return cell if len(cell) <= QUOTED_MAX else f"{cell[:QUOTED_MAX]}…"


def _invalid(cell: str, sentence: Sentence) -> Rejection:
    if not cell:
        return Rejection("amount_invalid", say("There is no amount."))
    return Rejection("amount_invalid", sentence)


def _separator_in(text: str) -> Separator:
    """The separator that divides the first line most often."""
    first = next(line for line in text.splitlines() if line.strip())
    bare = re.sub('"[^"]*"?', "", first)
    return max(SEPARATORS, key=lambda separator: bare.count(SEPARATORS[separator]))


def _lines(text: str, separator: str) -> Iterator[TableLine]:
    """The lines of a table with their numbers. Refuses `ledger_unreadable`."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    try:
        for cells in reader:
            yield TableLine(begins, cells)
            begins = reader.line_num + 1
    except csv.Error as fault:
        sentence = (
            say("Line {line} opens a quotation mark that is never closed.", line=number(begins))
            if "end of data" in str(fault)
            else say("Line {line} has a text behind a closing quotation mark.", line=number(begins))
        )
        raise Rejection("ledger_unreadable", sentence, line=begins) from None
