"""The base type of Angst's events."""

from typing import ClassVar

from msgspec import Struct


class Fact(Struct, frozen=True, tag_field="type", gc=False):
    """An event of this system.

    `merely_seen` are the fields that no state uses: values that people saw at the time. `added_later` are fields
    that older events of its kind lack: comparisons with re-decided ones ignore them. `derived` are amounts that
    follow from the state, `verdict` are fields that say what is settled for good, such as who died: where an undo
    would make them others, the action depends on what is undone.
    """

    kind_version: ClassVar[int] = 1
    merely_seen: ClassVar[tuple[str, ...]] = ()
    added_later: ClassVar[tuple[str, ...]] = ()
    derived: ClassVar[tuple[str, ...]] = ()
    verdict: ClassVar[tuple[str, ...]] = ()
