"""The parts of a drawn board, and the words it is drawn with."""

from collections.abc import Callable, Mapping
from typing import Self

from babel.numbers import format_percent
from msgspec import Struct

from domain.sentences import Sentence
from projections.languages import render


class Figure(str):
    """A text of a table with the path to its value in the board's view, which can be asked why it is so."""

    __slots__ = ("path",)
    path: str

    def __new__(cls, text: str | int | None, *steps: str) -> Self:
        """A text (None: there is none), and the steps to its value: fields, and things as `item` names them."""
        figure = super().__new__(cls, "" if text is None else text)
        figure.path = ".".join(steps).replace(".[", "[")
        return figure


def item(*ids: str | int) -> str:
    """The step to a thing of a list: the id that stands first in it and others that it has, or its index."""
    return f"[{'+'.join(map(str, ids))}]"


class Passage(str):
    """A text of several parts, each a `Figure` or words that cannot be asked why."""

    __slots__ = ("parts",)
    parts: tuple[str, ...]


def passage(*parts: str | int | None, between: str = "") -> Passage:
    """Those of the parts that are neither None nor empty, with the same words between them."""
    texts: list[str] = []
    for part in parts:
        if part in (None, ""):
            continue
        texts += [between] if texts and between else []
        texts += parts_of(part) if isinstance(part, str) else [str(part)]
    whole = Passage("".join(texts))
    whole.parts = tuple(texts)
    return whole


def parts_of(text: str) -> tuple[str, ...]:
    """The parts of a text: those of a passage, else itself."""
    return text.parts if isinstance(text, Passage) else (text,)


class Table(Struct, frozen=True):
    """A table: a caption, the heads of its columns and its rows. The first cell of a row says what it is about.

    Cells are texts; a `Figure`, also as a part of a `Passage`, can be asked why it is so.
    """

    caption: str
    header: list[str]
    rows: list[list[str]]


class Drawing(Struct, frozen=True):
    """A board as SVG, and the same in one sentence and as tables.

    `svg` is empty where there is nothing to draw; `sentence` says so. Tables without rows are left out.
    """

    svg: str
    sentence: str
    tables: list[Table]


class Words(Struct, frozen=True):
    """The words of a drawing in its reader's language."""

    language: str
    names: Mapping[str, str]
    """Those of the ids on it."""
    field_title: Callable[[type[Struct], str], Sentence]
    """The name of a field of a view."""
    value_title: Callable[[type[Struct], str, str], Sentence]
    """The name of a field's value."""

    def say(self, sentence: str | Sentence) -> str:
        """A sentence in the language."""
        return render(sentence, self.language)

    def field(self, struct: type[Struct], name: str) -> str:
        """The title of a field."""
        return self.say(self.field_title(struct, name))

    def value(self, struct: type[Struct], name: str, value: str) -> str:
        """The title of a value of a field."""
        return self.say(self.value_title(struct, name, value))

    def name(self, thing: str | None) -> str:
        """The name of an id; words that are no id stay, with spaces where a key has underscores."""
        return self.names.get(thing or "") or as_words(thing or "")

    def percent(self, share: float) -> str:
        """A share of 1 in percent."""
        return share_in_percent(share, self.language)

    def header(self, struct: type[Struct], *fields: str) -> list[str]:
        """The heads of columns by their fields."""
        return [self.field(struct, name) for name in fields]


def share_in_percent(share: float, language: str) -> str:
    """A share of 1 in percent; only what is impossible is shown as none, only what is certain as all."""
    clamped_share = min(max(share, 0.01), 0.99) if 0 < share < 1 else share
    return str(format_percent(clamped_share, locale=language))


def as_words(key: str) -> str:
    """A key that a group has written, as words."""
    return key.replace("_", " ")


def in_a_line(*parts: str | int | None) -> Passage:
    """Those of the parts that are neither None nor empty, with commas between them."""
    return passage(*parts, between=", ")


def tables(*each: Table) -> list[Table]:
    """Those of the tables that say anything, without columns where no row does."""
    return [_without_empty_columns(table) for table in each if any(any(row) for row in table.rows)]


def _without_empty_columns(table: Table) -> Table:
    columns = [nth for nth in range(len(table.header)) if any(row[nth] for row in table.rows)]
    return Table(
        table.caption,
        [table.header[nth] for nth in columns],
        [[row[nth] for nth in columns] for row in table.rows],
    )
