"""Boards: how something stands on the table now, for whoever's state they are drawn from.

A system has none, one or several. Adding one is a function that draws it and a line in `BOARDS`.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, structs

from domain.campaign.lifecycle.membership import players_of
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
from projections.boards import (
    angst,
    angst_waiting,
    frame_state,
    frame_state_waiting,
    freefall,
    freefall_waiting,
    mobile_frame,
    overdrive,
    overdrive_story,
    overdrive_waiting,
)
from projections.boards.awaited import Able, Name, WaitingFor
from projections.languages import render

Draw = Callable[[Any, Name, Any, Able], Struct]
"""Draws a board from a system's state as its reader may know it, names, the system's settings, and who may act."""


class Board(Struct, frozen=True):
    """A board that a system has. Its drawing has no fields called as_of, system, board or title."""

    board: str
    title: Sentence
    draw: Draw


BOARDS: dict[SystemId, tuple[Board, ...]] = {
    ANGST.id: (
        Board("scene", say("The scene"), angst.scene),
        Board("relationships", say("Relationships"), angst.relationships),
    ),
    FRAME_STATE.id: (Board("mission", say("Missions and tests"), frame_state.mission),),
    FREEFALL.id: (Board("turn", say("The turn"), freefall.turn),),
    MOBILE_FRAME.id: (Board("battle", say("The battle"), mobile_frame.battle),),
    OVERDRIVE.id: (
        Board("fight", say("The fight"), overdrive.fight),
        Board("story", say("The story"), overdrive_story.story),
    ),
}
"""The boards of which rule system, in the order they are listed to people."""


WAITS_FOR: dict[SystemId, tuple[Callable[[Any, Name, Any, Able], list[WaitingFor]], ...]] = {
    ANGST.id: (angst_waiting.waits_for,),
    FRAME_STATE.id: (frame_state_waiting.waits_for,),
    FREEFALL.id: (freefall_waiting.waits_for,),
    MOBILE_FRAME.id: (mobile_frame.waits_for,),
    OVERDRIVE.id: (overdrive_waiting.fight_waits_for, overdrive_waiting.story_waits_for),
}
"""What a system's boards say that the table waits for, without the rest of them."""


class BoardEntry(Struct, frozen=True):
    """A board that can be looked at."""

    system: SystemId
    board: str
    title: str


def boards(state: CampaignState) -> list[BoardEntry]:
    """The boards of a campaign's systems."""
    return [_entry(state, system, each) for system in state.systems for each in BOARDS.get(system, ())]


def board(state: CampaignState, system: SystemId, key: str, name: Name) -> tuple[BoardEntry, Struct]:
    """A board as it stands now, its sentences in the campaign's language. Refuses `board_not_found`."""
    for each in BOARDS.get(system, ()):
        if each.board == key and system in state.systems:
            settings = settings_of(system, state.changed_settings)
            drawn = each.draw(state.systems[system], name, settings, players_of(state))
            if state.archived_at is not None and "waits_for" in drawn.__struct_fields__:
                drawn = structs.replace(drawn, waits_for=[])  # nobody may answer
            return _entry(state, system, each), _told(drawn, language_of(state.changed_settings))
    nowhere = say("This campaign does not have that board; `…/boards` lists those it has.")
    raise Missing("board_not_found", render(nowhere, language_of(state.changed_settings)))


def _entry(state: CampaignState, system: SystemId, each: Board) -> BoardEntry:
    return BoardEntry(system, each.board, render(each.title, language_of(state.changed_settings)))


def _told(drawn: Any, language: str) -> Any:
    """A drawing, or a part of it, with its own sentences as text."""
    match drawn:
        case Sentence():
            return render(drawn, language)
        case Struct():
            told = {field: _told(getattr(drawn, field), language) for field in drawn.__struct_fields__}
            changed = {field: value for field, value in told.items() if value is not getattr(drawn, field)}
            return structs.replace(drawn, **changed) if changed else drawn
        case list():
            return [_told(each, language) for each in drawn]
        case _:
            return drawn
