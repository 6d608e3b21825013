"""Boards drawn by hand: SVG from a typed view, and the same as tables."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from projections.drawings import (
    angst_relationships,
    angst_scene,
    frame_state_mission,
    freefall_turn,
    mobile_frame_battle,
    overdrive_fight,
    overdrive_story,
)
from projections.drawings.board_parts import Drawing, Words
from projections.systems.angst.boards import RelationshipWeb, SceneBoard
from projections.systems.frame_state.boards import MissionBoard
from projections.systems.freefall.boards import TurnBoard
from projections.systems.mobile_frame.boards import BattleView
from projections.systems.overdrive.boards import FightBoard
from projections.systems.overdrive.story_board import StoryBoard

DRAWINGS: Final[Mapping[type[Struct], Callable[[Any, Words], Drawing]]] = {
    BattleView: mobile_frame_battle.draw,
    FightBoard: overdrive_fight.draw,
    MissionBoard: frame_state_mission.draw,
    RelationshipWeb: angst_relationships.draw,
    SceneBoard: angst_scene.draw,
    StoryBoard: overdrive_story.draw,
    TurnBoard: freefall_turn.draw,
}
"""How each board is drawn, by the type of its view."""
