"""How the demo prints the sheets of a story: as the screen draws them, in words below each other.

Details of numbers, which the screen keeps folded, are left out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from projections.sheet_page import (
    Figure,
    Mark,
    Panel,
    Telling,
    entry_in_line,
    in_line,
    mark_in_line,
    sheet_page,
)
from projections.sheet_page import Table as Rows
from projections.word_list import WordList


def sheet_text(words: WordList, struct: str, view: Mapping[str, Any], telling: Telling) -> Iterator[Text | Table]:
    """A sheet, or the board that stands for one: its name and its vitals, then its panels."""
    page = sheet_page(words, struct, view, telling)
    yield Text(f"\n{page.title}", style="bold cyan")
    yield Text(" · ".join(in_line(figure, words.language) for figure in (*page.facts, *page.vitals)))
    for panel in page.panels:
        yield Text(panel.title, style="bold")
        yield from _panel(panel, words.language)


def _panel(panel: Panel, language: str) -> Iterator[Table]:
    """Figures that are one line each, then tables."""
    lines, tables = Table.grid(padding=(0, 2)), []
    for figure in panel.figures:
        if figure.marks:
            lines.add_row(Text(figure.title, style="dim"), ", ".join(map(_mark_text, figure.marks)))
        elif figure.table is not None:
            tables.append(_rows(figure.table))
        else:
            tables.append(_entries(figure, language))
        if not figure.marks:
            tables[-1].title = figure.title or None
    yield from [lines] if lines.row_count else []
    yield from tables


def _rows(rows: Rows) -> Table:
    table = Table(title_justify="left", title_style="dim")
    if rows.is_titled:
        table.add_column("")
    for column in rows.columns:
        table.add_column(column.title, justify="right" if column.is_numeric else "left")
    for row in rows.rows:
        begin = [row.title] if rows.is_titled else []
        table.add_row(*begin, *(", ".join(map(_mark_text, cell)) for cell in row.cells))
    return table


def _entries(figure: Figure, language: str) -> Table:
    """A line of words for each thing."""
    table = Table(title_justify="left", title_style="dim", show_header=False)
    for entry in figure.entries:
        texts = (*entry.tags, *(in_line(part, language) for part in entry.figures))
        table.add_row(*([entry.title, ", ".join(texts)] if entry.title else [entry_in_line(entry, language)]))
    return table


def _mark_text(mark: Mark) -> str:
    """A value; a true one is ticked, and pips are squares."""
    if mark.as_ == "flag":
        return "✓"
    if mark.as_ == "pips":
        now, most = mark.value or 0, mark.out_of or 0
        return mark_in_line(Mark("pips", "■" * now + "□" * max(0, most - now), mark.title, notes=mark.notes))
    return mark_in_line(mark)
