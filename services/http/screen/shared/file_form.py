"""A form with a file (`multipart/form-data`), read piece by piece: the file goes where it is kept, fields stay."""

from collections.abc import Callable, Mapping
from email.parser import HeaderParser

BOUNDARY_MAX = 200
HEAD_MAX = 4_096
FIELDS_BYTES_MAX = 65_536
"""The size at most of the fields beside the file."""
PARTS_MAX = 500
"""As many as any form may have fields: each costs time, however small it is."""
HEAD_END = b"\r\n\r\n"


class BrokenForm(Exception):  # noqa: N818 — it states what is the case
    """The request is no such form."""


class FileForm:
    """Reads such a form; the bytes of its first file are passed to `keep`, those of others to nothing.

    Raises `BrokenForm`, and what `keep` raises.
    """

    def __init__(
        self, boundary: str, keep: Callable[[bytes], object], fields_bytes_max: int = FIELDS_BYTES_MAX
    ) -> None:
        if not 0 < len(boundary) <= BOUNDARY_MAX or not boundary.isascii():
            raise BrokenForm
        self._delimiter = f"\r\n--{boundary}".encode("ascii")
        self._keep = keep
        self._fields_bytes_max = fields_bytes_max
        self._rest = b"\r\n"
        self._step: Callable[[], bool] = self._before
        self._fields: dict[str, list[str]] = {}
        self._name = ""
        self._value: bytearray | None = None
        self._parts = 0
        self._files = 0
        self._size = 0

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        self._rest += piece
        while self._step():
            pass

    def fields(self) -> Mapping[str, list[str]]:
        """The entries beside the file, when all of it was taken."""
        if self._step != self._over:
            raise BrokenForm
        return self._fields

    def _before(self) -> bool:
        """Look for the first part."""
        _, delimiter, after = self._rest.partition(self._delimiter)
        self._rest = after if delimiter else self._rest[-len(self._delimiter) :]
        if delimiter:
            self._step = self._head
        return bool(delimiter)

    def _head(self) -> bool:
        """Read what a part is, or that there are no more."""
        if self._rest.startswith(b"--"):
            self._step = self._over
            return True
        head, delimiter, after = self._rest.partition(HEAD_END)
        if len(head) > HEAD_MAX:
            raise BrokenForm
        if not delimiter:
            return False
        self._begin(head)
        self._rest, self._step = after, self._content
        return True

    def _begin(self, head: bytes) -> None:
        self._parts += 1
        if self._parts > PARTS_MAX:
            raise BrokenForm
        try:
            headers = HeaderParser().parsestr(head.decode("utf-8").lstrip("\r\n"))
        except UnicodeDecodeError:
            raise BrokenForm from None
        name, file = (
            headers.get_param(parameter, header="content-disposition") for parameter in ("name", "filename")
        )
        if not isinstance(name, str):
            raise BrokenForm
        self._name = name
        self._value = bytearray() if file is None else None
        self._files += file is not None

    def _content(self) -> bool:
        """Take what a part holds, up to the next one."""
        content, delimiter, after = self._rest.partition(self._delimiter)
        if not delimiter:
            safe = max(0, len(self._rest) - len(self._delimiter) + 1)
            content, after = self._rest[:safe], self._rest[safe:]
        self._rest = after
        if self._value is not None:
            self._add(content)
        elif self._files == 1 and content:
            self._keep(content)
        if delimiter:
            self._end()
            self._step = self._head
        return bool(delimiter)

    def _add(self, content: bytes) -> None:
        assert self._value is not None
        self._size += len(content) + len(self._name)
        if self._size > self._fields_bytes_max:
            raise BrokenForm
        self._value += content

    def _end(self) -> None:
        if self._value is None:
            return
        try:
            self._fields.setdefault(self._name, []).append(self._value.decode("utf-8"))
        except UnicodeDecodeError:
            raise BrokenForm from None

    def _over(self) -> bool:
        self._rest = b""
        return False
