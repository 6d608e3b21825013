"""Events of hidden things that enter play: each tells how a thing is now; they cannot be undone."""

from typing import ClassVar

from msgspec import UNSET, UnsetType

from domain.systems.mobile_frame.base_event_types import Fact
from domain.systems.mobile_frame.state import Cover, Frame


class FrameEntered(Fact, frozen=True, tag="mobile_frame.frame_entered"):
    """A hidden frame enters play as it is now; in a battle it has its turn, and counts."""

    undoable: ClassVar[bool] = False
    frame: Frame
    anew: bool | UnsetType = UNSET


class CoverEntered(Fact, frozen=True, tag="mobile_frame.cover_entered"):
    """A hidden cover enters play as it is now."""

    undoable: ClassVar[bool] = False
    cover: Cover
    anew: bool | UnsetType = UNSET


EntranceEvent = FrameEntered | CoverEntered
"""The events of things that enter play."""
