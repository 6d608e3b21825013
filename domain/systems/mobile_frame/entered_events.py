"""What was hidden comes into play: each event tells how it is now, and nobody can take it back."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.systems.mobile_frame.event_types import Fact
from domain.systems.mobile_frame.state import Cover, Frame


class FrameEntered(Fact, frozen=True, tag="mobile_frame.frame_entered"):
    """A frame that was hidden is seen from here on, as it is now; in a battle it has its turn, and counts."""

    undoable: ClassVar[bool] = False
    frame: Frame
    anew: bool | UnsetType = UNSET


class CoverEntered(Fact, frozen=True, tag="mobile_frame.cover_entered"):
    """Cover that was hidden is seen from here on, as it is now."""

    undoable: ClassVar[bool] = False
    cover: Cover
    anew: bool | UnsetType = UNSET


Entered = FrameEntered | CoverEntered
"""What was hidden comes into play."""
