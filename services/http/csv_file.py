"""An answer that a browser saves as a table."""

from collections.abc import AsyncIterator

from litestar.response import Stream


def csv_file(lines: AsyncIterator[bytes], name: str) -> Stream:
    """Lines of comma-separated values, as a file of that name."""
    return Stream(lines, media_type="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}"'})
