"""An answer that a browser saves as a ledger for an accountant's tool, and the parameters that choose it."""

from typing import Annotated

from litestar.params import QueryParameter
from litestar.response import Stream

from services.http.file_download import saved_file
from services.reading.entry_dates import DatesOf
from services.reading.ledger_export import LedgerFile, LedgerFormat

FormatQuery = Annotated[LedgerFormat, QueryParameter(name="format", description="The tool that is to read it.")]
DatesQuery = Annotated[
    DatesOf,
    QueryParameter(description="The days of entries: the campaign's, or when they were recorded, in UTC."),
]


def saved_ledger(file: LedgerFile) -> Stream:
    """A ledger as a file of its name."""
    return saved_file(file.pieces, file.name, file.media_type)
