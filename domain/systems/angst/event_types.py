"""The shape of every event of Angst."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system. `merely_seen` are the fields that only say how things stood, to whoever read it.

    `added_later` are fields that older events of its kind do without: no old command goes otherwise by them.
    """

    kind_version: ClassVar[int] = 1
    merely_seen: ClassVar[tuple[str, ...]] = ()
    added_later: ClassVar[tuple[str, ...]] = ()
