"""Builders: the commands that make a character together, and characters to start with.

A builder describes the commands of its rule system; it decides nothing. The rules refuse what they refuse anyway.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from domain.sentences import Part

NAME: Final = "name"
"""The field with the name of the thing that a step makes."""
Draft: TypeAlias = Sequence[Mapping[str, Any]]
"""The commands of a builder in order, as plain data with sentences for texts: whole ones, or as far as they go."""


class Counter(Struct, frozen=True):
    """Something that may be taken several times: a grade of an attribute, a system of a frame."""

    fields: Mapping[str, Any]
    """Those of a command that takes it once; of a list in one command, the value under the list's name."""
    most: int
    title: Part = ""
    """Empty: the title of the value in the list."""
    levels: tuple[str, ...] = ()
    """Its value where it is taken not at all, once, and so on, in the rulebook's signs."""


class CounterGroup(Struct, frozen=True):
    """Counters that share an amount."""

    title: Part
    counters: tuple[Counter, ...]
    total: int


class Step(Struct, frozen=True, kw_only=True):
    """A command of a builder, or one that is given once for each thing counted."""

    kind: type[Struct]
    title: Part
    fixed_fields: Mapping[str, Any] = {}
    """Fields that have one value only."""
    who: str = ""
    """The field that names the character of the first step."""
    is_optional: bool = False
    """It is given only where it has a name."""
    gm_only: frozenset[str] = frozenset()
    """Fields that only GMs fill in."""
    left_out: frozenset[str] = frozenset()
    """Fields that are not asked for."""
    rare: frozenset[str] = frozenset()
    """Fields that are seldom filled in."""
    fields_of_refusals: Mapping[str, str] = {}
    """The field that a refusal is about, by its code."""
    list_field: str = ""
    """The list that takes the things that are counted; empty: each is a command of its own."""
    groups: Callable[[Any, Any], Iterable[CounterGroup]] | None = None
    """The things that are counted, by the state and the settings of the system."""


class Preset(Struct, frozen=True):
    """A ready-made character."""

    key: str
    title: Part
    commands: Draft


class Builder(Struct, frozen=True, kw_only=True):
    """How a rule system's characters are made on one page, as one action.

    The functions know the state of the system as the reader does.
    """

    title: Part
    steps: tuple[Step, ...]
    presets: Callable[[Any, Any], Iterable[Preset]]
    """The characters to start with, by the state and the settings of the system."""
    originals: Callable[[Any], Mapping[str, str]]
    """The names of those that can be copied, by their ids."""
    copy: Callable[[Any, Any, str], Draft]
    """The commands that make another one like this: by the state, the settings and its id."""


def command(kind: type[Struct], /, **fields: Any) -> dict[str, Any]:
    """A command as plain data."""
    return {"type": str(kind.__struct_config__.tag), **fields}
