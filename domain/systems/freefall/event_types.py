"""What every event of this system is made from."""

from typing import ClassVar, Literal

from msgspec import Struct

from domain.systems.freefall.tables import AttributeName

Attributes = dict[AttributeName, int]
Decider = Literal["players", "gm"]
Purpose = Literal["prerequisite", "mitigation"]


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `added_later` are fields that older events of its kind do without: no old command goes otherwise by them.
    """

    kind_version: ClassVar[int] = 1
    added_later: ClassVar[tuple[str, ...]] = ()
