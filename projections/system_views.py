"""Everything a rule system's folder in `projections.systems` brings so that people can see what happens in it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.ids import CharacterId
from domain.sentences import Sentence
from projections.awaited_answers import Able, Name, WaitingFor
from projections.drawings.board_parts import Drawing, Words
from projections.layout import Layout
from projections.narration_tables import Tellers
from projections.recap_weights import Emphasis
from projections.service_record_fold import RecordFold
from projections.system_origin import RuleSource
from projections.vocabulary import Vocabulary

DescribeScheduled = Callable[[Any, Name], Sentence]
"""Tells the effect of a command of the system when the campaign gives it to itself."""

DrawSheet = Callable[[Any, CharacterId, Any], Any]
"""Draws a character's sheet from the system's state and settings."""

ViewBoard = Callable[[Any, Name, Any, Able], Struct]
"""Makes a board's view from a system's state as its reader may know it, names, its settings, and who may act."""

DrawBoard = Callable[[Any, Words], Drawing]
"""Draws a board from its view."""

WaitsFor = Callable[[Any, Name, Any, Able], list[WaitingFor]]
"""Lists everything the table waits for on a board, without the rest of it."""


Chosen = Callable[[Any, str], Sentence | None]
"""Gives the title of a thing of the system's state where one of its kind is chosen; None: it goes by its name."""


Brings = Callable[[Any], Sentence]
"""Tells the belongings that a character brings along, from the system's event that imports them."""


class Board(Struct, frozen=True):
    """A board that a system has. Its view has no fields called as_of, system, board or title."""

    board: str
    title: Sentence
    view: ViewBoard
    draw: DrawBoard


class SystemViews(Struct, frozen=True):
    """How a rule system is shown."""

    line: Sentence
    """A line about what the system is for."""
    source: RuleSource
    """The origin of its rules."""
    tellers: Tellers
    """Tell each kind of its events."""
    emphasis: Emphasis
    boards: tuple[Board, ...]
    """In the order in which they are listed to people."""
    waits_for: tuple[WaitsFor, ...]
    record: type[RecordFold]
    """For characters that take part: a view of None shows nothing."""
    vocabulary: Vocabulary
    setting_values: Mapping[str, Mapping[str, Sentence]]
    """The words for those of its settings that are one of a few, by setting and value."""
    layouts: Mapping[type[Struct], Layout]
    """How its sheet is arranged, or the board that stands for one."""
    sheet: DrawSheet | None = None
    """None for a system whose characters are those of other systems."""
    describe_scheduled: Mapping[type, DescribeScheduled] = {}
    """By type of command; others are told by their wire name."""
    downtime: tuple[str, ...] = ()
    """Commands for downtime, by their wire names without the system."""
    tests: tuple[str, ...] = ()
    """Commands that set a test or roll one, by their wire names without the system."""
    contests: tuple[str, ...] = ()
    """Commands that compare the rolls of two, by their wire names without the system."""
    choice_title: Chosen | None = None
    """Gives a thing without a name of its own a title that says more than its person."""
    brings: Brings | None = None
    """The things that come along with a character from another campaign; None: the system imports none."""
    good_dice: Sentence | None = None
    """Says which of its dice are the better the lower they fall."""
