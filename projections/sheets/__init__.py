"""A character's sheet, in the shape of its rule system."""

from collections.abc import Callable
from typing import Any

from domain.ids import CharacterId, SystemId
from domain.systems.angst import ANGST
from domain.systems.frame_state import FRAME_STATE
from domain.systems.freefall import FREEFALL
from domain.systems.overdrive import OVERDRIVE
from projections.sheets import angst, frame_state, freefall, overdrive

SHEETS: dict[SystemId, Callable[[Any, CharacterId], Any]] = {
    FRAME_STATE.id: frame_state.sheet,
    FREEFALL.id: freefall.sheet,
    ANGST.id: angst.sheet,
    OVERDRIVE.id: overdrive.sheet,
}
"""Who draws the sheets of which rule system."""


def sheet(system: SystemId, state: Any, character: CharacterId) -> Any:
    """The sheet of a character that is there."""
    return SHEETS[system](state, character)
