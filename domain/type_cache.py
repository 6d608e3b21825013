"""What is worked out of a type once, and looked up from then on."""

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

Known = TypeVar("Known")


def once_per_kind(work_out: Callable[[type[Struct]], Known]) -> Callable[[type], Known]:
    """`functools.cache` for a function of a type, several times as fast: every event ever folded comes by here."""

    class Kinds(dict[type, Known]):
        def __missing__(self, kind: type) -> Known:
            self[kind] = known = work_out(kind)
            return known

    return Kinds().__getitem__
