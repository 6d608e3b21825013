"""Boards: how something stands on the table now, for whoever's state they are drawn from.

A system has none, one or several. Adding one is a function that draws it and a line in `BOARDS`.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.ids import SystemId
from domain.rejection import Missing
from domain.systems.angst import ANGST
from domain.systems.frame_state import FRAME_STATE
from domain.systems.freefall import FREEFALL
from domain.systems.mobile_frame import MOBILE_FRAME
from projections.boards import angst, frame_state, freefall, mobile_frame

Draw = Callable[[Any, Callable[[Any], str], Any], Struct]
"""Draws a board from a system's state as its reader may know it, names, and the system's settings."""


class Board(Struct, frozen=True):
    """A board that a system has. Its drawing has no fields called as_of, system, board or title."""

    board: str
    title: str
    draw: Draw


BOARDS: dict[SystemId, tuple[Board, ...]] = {
    ANGST.id: (
        Board("scene", "The scene", angst.scene),
        Board("relationships", "Who stands how to whom", lambda state, name, _: angst.relationships(state, name)),
    ),
    FRAME_STATE.id: (
        Board("mission", "Missions and tests", lambda state, name, _: frame_state.mission(state, name)),
    ),
    FREEFALL.id: (Board("turn", "The turn", freefall.turn),),
    MOBILE_FRAME.id: (Board("battle", "The battle", lambda state, name, _: mobile_frame.battle(state, name)),),
}
"""The boards of which rule system, in the order they are listed to people."""


class BoardEntry(Struct, frozen=True):
    """A board that can be looked at."""

    system: SystemId
    board: str
    title: str


def boards(state: CampaignState) -> list[BoardEntry]:
    """The boards of a campaign's systems."""
    return [
        BoardEntry(system, each.board, each.title) for system in state.systems for each in BOARDS.get(system, ())
    ]


def board(
    state: CampaignState, system: SystemId, key: str, name: Callable[[Any], str]
) -> tuple[BoardEntry, Struct]:
    """A board as it stands now. Refuses `board_not_found`."""
    for each in BOARDS.get(system, ()):
        if each.board == key and system in state.systems:
            drawn = each.draw(state.systems[system], name, settings_of(system, state.changed_settings))
            return BoardEntry(system, each.board, each.title), drawn
    raise Missing("board_not_found", "This campaign has no such board; `…/boards` lists those it has.")
