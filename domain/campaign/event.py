"""The shape of a campaign event that no rule system follows."""

from typing import ClassVar

from msgspec import Struct


class Event(Struct, frozen=True, tag_field="type", gc=False):
    """A campaign event that no rule system follows.

    `undoable` is False where there is an opposite command instead, or where undoing makes no sense.
    """

    kind_version: ClassVar[int] = 1
    undoable: ClassVar[bool] = True
