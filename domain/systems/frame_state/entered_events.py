"""What was hidden comes into play: each event tells how it is now, and nobody can take it back."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.systems.frame_state.event_types import Fact
from domain.systems.frame_state.state import Frame, Pilot, Unit


class PilotEntered(Fact, frozen=True, tag="frame_state.pilot_entered"):
    """A pilot who was hidden is seen from here on, as they are now, with their frames."""

    undoable: ClassVar[bool] = False
    pilot: Pilot
    frames: list[Frame]
    anew: bool | UnsetType = UNSET


class FrameEntered(Fact, frozen=True, tag="frame_state.frame_entered"):
    """A frame that was hidden is seen from here on, as it is now."""

    undoable: ClassVar[bool] = False
    frame: Frame
    anew: bool | UnsetType = UNSET


class UnitEntered(Fact, frozen=True, tag="frame_state.unit_entered"):
    """An NPC that was hidden is seen from here on."""

    undoable: ClassVar[bool] = False
    unit: Unit
    anew: bool | UnsetType = UNSET


Entered = PilotEntered | FrameEntered | UnitEntered
"""What was hidden comes into play."""
