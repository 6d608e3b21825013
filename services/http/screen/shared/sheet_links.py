"""Where a sheet on a page leads: to other sheets, and to why its numbers are what they are."""

from collections.abc import Mapping
from urllib.parse import quote

from msgspec import Struct


class SheetLink(Struct, frozen=True):
    """The way to a sheet; `player` is who plays it, `game` the rule system, and `is_here`: it is the one shown."""

    path: str
    name: str
    player: str = ""
    game: str = ""
    is_here: bool = False


class SheetLinks(Struct, frozen=True):
    """Addresses: `paths` those of sheets by whose they are, `explains` what those of values begin with.

    `before` is what values were at another moment, by their paths on the sheet, where they differ.
    """

    paths: Mapping[str, str]
    explains: str = ""
    before: Mapping[str, str] = {}

    def why(self, path: str) -> str:
        """The address that says why a value is what it is, by its path on the sheet."""
        return self.explains + quote(path, safe="")


def explained_at(sheet: str, at: int | None = None) -> str:
    """The beginning of the addresses of a sheet's values; `at` is the seq it is read at, if that is not now."""
    return f"{sheet}/why?{'' if at is None else f'at={at}&'}path="
