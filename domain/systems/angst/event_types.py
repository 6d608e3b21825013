"""The base type of Angst's events."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `merely_seen` are the fields that no state uses: values that people saw at the time. `added_later` are fields
    that older events of its kind lack: comparisons with re-decided ones ignore them.
    """

    kind_version: ClassVar[int] = 1
    merely_seen: ClassVar[tuple[str, ...]] = ()
    added_later: ClassVar[tuple[str, ...]] = ()
