"""The base type of Frame State's events."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `added_later` are fields that older events of its kind lack: comparisons with re-decided ones ignore them.
    """

    kind_version: ClassVar[int] = 1
    added_later: ClassVar[tuple[str, ...]] = ()
