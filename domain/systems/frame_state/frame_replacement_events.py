"""Requests of pilots for a new frame (FS-C16)."""

from domain.systems.frame_state.base_event_types import Fact


class FrameReplacementAsked(Fact, frozen=True, tag="frame_state.frame_replacement_asked"):
    """A pilot asks to replace a lost frame; the Handler confirms (FS-C16)."""

    pilot: str
    old: str
    new: str


class FrameReplacementDeclined(Fact, frozen=True, tag="frame_state.frame_replacement_declined"):
    """The Handler declines a pilot's request, or (`back`) the pilot withdraws it (FS-C16)."""

    pilot: str
    old: str
    new: str
    back: bool = False


ReplacementEvent = FrameReplacementAsked | FrameReplacementDeclined
