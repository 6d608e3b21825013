"""Where a sheet on a page leads: to other sheets, and to why its numbers are what they are."""

from collections.abc import Mapping
from urllib.parse import quote

from msgspec import Struct

from projections.boards import BoardEntry
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.campaign_page import campaign_path


class SheetLink(Struct, frozen=True):
    """The way to a sheet."""

    path: str
    name: str
    player: str = ""
    """The name of the member who plays it."""
    game: str = ""
    """The rule system."""
    is_here: bool = False
    """It is the one shown."""


class SheetLinks(Struct, frozen=True):
    """The addresses on a sheet."""

    paths: Mapping[str, str]
    """Those of sheets, by their owner."""
    explains: str = ""
    """The beginning of those of values."""
    before: Mapping[str, str] = {}
    """Values at another moment, by their paths on the sheet, where they differ."""

    def why(self, path: str) -> str:
        """The address that says why a value is what it is, by its path on the sheet."""
        return self.explains + quote(path, safe="")


def explained_at(sheet: str, at: int | None = None) -> str:
    """The beginning of the addresses of a sheet's values; `at` is the seq it is read at, if that is not now."""
    return f"{sheet}/why?{'' if at is None else f'at={at}&'}path="


def board_path(campaign: VisibleCampaign, entry: BoardEntry) -> str:
    """The beginning of the addresses about a board."""
    return f"{campaign_path(campaign)}/boards/{entry.system}/{entry.board}"
