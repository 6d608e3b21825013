"""Where a sheet on a page leads: to other sheets, and to why its numbers are what they are."""

from collections.abc import Iterable, Mapping
from urllib.parse import quote

from msgspec import UNSET, Struct, UnsetType

from domain.campaign.messages.character_retirement import Fate
from domain.sentences import Sentence, say
from projections.boards import BoardEntry
from projections.campaign.campaign_view import RosterEntry
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
    fate: Sentence | None = None
    """The way in which a character left the story."""


FATES: Mapping[Fate | UnsetType, Sentence] = {"dead": say("Dead"), "gone": say("Gone")}


def in_story_first(entries: Iterable[RosterEntry]) -> list[RosterEntry]:
    """Characters as lists have them: those who left the story stand last."""
    return sorted(entries, key=lambda entry: entry.fate is not UNSET)


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
