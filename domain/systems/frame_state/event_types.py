"""The shape of every event of Frame State."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system."""

    kind_version: ClassVar[int] = 1
