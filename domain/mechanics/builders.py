"""Builders: the commands that make a character, a fight or a catalogue together, and ready ones to start with.

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


class Newcomers(Struct, frozen=True, kw_only=True):
    """People or machines that a step makes in rows: each row has a kind, a name and a number of them."""

    builder: "Builder"
    """How each is made. Those that are ready, and those that can be copied, are the kinds."""
    fixed_fields: Mapping[str, Any] = {}
    """Fields of the first command that have one value only."""
    asked: frozenset[str] = frozenset()
    """Fields of the first command that each row asks for."""
    left_open: Part = ""
    """The title of a choice of theirs that is left open."""
    lists: Mapping[str, Part] = {}
    """Lists of the command that they join: a row may be in each of them, which its title asks."""


class Joining(Struct, frozen=True, kw_only=True):
    """The fields of a command that newcomers join."""

    members: str
    """The list of those who take part."""
    with_newcomers: bool = True
    """Whether newcomers are in that list, too, by their names."""
    entry: tuple[str, Callable[[str], Mapping[str, Any]]] | None = None
    """The list of those who have no command of their own, and what stands in it for a name."""
    places: str = ""
    """The map with the place of each."""
    goal: str = ""
    """The field with the place that all fight over."""
    sectors: Callable[[Any], int] | None = None
    """The number of sectors of each ring of the map, by the settings; None: places are no sectors."""


class Step(Struct, frozen=True, kw_only=True):
    """A command of a builder, or one that is given once for each thing counted, or for each row."""

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
    rows: int | None = None
    """It stands in rows, so many of them at first; None: it is given once."""
    newcomers: Newcomers | None = None
    """Those whom its rows make."""
    joining: Joining | None = None
    """Its fields that the newcomers of the steps before it join."""
    note: Callable[[Any], Part] | None = None
    """A sentence about how things stand, by the state of the system."""


class Preset(Struct, frozen=True):
    """One that is ready: a character, or an entry of a catalogue."""

    key: str
    title: Part
    commands: Draft


def _no_presets(_state: Any, _settings: Any) -> Iterable[Preset]:
    return ()


def _no_originals(_state: Any) -> Mapping[str, str]:
    return {}


def _no_copy(_state: Any, _settings: Any, _original: str) -> Draft:
    return ()


def _never(_state: Any) -> bool:
    return False


class Builder(Struct, frozen=True, kw_only=True):
    """How characters, a fight or a catalogue of a rule system are made on one page, as one action.

    The functions know the state of the system as the reader does.
    """

    title: Part
    steps: tuple[Step, ...]
    presets: Callable[[Any, Any], Iterable[Preset]] = _no_presets
    """Those to start with, by the state and the settings of the system."""
    originals: Callable[[Any], Mapping[str, str]] = _no_originals
    """The names of those that can be copied, by their ids."""
    copy: Callable[[Any, Any, str], Draft] = _no_copy
    """The commands that make another one like this: by the state, the settings and its id."""
    verb: Part = ""
    """The words on its button; empty: the title of its deciding command."""
    gm_only: bool = False
    """Only GMs use it."""
    gate: type[Struct] | None = None
    """The command whose refusal stops all of it; None: the first one."""
    is_on: Callable[[Any], bool] = _never
    """Whether what it sets up is there already, by the state of the system."""


def command(kind: type[Struct], /, **fields: Any) -> dict[str, Any]:
    """A command as plain data."""
    return {"type": str(kind.__struct_config__.tag), **fields}
