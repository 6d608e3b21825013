"""`…/boards`: the boards of a campaign's rule systems."""

from typing import Any

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath
from msgspec import Struct

from domain.ids import SystemId
from projections.boards import BoardEntry, board, boards
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.reading.names_in_answers import names_in


class BoardsPage(Struct, frozen=True):
    """Every board of the campaign's systems."""

    as_of: int
    boards: list[BoardEntry]


class BoardView(Struct, frozen=True):
    """One board: its identity, and beside it the board's own fields, in the form of its rule system.

    `names` are those of the ids on it.
    """

    as_of: int
    system: SystemId
    board: str
    title: str
    names: dict[str, str] = {}


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
        visible: NamedDependency[VisibleCampaign],
        system: FromPath[str],
        board_key: FromPath[str],
    ) -> dict[str, Any]:
        """One board with everything on it. Refuses `board_not_found`."""
        return drawn_board(visible, system, board_key)


def drawn_board(campaign: VisibleCampaign, system: str, key: str) -> dict[str, Any]:
    """One board with everything on it. Refuses `board_not_found`."""
    entry, drawing = board(
        campaign.state, SystemId(system), key, campaign.name, campaign.common, campaign.language
    )
    head = BoardView(campaign.seq, entry.system, entry.board, entry.title, names_in(drawing, campaign))
    return {**msgspec.structs.asdict(head), **msgspec.structs.asdict(drawing)}
