"""The base types of this system's events."""

from typing import ClassVar

from msgspec import Struct

from domain.dice import Origin


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `added_later` are fields that older events of its kind lack: comparisons with re-decided ones ignore them.
    """

    kind_version: ClassVar[int] = 1
    added_later: ClassVar[tuple[str, ...]] = ()


class RolledDie(Struct, frozen=True):
    """A die of a roll. `wave` is 0 for the pool, one more for each chain of ones; `value` is its face."""

    wave: int
    value: int
    success: bool
    sides: int
    origin: Origin
    proof: str
