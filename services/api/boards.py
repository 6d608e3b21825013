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
from services.api.openapi_roles import MEMBERS
from services.queries.campaign_reader import VisibleCampaign
from services.queries.names_in_answers import names_in


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
        seen: NamedDependency[VisibleCampaign],
    ) -> BoardsPage:
        """The boards of the campaign's rule systems; the list may be empty."""
        return BoardsPage(as_of=seen.seq, boards=boards(seen.state, seen.language))

    @get(
        "/{system:str}/{board_key:str}",
        summary="One board",
        operation_class=MEMBERS,
        responses={200: ResponseSpec(BoardView, description="The board", generate_examples=False)},
    )
    async def one(
        self,
        seen: NamedDependency[VisibleCampaign],
        system: FromPath[str],
        board_key: FromPath[str],
    ) -> dict[str, Any]:
        """One board with everything on it. Refuses `board_not_found`."""
        return drawn_board(seen, system, board_key)


def drawn_board(seen: VisibleCampaign, system: str, key: str) -> dict[str, Any]:
    """One board with everything on it. Refuses `board_not_found`."""
    entry, drawn = board(seen.state, SystemId(system), key, seen.name, seen.common, seen.language)
    head = BoardView(seen.seq, entry.system, entry.board, entry.title, names_in(drawn, seen))
    return {**msgspec.structs.asdict(head), **msgspec.structs.asdict(drawn)}
