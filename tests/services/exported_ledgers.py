"""A campaign's ledger as a file, and what accountants' programs find in it."""

from typing import Any

from tests.accountants import balances_in, balances_of, programs
from tests.services.conftest import Person, Table


def export(who: Person, table: Table, file_format: str, dates: str = "real", **query: Any) -> str:
    """The text of an export."""
    answer = who.get(f"{table.path}/ledger/export", params={"format": file_format, "dates": dates, **query})
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def require_equal(who: Person, table: Table, dates: str = "real", **query: Any) -> None:
    """Require that every program reads the ledger, and finds the balances that the reader finds."""
    for program in programs():
        text = export(who, table, program.format, dates, **query)
        if program.reads(text):
            assert balances_of(program, text) == balances_in(who, table.path, **query), text
