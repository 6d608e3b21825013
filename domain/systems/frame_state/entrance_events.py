"""Events of hidden things that enter play: each tells how a thing is now; they cannot be undone."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.systems.frame_state.base_event_types import Fact
from domain.systems.frame_state.state import Frame, Pilot, Unit


class PilotEntered(Fact, frozen=True, tag="frame_state.pilot_entered"):
    """A hidden pilot enters play as they are now, with their frames."""

    undoable: ClassVar[bool] = False
    pilot: Pilot
    frames: list[Frame]
    anew: bool | UnsetType = UNSET


class FrameEntered(Fact, frozen=True, tag="frame_state.frame_entered"):
    """A hidden frame enters play as it is now."""

    undoable: ClassVar[bool] = False
    frame: Frame
    anew: bool | UnsetType = UNSET


class UnitEntered(Fact, frozen=True, tag="frame_state.unit_entered"):
    """A hidden NPC enters play."""

    undoable: ClassVar[bool] = False
    unit: Unit
    anew: bool | UnsetType = UNSET


EntranceEvent = PilotEntered | FrameEntered | UnitEntered
"""The events of things that enter play."""
