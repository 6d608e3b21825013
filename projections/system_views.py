"""What a rule system's folder in `projections.systems` brings, so that people can see what happens in it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from domain.ids import CharacterId
from domain.sentences import Sentence
from projections.awaited import Able, Name, WaitingFor
from projections.emphasis import Emphasis
from projections.layout import Layout
from projections.record_fold import RecordFold
from projections.tellers import Tellers
from projections.vocabulary import Vocabulary

DescribeScheduled = Callable[[Any, Name], Sentence]
"""What will happen when the campaign gives itself a command of the system."""

DrawSheet = Callable[[Any, CharacterId, Any], Any]
"""Draws a character's sheet from the system's state and settings."""

DrawBoard = Callable[[Any, Name, Any, Able], Struct]
"""Draws a board from a system's state as its reader may know it, names, the system's settings, and who may act."""

WaitsFor = Callable[[Any, Name, Any, Able], list[WaitingFor]]
"""What a board says that the table waits for, without the rest of it."""


class Board(Struct, frozen=True):
    """A board that a system has. Its drawing has no fields called as_of, system, board or title."""

    board: str
    title: Sentence
    draw: DrawBoard


class RecordKeeper(NamedTuple):
    """How a system keeps records: a fresh fold for a character, and the events it wants."""

    begin: Callable[[CharacterId], RecordFold]
    events: tuple[type[Struct], ...]

    @property
    def kinds(self) -> frozenset[str]:
        """The wire names of its events."""
        return frozenset(str(each.__struct_config__.tag) for each in self.events)


class SystemViews(Struct, frozen=True):
    """How a rule system is shown.

    `tellers` tell each kind of its events, and `boards` are in the order they are listed to people. A system whose
    characters are those of other systems has no `sheet`, and its `record` is for characters that take part: a view
    of None shows nothing. `layouts` say how its sheet is arranged, or the board that stands for one.
    `describe_scheduled` is by type of command; others are told by their wire name.
    """

    tellers: Tellers
    emphasis: Emphasis
    boards: tuple[Board, ...]
    waits_for: tuple[WaitsFor, ...]
    record: RecordKeeper
    vocabulary: Vocabulary
    layouts: Mapping[type[Struct], Layout]
    sheet: DrawSheet | None = None
    describe_scheduled: Mapping[type, DescribeScheduled] = {}
