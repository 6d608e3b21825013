"""`/c/{campaign}/boards`: every board of a campaign, drawn, with the same as tables beside it."""

import re
from collections.abc import Mapping, Sequence
from html import escape, unescape
from itertools import takewhile
from typing import Any, ClassVar

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response
from markupsafe import Markup
from msgspec import Struct

from domain.ids import SystemId
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from projections.boards import BoardEntry, board, boards, drawing
from projections.campaign.campaign_view import roster
from projections.campaign.diff import NOTHING, steps_of, value_at
from projections.drawings.board_parts import Figure, parts_of
from projections.drawings.canvas import THING
from projections.things_on_sheets import things_on_sheet
from projections.titles import words_in
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.campaign_page import CampaignPage, frame_of, watched_paths
from services.http.screen.shared.first_steps import FirstStep, FirstSteps, builders, first_steps
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.sheet_links import SheetLinks, board_path, explained_at
from services.http.screen.shared.time_line import reading
from services.http.screen.shared.visitor import Visit
from services.reading.names_in_answers import names_in
from services.runtime.reader_language import reader_language


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
    first: FirstSteps | None
    """The steps to take first, where there is no character yet."""
    builders: list[FirstStep]
    """The pages on which a GM sets up what is not there yet."""

    @property
    def title(self) -> Sentence:
        """The page's title: the campaign's boards."""
        return say("Boards of {campaign}", campaign=self.name)


@get(watched_paths("/boards"))
async def boards_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The boards as they stand now, or as they stood at a moment."""
    moment = await reading(visit)
    visible, at = moment.campaign, moment.campaign.seq if moment.time.is_past else None
    drawings = [
        drawn_board(visible, entry, at) for entry in boards(visible.state, reader_language() or visible.language)
    ]
    page = BoardsOfCampaign(
        **frame_of(moment.now),
        time=moment.time,
        boards=drawings,
        first=None
        if moment.time.is_past or not _is_bare(visible, drawings)
        else await first_steps(visit.application, visible, "/boards"),
        builders=[] if moment.time.is_past else builders(visible, "/boards", "fight"),
    )
    return show_page(visit, page)


def _is_bare(campaign: VisibleCampaign, drawings: Sequence[DrawnBoard]) -> bool:
    """Whether boards have no character to show or, in games without characters, nothing at all."""
    if any(SYSTEMS[system].makes_characters for system in campaign.state.systems):
        return not roster(campaign.state, campaign.name)
    return not any(drawn.drawing for drawn in drawings)


def drawn_board(campaign: VisibleCampaign, entry: BoardEntry, at: int | None = None) -> DrawnBoard:
    """A board as its reader sees it, in words and as a drawing; `at` is the seq of a past moment."""
    language = reader_language() or campaign.language
    _, view = board(campaign.state, entry.system, entry.board, campaign.name, campaign.common, language)
    picture = drawing(entry, view, words_in(language, names_in(view, campaign)))
    key = f"{entry.system}-{entry.board}".replace("_", "-")
    links = SheetLinks({}, explained_at(board_path(campaign, entry), at))
    plain = msgspec.to_builtins(view) if picture.tables else {}
    places = {str(thing.value): thing.path for thing in reversed(things_on_sheet(view)) if thing.has_id}
    return DrawnBoard(
        key,
        entry.system,
        entry.title,
        Markup(_leading(picture.svg, places, links)),  # noqa: S704 — escaped where it is drawn
        picture.sentence,
        [
            BoardTable(table.caption, table.header, [_row(row, plain, links) for row in table.rows])
            for table in picture.tables
        ],
    )


def _leading(svg: str, places: Mapping[str, str], links: SheetLinks) -> str:
    """A drawing whose links to things have their addresses, but for things that stand nowhere on the board."""

    def attributes(link: re.Match[str]) -> str:
        place = places.get(unescape(link[1]))
        return link[0] if place is None else f'{THING}="{link[1]}" href="{escape(links.why(place))}"'

    return re.sub(f'{THING}="([^"]*)" tabindex="0" role="img"', attributes, svg)


def _row(row: list[str], view: Any, links: SheetLinks) -> list[list[CellPart]]:
    """The cells of a row. Its first, which says what it is about, leads to the thing that its figures are of."""
    cells = [_cell(text, view, links) for text in row]
    figures = (part for text in row for part in parts_of(text) if isinstance(part, Figure))
    levels = zip(*(steps_of(figure.path)[:-1] for figure in figures), strict=False)
    steps = [level[0] for level in takewhile(lambda level: len({*level}) == 1, levels)]
    place = "".join(f"[{step}]" for step in steps)
    if len(steps) > 1 and not any(part.why for part in cells[0]) and isinstance(value_at(view, place), dict):
        cells[0] = [CellPart(str(row[0]), links.why(place))]
    return cells


def _cell(text: str, view: Any, links: SheetLinks) -> list[CellPart]:
    """The parts of a text, each with its address if its value can be found: things that are alike have none."""
    return [_part(part, view, links) for part in parts_of(text)]


def _part(text: str, view: Any, links: SheetLinks) -> CellPart:
    if not text or not isinstance(text, Figure) or value_at(view, text.path) is NOTHING:
        return CellPart(text)
    return CellPart(text, links.why(text.path))
