"""`/c/{campaign}/boards`: every board of a campaign, drawn, with the same as tables beside it."""

from typing import Any, ClassVar

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from markupsafe import Markup
from msgspec import Struct

from domain.ids import SystemId
from domain.sentences import Sentence, say
from projections.boards import BoardEntry, board, boards, drawing
from projections.campaign.diff import NOTHING, value_at
from projections.drawings.board_parts import Figure, parts_of
from projections.words import words_in
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.names_in_answers import names_in
from services.runtime.reader_language import reader_language
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.sheet_links import SheetLinks, explained_at
from services.web.time_line import reading
from services.web.visitor import Visitor


class CellPart(Struct, frozen=True):
    """A text of a cell; `why` is the address that says why it is so, empty where none can."""

    text: str
    why: str = ""


class BoardTable(Struct, frozen=True):
    """A table of a board: the first cell of a row says what it is about."""

    caption: str
    header: list[str]
    rows: list[list[list[CellPart]]]


class DrawnBoard(Struct, frozen=True):
    """A board: its heading, its drawing (empty where there is nothing to draw), a sentence, and its tables."""

    key: str
    system: SystemId
    heading: str
    drawing: Markup
    told: str
    tables: list[BoardTable]


class BoardsOfCampaign(CampaignPage, frozen=True):
    """The boards of a campaign as one member sees them."""

    template: ClassVar[str] = "boards.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "boards"
    boards: list[DrawnBoard]

    @property
    def title(self) -> Sentence:
        """Whose boards these are."""
        return say("Boards of {campaign}", campaign=self.name)


@get(read_paths("/boards"))
async def boards_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """The boards as they stand now, or as they stood at a moment."""
    read = await reading(application, request, visitor, campaign)
    seen, at = read.seen, read.seen.seq if read.time.is_past else None
    drawn = [drawn_board(seen, each, at) for each in boards(seen.state, reader_language() or seen.language)]
    page = BoardsOfCampaign(**frame_of(read.now), time=read.time, boards=drawn)
    return shown(request, visitor, page)


def drawn_board(seen: VisibleCampaign, entry: BoardEntry, at: int | None = None) -> DrawnBoard:
    """A board as its reader sees it, in words and as a drawing; `at` is the seq of a past moment."""
    language = reader_language() or seen.language
    _, view = board(seen.state, entry.system, entry.board, seen.name, seen.common, language)
    found = drawing(entry, view, words_in(language, names_in(view, seen)))
    key = f"{entry.system}-{entry.board}".replace("_", "-")
    links = SheetLinks({}, explained_at(board_path(seen, entry), at))
    plain = msgspec.to_builtins(view) if found.tables else {}
    return DrawnBoard(
        key,
        entry.system,
        entry.title,
        Markup(found.svg),  # noqa: S704 — escaped where it is drawn
        found.told,
        [
            BoardTable(
                each.caption, each.header, [[_cell(text, plain, links) for text in row] for row in each.rows]
            )
            for each in found.tables
        ],
    )


def board_path(seen: VisibleCampaign, entry: BoardEntry) -> str:
    """What the addresses about a board begin with."""
    return f"{campaign_path(seen)}/boards/{entry.system}/{entry.board}"


def _cell(text: str, view: Any, links: SheetLinks) -> list[CellPart]:
    """The parts of a text, each with its address if its value can be found: things that are alike have none."""
    return [_part(each, view, links) for each in parts_of(text)]


def _part(text: str, view: Any, links: SheetLinks) -> CellPart:
    if not text or not isinstance(text, Figure) or value_at(view, text.path) is NOTHING:
        return CellPart(text)
    return CellPart(text, links.why(text.path))
