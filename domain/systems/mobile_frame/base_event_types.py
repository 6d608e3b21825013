"""The base type of Mobile Frame's events."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `added_later` are fields that older events of its kind lack: comparisons with re-decided ones ignore them.
    `verdict` are fields that say what is settled for good, such as a winner: where an undo would settle it
    otherwise, the action depends on what is undone.
    """

    kind_version: ClassVar[int] = 1
    added_later: ClassVar[tuple[str, ...]] = ()
    verdict: ClassVar[tuple[str, ...]] = ()
