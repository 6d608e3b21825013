"""What pilots ask of the Handler for a lost frame (FS-C16)."""

from domain.systems.frame_state.event_types import Fact


class FrameReplacementAsked(Fact, frozen=True, tag="frame_state.frame_replacement_asked"):
    """A pilot would like to go on in a new frame; the Handler confirms (FS-C16)."""

    pilot: str
    old: str
    new: str


class FrameReplacementDeclined(Fact, frozen=True, tag="frame_state.frame_replacement_declined"):
    """The Handler turned down what a pilot asked for, or (`back`) the pilot no longer asks (FS-C16)."""

    pilot: str
    old: str
    new: str
    back: bool = False


Wish = FrameReplacementAsked | FrameReplacementDeclined
