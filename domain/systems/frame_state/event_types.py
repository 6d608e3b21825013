"""The shape of every event of Frame State."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `added_later` are fields that older events of its kind do without: no old command goes otherwise by them.
    """

    kind_version: ClassVar[int] = 1
    added_later: ClassVar[tuple[str, ...]] = ()
