"""The base type of Frame State's events."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `added_later` are fields that older events of its kind lack: comparisons with re-decided ones ignore them.
    `derived` are amounts that follow from the state, `drawn` those that are taken from what is there: where an
    undo would make them others, or would leave less to take, the action depends on what is undone.
    """

    kind_version: ClassVar[int] = 1
    added_later: ClassVar[tuple[str, ...]] = ()
    derived: ClassVar[tuple[str, ...]] = ()
    drawn: ClassVar[tuple[str, ...]] = ()
