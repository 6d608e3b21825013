"""What a drawn board consists of, and the words it is drawn with."""

from collections.abc import Mapping

from babel.numbers import format_percent
from msgspec import Struct

from domain.sentences import Sentence
from projections.languages import render
from projections.words import field_title, value_title


class Table(Struct, frozen=True):
    """A table: a caption, the heads of its columns and its rows. The first cell of a row says what it is about."""

    caption: str
    header: list[str]
    rows: list[list[str]]


class Drawing(Struct, frozen=True):
    """A board as SVG, and the same in one sentence and as tables.

    `svg` is empty where there is nothing to draw; `told` says so. Tables without rows are left out.
    """

    svg: str
    told: str
    tables: list[Table]


class Words(Struct, frozen=True):
    """The words of a board in its reader's language; `names` are those of the ids on it."""

    language: str
    names: Mapping[str, str] = {}

    def say(self, said: str | Sentence) -> str:
        """A sentence in the language."""
        return render(said, self.language)

    def field(self, struct: type[Struct], name: str) -> str:
        """What a field is called."""
        return self.say(field_title(struct, name))

    def value(self, struct: type[Struct], name: str, value: str) -> str:
        """What a value of a field is called."""
        return self.say(value_title(struct, name, value))

    def name(self, thing: str | None) -> str:
        """The name of an id; words that are no id stay, with spaces where a key has underscores."""
        return self.names.get(thing or "") or as_words(thing or "")

    def percent(self, share: float) -> str:
        """A share of 1 in percent; only what is impossible is shown as none, only what is certain as all."""
        shown = min(max(share, 0.01), 0.99) if 0 < share < 1 else share
        return str(format_percent(shown, locale=self.language))

    def header(self, struct: type[Struct], *fields: str) -> list[str]:
        """The heads of columns by their fields."""
        return [self.field(struct, each) for each in fields]


def as_words(key: str) -> str:
    """A key that a group has written, as words."""
    return key.replace("_", " ")


def in_a_line(*parts: str | int | None) -> str:
    """What there is, with commas between."""
    return ", ".join(str(part) for part in parts if part not in (None, ""))


def tables(*each: Table) -> list[Table]:
    """Those of the tables that have rows, without columns where no row says anything."""
    return [_without_empty_columns(table) for table in each if table.rows]


def _without_empty_columns(table: Table) -> Table:
    kept = [nth for nth in range(len(table.header)) if nth == 0 or any(row[nth] for row in table.rows)]
    return Table(
        table.caption, [table.header[nth] for nth in kept], [[row[nth] for nth in kept] for row in table.rows]
    )
