"""`…/boards`: the boards of a campaign's rule systems."""

from typing import Any

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath
from msgspec import Struct, structs

from domain.ids import SystemId
from projections.boards import BoardEntry, board, boards
from projections.command_forms import Act
from projections.things_on_sheets import things_on_board
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.http.route_parameters import ActsQuery, AtQuery
from services.reading.names_in_answers import names_in


class BoardsPage(Struct, frozen=True):
    """Every board of the campaign's systems."""

    as_of: int
    boards: list[BoardEntry]


class BoardView(Struct, frozen=True):
    """One board: its identity, and beside it the board's own fields, in the form of its rule system.

    `names` are those of the ids on it. `acts` are the commands that you may give now about a piece of it, by the
    piece's id, or by the path of its value as `…/why` takes it where it has none: empty for the past, and within
    other answers.
    """

    as_of: int
    system: SystemId
    board: str
    title: str
    names: dict[str, str] = {}
    acts: dict[str, list[Act]] = {}


class BoardsController(Controller):
    """Boards as they stand now, as the reader may see them."""

    path = "/api/campaigns/{campaign_id:str}/boards"
    tags = ("boards",)

    @get("", summary="All boards", operation_class=MEMBERS)
    async def all(
        self,
        visible: NamedDependency[VisibleCampaign],
    ) -> BoardsPage:
        """The boards of the campaign's rule systems; the list may be empty."""
        return BoardsPage(as_of=visible.seq, boards=boards(visible.state, visible.language))

    @get(
        "/{system:str}/{board_key:str}",
        summary="One board",
        operation_class=MEMBERS,
        responses={200: ResponseSpec(BoardView, description="The board", generate_examples=False)},
    )
    async def one(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        system: FromPath[str],
        board_key: FromPath[str],
        at: AtQuery = None,
        with_acts: ActsQuery = True,
    ) -> dict[str, Any]:
        """One board with everything on it. Refuses `board_not_found`."""
        head, contents = board_with_head(visible, system, board_key)
        if at is None and with_acts:
            acts = await application.possible.acts(visible, things_on_board(contents))
            head = structs.replace(head, acts=acts)
        return {**structs.asdict(head), **structs.asdict(contents)}


def drawn_board(campaign: VisibleCampaign, system: str, key: str) -> dict[str, Any]:
    """One board with everything on it, but for its acts. Refuses `board_not_found`."""
    head, contents = board_with_head(campaign, system, key)
    return {**structs.asdict(head), **structs.asdict(contents)}


def board_with_head(campaign: VisibleCampaign, system: str, key: str) -> tuple[BoardView, Struct]:
    """A board's identity, and what stands on it. Refuses `board_not_found`."""
    entry, contents = board(
        campaign.state, SystemId(system), key, campaign.name, campaign.common, campaign.language
    )
    names = names_in(contents, campaign)
    return BoardView(campaign.seq, entry.system, entry.board, entry.title, names), contents
