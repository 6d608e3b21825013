"""`…/boards`: how something stands on the table now."""

from typing import Any

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath
from msgspec import Struct

from domain.ids import SystemId
from projections.boards import BoardEntry, board, boards
from services.accounts.authentication import Principal
from services.api.openapi_roles import MEMBERS
from services.api.paths import AtQuery, campaign_of, moment_of
from services.application import Application


class BoardsPage(Struct, frozen=True):
    """Every board of the campaign's systems."""

    as_of: int
    boards: list[BoardEntry]


class BoardView(Struct, frozen=True):
    """One board: what is here, and beside it what the board shows, in the shape of its rule system."""

    as_of: int
    system: SystemId
    board: str
    title: str


class BoardsController(Controller):
    """Boards as they stand now, as their reader may see them."""

    path = "/api/campaigns/{campaign_id:str}/boards"
    tags = ("boards",)

    @get("", summary="All boards", operation_class=MEMBERS)
    async def all(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        at: AtQuery = None,
    ) -> BoardsPage:
        """Which boards there are to look at; none, where the systems have none."""
        seen = await application.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        return BoardsPage(as_of=seen.seq, boards=boards(seen.state))

    @get(
        "/{system:str}/{board_key:str}",
        summary="One board",
        operation_class=MEMBERS,
        responses={200: ResponseSpec(BoardView, description="The board", generate_examples=False)},
    )
    async def one(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        system: FromPath[str],
        board_key: FromPath[str],
        at: AtQuery = None,
    ) -> dict[str, Any]:
        """A board with everything on it. Refuses `board_not_found`."""
        seen = await application.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        entry, drawn = board(seen.state, SystemId(system), board_key, seen.name, seen.common)
        head = BoardView(seen.seq, entry.system, entry.board, entry.title)
        return {**msgspec.structs.asdict(head), **msgspec.structs.asdict(drawn)}
