"""Dates as accountants' tools read them: of twelve months, as long as those of Earth."""

from calendar import monthrange
from typing import NamedTuple

MONTHS = 12
LEAP_CYCLE = 400
"""After so many years the lengths of months repeat."""


class EntryDate(NamedTuple):
    """A year, a month and a day, both from 1 where the calendar is like that of Earth; they sort by time."""

    year: int
    month: int
    day: int

    @property
    def text(self) -> str:
        """As `2187-03-01`."""
        return f"{self.year:04}-{self.month:02}-{self.day:02}"

    @property
    def is_like_earths(self) -> bool:
        """Whether the calendar of Earth has such a day, in whatever year."""
        if not 1 <= self.month <= MONTHS:
            return False
        return 1 <= self.day <= monthrange(LEAP_CYCLE + self.year % LEAP_CYCLE, self.month)[1]

    @property
    def following(self) -> "EntryDate":
        """The next day, in the calendar of Earth."""
        if EntryDate(self.year, self.month, self.day + 1).is_like_earths:
            return EntryDate(self.year, self.month, self.day + 1)
        if self.month < MONTHS:
            return EntryDate(self.year, self.month + 1, 1)
        return EntryDate(self.year + 1, 1, 1)
