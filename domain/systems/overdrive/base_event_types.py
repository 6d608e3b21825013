"""The base types of this system's events."""

from typing import ClassVar

from msgspec import Struct

from domain.dice import Origin


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `added_later` are fields that older events of its kind lack: comparisons with re-decided ones ignore them.
    `drawn` are amounts that are taken from what is there: where an undo would leave less to take, the action
    depends on what is undone. `verdict` are fields that say what is settled for good, such as who is out: where an
    undo would settle it otherwise, the action depends on it, too.
    """

    kind_version: ClassVar[int] = 1
    added_later: ClassVar[tuple[str, ...]] = ()
    drawn: ClassVar[tuple[str, ...]] = ()
    verdict: ClassVar[tuple[str, ...]] = ()


class RolledDie(Struct, frozen=True):
    """A die of a roll. `wave` is 0 for the pool, one more for each chain of ones; `value` is its face."""

    wave: int
    value: int
    success: bool
    sides: int
    origin: Origin
    proof: str
