"""An answer that a browser saves as a file."""

from collections.abc import AsyncIterator

from litestar.response import Stream


def csv_file(lines: AsyncIterator[bytes], name: str) -> Stream:
    """Lines of comma-separated values, as a file of that name."""
    return saved_file(lines, name, "text/csv")


def saved_file(pieces: AsyncIterator[bytes], name: str, media_type: str) -> Stream:
    """Text in pieces, as a file of that name."""
    return Stream(pieces, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})
