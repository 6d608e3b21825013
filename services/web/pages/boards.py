"""`/c/{campaign}/boards`: every board of a campaign, drawn, with the same as tables beside it."""

from typing import Any, ClassVar

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from markupsafe import Markup
from msgspec import Struct

from domain.ids import SystemId
from domain.sentences import Sentence, say
from projections.boards import BoardEntry, board, boards
from projections.drawings import DRAWINGS
from projections.drawings.board_parts import Table, Words
from services.api.paths import AtQuery, campaign_of, moment_of
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.names_in_answers import names_in
from services.runtime.reader_language import reader_language
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, frame_of, read_paths
from services.web.visitor import Visitor


class DrawnBoard(Struct, frozen=True):
    """A board: its heading, its drawing (empty where there is nothing to draw), a sentence, and its tables."""

    key: str
    system: SystemId
    heading: str
    drawing: Markup
    told: str
    tables: list[Table]


class BoardsOfCampaign(CampaignPage, frozen=True):
    """The boards of a campaign as one member sees them."""

    template: ClassVar[str] = "boards.html"
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
    at: AtQuery = None,
) -> Response[bytes]:
    """The boards as they stand now, or as they stood at a moment."""
    account = visitor.signed_in.account_id
    seen = await application.campaigns.see(campaign_of(campaign), account, moment_of(at), visitor.reads_as)
    drawn = [drawn_board(seen, each) for each in boards(seen.state, reader_language() or seen.language)]
    page = BoardsOfCampaign(**frame_of(seen), boards=drawn)
    return shown(request, visitor, page)


def drawn_board(seen: VisibleCampaign, entry: BoardEntry) -> DrawnBoard:
    """A board as its reader sees it, in words and as a drawing."""
    language = reader_language() or seen.language
    _, view = board(seen.state, entry.system, entry.board, seen.name, seen.common, language)
    found = DRAWINGS[type(view)](view, Words(language, names_in(view, seen)))
    key = f"{entry.system}-{entry.board}".replace("_", "-")
    return DrawnBoard(key, entry.system, entry.title, Markup(found.svg), found.told, found.tables)  # noqa: S704 — escaped where it is drawn
