"""A character's sheet, in the shape of its rule system."""

from collections.abc import Callable
from typing import Any

from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.ids import CharacterId, SystemId
from domain.systems.angst import ANGST
from domain.systems.frame_state import FRAME_STATE
from domain.systems.freefall import FREEFALL
from domain.systems.overdrive import OVERDRIVE
from projections.sheets import angst, frame_state, freefall, overdrive

SHEETS: dict[SystemId, Callable[[Any, CharacterId, Any], Any]] = {
    FRAME_STATE.id: lambda state, who, _: frame_state.sheet(state, who),
    FREEFALL.id: freefall.sheet,
    ANGST.id: angst.sheet,
    OVERDRIVE.id: overdrive.sheet,
}
"""Who draws the sheets of which rule system, from its state and under its settings."""


def sheet(state: CampaignState, system: SystemId, character: CharacterId) -> Any:
    """The sheet of a character that is there, as this table plays."""
    return SHEETS[system](state.systems[system], character, settings_of(system, state.changed_settings))
