"""Boards: how something stands on the table now, for whoever's state they are drawn from.

A system has none, one or several. Adding one is a function that draws it and a line in `BOARDS`.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, structs

from domain.campaign.settings import language_of, settings_of
from domain.campaign.state import CampaignState
from domain.ids import SystemId
from domain.rejection import Missing
from domain.sentences import Sentence, say
from domain.systems.angst import ANGST
from domain.systems.frame_state import FRAME_STATE
from domain.systems.freefall import FREEFALL
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.overdrive import OVERDRIVE
from projections.boards import angst, frame_state, freefall, mobile_frame, overdrive
from projections.languages import render

Draw = Callable[[Any, Callable[[Any], str], Any], Struct]
"""Draws a board from a system's state as its reader may know it, names, and the system's settings."""


class Board(Struct, frozen=True):
    """A board that a system has. Its drawing has no fields called as_of, system, board or title."""

    board: str
    title: Sentence
    draw: Draw


BOARDS: dict[SystemId, tuple[Board, ...]] = {
    ANGST.id: (
        Board("scene", say("The scene"), angst.scene),
        Board(
            "relationships", say("Who stands how to whom"), lambda state, name, _: angst.relationships(state, name)
        ),
    ),
    FRAME_STATE.id: (
        Board("mission", say("Missions and tests"), lambda state, name, _: frame_state.mission(state, name)),
    ),
    FREEFALL.id: (Board("turn", say("The turn"), freefall.turn),),
    MOBILE_FRAME.id: (
        Board("battle", say("The battle"), lambda state, name, _: mobile_frame.battle(state, name)),
    ),
    OVERDRIVE.id: (Board("fight", say("The fight"), overdrive.fight),),
}
"""The boards of which rule system, in the order they are listed to people."""


class BoardEntry(Struct, frozen=True):
    """A board that can be looked at."""

    system: SystemId
    board: str
    title: str


def boards(state: CampaignState) -> list[BoardEntry]:
    """The boards of a campaign's systems."""
    return [_entry(state, system, each) for system in state.systems for each in BOARDS.get(system, ())]


def board(
    state: CampaignState, system: SystemId, key: str, name: Callable[[Any], str]
) -> tuple[BoardEntry, Struct]:
    """A board as it stands now; sentences at its top are in the campaign's language. Refuses `board_not_found`."""
    for each in BOARDS.get(system, ()):
        if each.board == key and system in state.systems:
            drawn = each.draw(state.systems[system], name, settings_of(system, state.changed_settings))
            return _entry(state, system, each), _told(drawn, language_of(state.changed_settings))
    nowhere = say("This campaign has no such board; `…/boards` lists those it has.")
    raise Missing("board_not_found", render(nowhere, language_of(state.changed_settings)))


def _entry(state: CampaignState, system: SystemId, each: Board) -> BoardEntry:
    return BoardEntry(system, each.board, render(each.title, language_of(state.changed_settings)))


def _told(drawn: Struct, language: str) -> Struct:
    """The drawing with its own sentences, alone or in lists, as text."""
    changed: dict[str, Any] = {}
    for field, value in structs.asdict(drawn).items():
        if isinstance(value, Sentence):
            changed[field] = render(value, language)
        elif isinstance(value, list) and any(isinstance(each, Sentence) for each in value):
            changed[field] = [render(each, language) for each in value]
    return structs.replace(drawn, **changed)
