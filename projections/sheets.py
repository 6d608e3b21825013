"""A character's sheet, in the shape of its rule system."""

from typing import Any

from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.ids import CharacterId, SystemId
from projections.systems import SYSTEM_VIEWS


def sheet(state: CampaignState, system: SystemId, character: CharacterId) -> Any:
    """The sheet of an existing character, under the table's settings."""
    draw = SYSTEM_VIEWS[system].sheet
    if draw is None:
        raise KeyError(system)
    return draw(state.systems[system], character, settings_of(system, state.changed_settings))
