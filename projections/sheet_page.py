"""A sheet as any screen draws it: the place of each value, its title, and how it is shown.

Made of a view as the service sends it, the layout and words of a language, and the names of ids. Nothing here
knows a rule system, and nothing knows how a page or a terminal looks. Values that say nothing are left out:
zeros but for vitals, dashes, empty lists, names that are told already, and ids of things without a name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct, structs

from domain.campaign.calendar_shapes import CalendarShape
from domain.sentences import number, say
from projections.campaign.dates import moment_in
from projections.campaign.diff import item_steps
from projections.languages import render
from projections.layout import As, Shown
from projections.word_list import FieldWords, WordList

COLUMNS_MAX = 6
"""Tables with more columns are drawn as entries below each other."""

CELL_CHARACTERS_MAX = 60
"""Tables with longer texts, too."""

MICROSECONDS = 1_000_000
EMPTY: Final[tuple[Any, ...]] = (None, False, 0, "", "\N{EN DASH}", [], {})
MEASURED: Final = frozenset({"number", "modifier", "die", "ladder", "pips", "clock", "meter", "money"})
IN_TIME: Final = frozenset({"moment", "instant"})
_ID = re.compile(r"[a-z_]+(-[a-z_]+)*-[0-9a-f]{12}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DIE = re.compile(r"d(\d+)")
_MADE_UP = re.compile(r"[a-z0-9][a-z0-9_.-]*")
"""Keys as programs write them; every other one is a name, and stands as it was written."""


class Mark(Struct, frozen=True):
    """One value."""

    as_: As
    text: str
    """Tells it by itself."""
    title: str = ""
    """Its name among others; empty where the figure's title says it."""
    value: int | None = None
    """The worth that pips, clocks and meters show, of `out_of`.

    Of a ladder, a place among the `steps` that there are. A die has one once it has fallen.
    """
    out_of: int | None = None
    sides: int | None = None
    """Those of a die."""
    steps: tuple[str, ...] = ()
    ref: str | None = None
    """The id of the person or thing that it names."""
    notes: tuple["Mark", ...] = ()
    """More to be said of it."""
    path: str = ""
    """Where in the view a measured value or a thing among others stands; empty where no path leads.

    Paths are as `differences` says them.
    """


class Column(Struct, frozen=True):
    """A column of a table; `is_numeric`: nothing but numbers stands in it."""

    title: str
    is_numeric: bool


class Row(Struct, frozen=True):
    """A row of a table: the name of its subject, and a cell for every column."""

    title: str
    cells: tuple[tuple[Mark, ...], ...]
    ref: str | None = None
    path: str = ""


class Table(Struct, frozen=True):
    """Things that are alike, below each other. `is_titled`: its rows say what they are about."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def is_titled(self) -> bool:
        """Whether its rows say what they are about."""
        return any(row.title for row in self.rows)


class Entry(Struct, frozen=True):
    """A thing by itself: its name, the words that are true of it, and its figures."""

    title: str
    tags: tuple[str, ...]
    figures: tuple["Figure", ...]
    ref: str | None = None
    path: str = ""


class Figure(Struct, frozen=True):
    """A field of a view: its wire name, its title, and one of marks, a table, or entries.

    `detail` is what is to be said of its marks besides; `detail_title` is what that is called.
    """

    name: str
    title: str
    as_: As
    marks: tuple[Mark, ...] = ()
    table: Table | None = None
    entries: tuple[Entry, ...] = ()
    detail: Table | None = None
    detail_title: str = ""


class Panel(Struct, frozen=True):
    """Figures that stand together under a heading. One that is called like its panel has no title of its own."""

    title: str
    figures: tuple[Figure, ...]


class SheetPage(Struct, frozen=True):
    """A sheet: its name, its vitals, always to be seen, and its panels that say anything.

    `facts` are the vitals that are words, `vitals` those that are measured.
    """

    title: str
    facts: tuple[Figure, ...]
    vitals: tuple[Figure, ...]
    panels: tuple[Panel, ...]


class Telling(Struct, frozen=True):
    """The data that a view is told with besides words: the names of its ids, and the calendar of its campaign."""

    names: Mapping[str, str]
    calendar: CalendarShape


def sheet_page(words: WordList, struct: str, view: Mapping[str, Any], telling: Telling) -> SheetPage:
    """A sheet, or the board that stands for one, by the layout of its struct."""
    return _Drawing(words, telling).page(struct, view)


def in_line(figure: Figure, language: str) -> str:
    """A figure in one line of words, with its title if it has one."""
    text = "; ".join(filter(None, _parts(figure, language)))
    if figure.as_ == "flag" or not figure.title:
        return text
    return render(say("{title}: {value}", title=figure.title, value=text), language)


def _parts(figure: Figure, language: str) -> Iterator[str]:
    yield ", ".join(map(mark_in_line, figure.marks))
    if figure.table is not None:
        yield ", ".join(_row_in_line(figure.table, row, language) for row in figure.table.rows)
    for entry in figure.entries:
        yield entry_in_line(entry, language)


def entry_in_line(entry: Entry, language: str) -> str:
    """A thing in one line of words."""
    texts = (in_line(figure, language) for figure in entry.figures)
    return ", ".join(filter(None, (entry.title, *entry.tags, *texts)))


def mark_in_line(mark: Mark) -> str:
    """A value in one line of words."""
    notes = f"({', '.join(note.text for note in mark.notes)})" if mark.notes else ""
    return " ".join(filter(None, (mark.title, mark.text, notes)))


def _row_in_line(table: Table, row: Row, language: str) -> str:
    """A row in one line of words; with the titles of columns only where there are several."""
    texts = [row.title]
    for column, cell in zip(table.columns, row.cells, strict=True):
        value = ", ".join(map(mark_in_line, cell))
        if value and len(table.columns) > 1 and any(mark.as_ != "flag" for mark in cell):
            value = render(say("{title}: {value}", title=column.title, value=value), language)
        texts.append(column.title if cell and cell[0].as_ == "flag" else value)
    return (" " if len(table.columns) == 1 else ", ").join(filter(None, texts))


Place = str | None
"""Where in its view a value stands, as a path; None where no path leads."""

Said = tuple[str, str | None, Place, list[Figure]]
"""A thing as it is told: its title, its id, its place, and its figures."""


class _Drawing:
    """Draws one view."""

    def __init__(self, words: WordList, telling: Telling) -> None:
        self._words = words
        self._language = words.language
        self._names = telling.names
        self._calendar = telling.calendar

    def page(self, struct: str, view: Mapping[str, Any]) -> SheetPage:
        layout, fields = self._words.layouts[struct], self._words.structs[struct]
        always = [self._figure(name, fields[name], view.get(name), "") for name in layout.vitals]
        vitals = [figure for figure in always if figure is not None]
        panels = (
            Panel(
                panel.title,
                tuple(
                    structs.replace(figure, title="") if figure.title == panel.title else figure
                    for figure in self._figures({name: fields[name] for name in panel.fields}, view, "")
                ),
            )
            for panel in layout.panels
        )
        return SheetPage(
            title=view.get("name") or view.get("title") or "",
            facts=tuple(figure for figure in vitals if not _is_counted(figure)),
            vitals=tuple(figure for figure in vitals if _is_counted(figure)),
            panels=tuple(panel for panel in panels if panel.figures),
        )

    def _figures(self, fields: Mapping[str, FieldWords], view: Mapping[str, Any], at: Place) -> Iterator[Figure]:
        """The figures of the struct at a place, without fields that say nothing."""
        for name, field in fields.items():
            figure = self._figure(name, field, view.get(name), at)
            if figure is not None:
                yield figure

    def _figure(self, name: str, field: FieldWords, value: Any, at: Place) -> Figure | None:
        """A field of the struct at a place; None: there is nothing to say of it."""
        display = field.shown
        if display is None or _is_nothing(display, value):
            return None
        figure, own = Figure(name, field.title, display.as_), _under(at, name)
        match display.as_:
            case "record":
                figure = self._record_figure(figure, field, value, own)
            case "slots":
                figure = structs.replace(figure, entries=tuple(self._slots(field, value, own)))
            case "table":
                figure = self._rows_figure(figure, field, value, own)
            case _:
                figure = self._marks_figure(figure, field, value, own)
        says = figure.marks or figure.table or figure.detail
        return (
            figure if says or any(entry.title or entry.tags or entry.figures for entry in figure.entries) else None
        )

    # --- marks ------------------------------------------------------------------------------------------------

    def _marks_figure(self, figure: Figure, field: FieldWords, value: Any, at: Place) -> Figure:
        """Values beside each other, with the details of those that are measured."""
        marks = tuple(self._marks(field, value, at))
        detail = self._detail(field, value, at) if field.structs and figure.as_ in MEASURED else None
        title = render(say("In detail"), self._language) if detail is not None else ""
        return structs.replace(figure, marks=marks, detail=detail, detail_title=title)

    def _marks(self, field: FieldWords, value: Any, at: Place) -> Iterator[Mark]:
        display = _display_of(field)
        if isinstance(value, list):
            for place, part in _places(at, value):
                for part_mark in self._marks(field, part, place):
                    as_written = isinstance(part, str) and part_mark.text == part.replace("_", " ")
                    text = key_in_words(str(part)) if as_written else part_mark.text
                    yield structs.replace(part_mark, text=text, path=part_mark.path or place or "")
        elif isinstance(value, dict) and display.as_ == "chips" and field.structs:
            yield Mark("record", entry_in_line(self._entry(field, "", None, value, None), self._language))
        elif isinstance(value, dict) and not _is_measured(display, value):
            for key, part in in_order(field, value):
                if title := self._key(field, key):
                    place = _under(at, key)
                    marks = self._marks(field, part, place)
                    yield from (
                        structs.replace(mark, title=title, path=mark.path or place or "") for mark in marks
                    )
        elif not _is_nothing(display, value):
            own_mark = self._mark(field, value, at)
            yield from [] if own_mark is None else [own_mark]

    def _mark(self, field: FieldWords, value: Any, at: Place) -> Mark | None:
        """One value; None: it is an id without a name."""
        display = _display_of(field)
        match display.as_:
            case "person" | "thing":
                name = self._name_of(field, value)
                return Mark(display.as_, name, ref=value) if name else None
            case "moment":
                unit = display.unit_seconds
                return Mark("moment", moment_in(self._words.language, value * unit, unit, self._calendar))
            case "instant":
                return Mark("instant", f"{datetime.fromtimestamp(value // MICROSECONDS, UTC):%Y-%m-%d %H:%M} UTC")
            case "flag":
                return Mark("flag", field.title)
            case _ if display.as_ in MEASURED:
                return self._measured(field, value, at)
        word = self._word(field, value)
        mark = Mark("number", word, path=at or "") if isinstance(value, int) else Mark("text", word)
        return mark if word else None

    def _measured(self, field: FieldWords, value: Any, at: Place) -> Mark:
        """A number or a die, with how much there can be."""
        display = _display_of(field)
        notes: tuple[Mark, ...] = ()
        now, most = value, display.out_of if isinstance(display.out_of, int) else None
        if isinstance(value, dict):
            most = value[display.out_of] if isinstance(display.out_of, str) else most
            beside = {name: words for name, words in self._fields_in(field).items() if name in display.beside}
            notes = tuple(
                Mark("text", in_line(part, self._language), path=_only_path(part))
                for figure in self._figures(beside, value, at)
                for part in _noted(structs.replace(figure, title="") if figure.as_ == "text" else figure)
            )
            now, at = value[display.of], _under(at, display.of)
        mark = (
            self._die(display, now, most) if display.as_ in ("die", "ladder") else self._number(display, now, most)
        )
        return structs.replace(mark, notes=notes, path=at or "")

    def _number(self, display: Shown, now: Any, most: Any) -> Mark:
        if most is not None and display.as_ != "number":
            return Mark(display.as_, f"{now}/{most}", value=now, out_of=most)
        if not isinstance(now, int):
            return Mark("text", str(now))
        text = render(number(abs(now)), self._language)
        sign = "\N{MINUS SIGN}" if now < 0 else "+" if display.as_ == "modifier" else ""
        return Mark(display.as_, sign + text, value=now)

    def _die(self, display: Shown, now: Any, most: Any) -> Mark:
        """A die by its name, one that has fallen with its sides, or the number that stands for one."""
        if isinstance(now, int) and most:
            text = render(say("{face} on a d{sides}", face=now, sides=most), self._language)
            return Mark("die", text, value=now, sides=most)
        if isinstance(now, int):
            return Mark("number", str(now), value=now)
        sides = _DIE.fullmatch(str(now))
        reached, rated = (
            (display.steps.index(step) if step in display.steps else None) for step in (now, most or now)
        )
        lowered = most not in (None, now)
        return Mark(
            display.as_,
            render(say("{now} of {most}", now=now, most=most), self._language) if lowered else str(now),
            value=reached,
            out_of=rated,
            sides=int(sides[1]) if sides is not None else None,
            steps=display.steps,
        )

    def _detail(self, field: FieldWords, value: Any, at: Place) -> Table | None:
        """The other figures of measured structs, a row for each struct; None: there is nothing else to say."""
        display = _display_of(field)
        drawn_names = {display.of, display.out_of, *display.beside}
        rest = {name: words for name, words in self._fields_in(field).items() if name not in drawn_names}
        rows: list[Said] = [
            (title, None, None, [*self._figures(rest, part, place)])
            for title, place, part in self._measured_in(field, value, at)
        ]
        kept_rows = [row for row in rows if any(figure.as_ != "text" for figure in row[3])]
        return self._table(rest, kept_rows) if kept_rows else None

    def _measured_in(
        self, field: FieldWords, value: Any, at: Place
    ) -> Iterator[tuple[str, Place, dict[str, Any]]]:
        """The structs of a measured field with what they are called, and where they stand."""
        display = _display_of(field)
        if isinstance(value, dict) and _is_measured(display, value):
            yield "", at, value
        elif isinstance(value, dict):
            yield from ((self._key(field, key), _under(at, key), part) for key, part in in_order(field, value))
        else:
            for place, part in _places(at, value):
                yield self._measured(field, part, place).text, place, part

    # --- structs ----------------------------------------------------------------------------------------------

    def _record_figure(self, figure: Figure, field: FieldWords, value: Any, at: Place) -> Figure:
        """A struct as an entry; one that says nothing but its name or numbers, as these."""
        entry = self._entry(field, "", None, value, at)
        if entry.title and not entry.tags and not entry.figures:
            return structs.replace(figure, as_="text", marks=(Mark("text", entry.title),))
        if entry.title or entry.tags or not all(inner.as_ in MEASURED and inner.marks for inner in entry.figures):
            return structs.replace(figure, entries=(entry,))
        marks = (structs.replace(mark, title=inner.title) for inner in entry.figures for mark in inner.marks)
        return structs.replace(figure, as_="number", marks=tuple(marks))

    def _rows_figure(self, figure: Figure, field: FieldWords, value: Any, at: Place) -> Figure:
        """Structs below each other: a list where they are but named, a table if it is narrow, else entries."""
        about = _display_of(field).of or "name"
        fields = {name: words for name, words in self._fields_in(field).items() if name != about}
        rows = [
            (title, ref, place, [*self._figures(fields, record, place if record is part else None)])
            for title, ref, place, part, record in self._titled(field, value, at)
        ]
        if not any(figures for *_, figures in rows):
            return structs.replace(
                figure,
                as_="chips",
                marks=tuple(
                    Mark("text", title, ref=ref, path=place or "") for title, ref, place, _ in rows if title
                ),
            )
        table = self._table(fields, rows)
        if not any(row.title for row in table.rows) and len(table.columns) == 1:
            return structs.replace(
                figure, as_="chips", marks=tuple(mark for row in table.rows for mark in row.cells[0])
            )
        if _is_narrow(rows, table):
            return structs.replace(figure, table=table)
        return structs.replace(figure, entries=tuple(_entry(*row) for row in rows))

    def _titled(
        self, field: FieldWords, value: Any, at: Place
    ) -> Iterator[tuple[str, str | None, Place, Any, Mapping[str, Any]]]:
        """The structs of a table, each with what it is called, its id, where it stands, and as it is sent."""
        about = _display_of(field).of or "name"
        rows = (
            [(key, _under(at, key), part) for key, part in in_order(field, value)]
            if isinstance(value, dict)
            else [(None, place, part) for place, part in _places(at, value)]
        )
        for key, place, part in rows:
            row = self._by_name(field, part)
            name_words = self._fields_in(field).get(about)
            title = self._word(name_words, row[about]) if name_words is not None else self._key(field, key or "")
            yield title, key, place, part, row

    def _table(self, fields: Mapping[str, FieldWords], rows: list[Said]) -> Table:
        """A table with a column for each field that any row says something of."""
        rows_by_field = [{figure.name: figure for figure in figures} for *_, figures in rows]
        names = [name for name in fields if any(name in figures for figures in rows_by_field)]
        cells = [[self._cell(figures.get(name)) for name in names] for figures in rows_by_field]
        columns = (
            Column(fields[name].title, all(mark.as_ in MEASURED for row in cells for mark in row[nth]))
            for nth, name in enumerate(names)
        )
        return Table(
            tuple(columns),
            tuple(
                Row(title, tuple(row), ref, place or "")
                for (title, ref, place, _), row in zip(rows, cells, strict=True)
            ),
        )

    def _cell(self, figure: Figure | None) -> tuple[Mark, ...]:
        if figure is None:
            return ()
        if figure.table is None and not figure.entries:
            return figure.marks
        return (Mark("record", in_line(structs.replace(figure, title=""), self._language)),)

    def _entry(
        self, field: FieldWords, title: str, ref: str | None, record: Mapping[str, Any], at: Place
    ) -> Entry:
        fields = self._fields_in(field)
        name = self._word(fields["name"], record.get("name")) if "name" in fields else ""
        rest = {key: words for key, words in fields.items() if key != "name"}
        return _entry(title or name, ref, at, [*self._figures(rest, record, at)])

    def _slots(self, field: FieldWords, slots: list[Any], at: Place) -> Iterator[Entry]:
        """Every slot, also those that are empty."""
        empty = render(say("empty"), self._language)
        for nth, (place, slot) in enumerate(_places(at, slots), 1):
            if slot is None:
                yield Entry(str(nth), (empty,), ())
            else:
                fields = {name: part for name, part in slot.items() if name != _display_of(field).of}
                yield self._entry(field, str(nth), None, fields, place)

    def _by_name(self, field: FieldWords, struct: Mapping[str, Any] | list[Any]) -> Mapping[str, Any]:
        """A struct by the names of its fields, also one that is sent as a list of their values."""
        if isinstance(struct, list):
            return dict(zip(self._words.structs[field.structs[0]], struct, strict=False))
        return struct

    def _fields_in(self, field: FieldWords) -> dict[str, FieldWords]:
        """The fields that are drawn of the structs in a field."""
        fields = self._words.structs[field.structs[0]] if field.structs else {}
        return {name: words for name, words in fields.items() if words.shown is not None}

    # --- words ------------------------------------------------------------------------------------------------

    def _key(self, field: FieldWords, key: str) -> str:
        """The title of the value under a key: a word, a name, or the group's own text; empty for other ids."""
        return field.values.get(key) or self._names.get(key) or key_in_words(key)

    def _word(self, field: FieldWords, value: Any) -> str:
        """A value in words: those of its field, a name, or as it was written."""
        if isinstance(value, int):
            return render(number(value), self._language)
        if not value:
            return ""
        word = field.values.get(value) or self._names.get(value)
        return word or ("" if _ID.fullmatch(value) else value if " " in value else value.replace("_", " "))

    def _name_of(self, field: FieldWords, value: str) -> str:
        """The name of a person or a thing; of a numbered one (`slot 2`), its word with the number."""
        kind, _, rest = value.partition(" ")
        if rest and kind in field.values:
            return f"{field.values[kind]} {rest}"
        return self._names.get(value, "") or ("" if _ID.fullmatch(value) else value.replace("_", " "))


def in_order(field: FieldWords, value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The items of a map: keys that are words of the rules in their order, then others as they come."""
    order = {word: place for place, word in enumerate(field.values)}
    return sorted(value.items(), key=lambda pair: order.get(pair[0], len(order)))


def key_in_words(key: str) -> str:
    """The title on a page of a key that a group made up; empty for an id."""
    if _ID.fullmatch(key):
        return ""
    return key[:1].upper() + key[1:].replace("_", " ") if _MADE_UP.fullmatch(key) else key


def _under(at: Place, step: str | None) -> Place:
    """The place of a field, or of what stands under a key; None where a path cannot say it."""
    if at is None or not step or set(step) & set(".[]"):
        return None
    return f"{at}.{step}" if at else step


def _places(at: Place, items: list[Any]) -> Iterator[tuple[Place, Any]]:
    """The items of a list, each with its place."""
    for step, part in zip(item_steps(items), items, strict=True):
        yield None if at is None or set(step) & set(".[]") else f"{at}[{step}]", part


def _display_of(field: FieldWords) -> Shown:
    assert field.shown is not None, f"{field.title} is not drawn"
    return field.shown


def _entry(title: str, ref: str | None, at: Place, figures: Iterable[Figure]) -> Entry:
    """A thing with its figures, of which the flags become its tags."""
    all_figures = [*figures]
    tags = tuple(figure.title for figure in all_figures if figure.as_ == "flag")
    return Entry(title, tags, tuple(figure for figure in all_figures if figure.as_ != "flag"), ref, at or "")


def _noted(figure: Figure) -> Iterator[Figure]:
    """A figure in parts with one number each, so that each can lead to why it is so; the first has its title."""
    for nth, part in enumerate(_parted(figure)):
        yield structs.replace(part, title="") if nth and part.title == figure.title else part


def _parted(figure: Figure) -> Iterator[Figure]:
    """Its marks or rows each by itself; a row that has several numbers, cell by cell after what it is called."""
    if figure.table is None:
        yield from (structs.replace(figure, marks=(mark,)) for mark in figure.marks) if figure.marks else [figure]
        return
    for row in figure.table.rows:
        whole = structs.replace(figure, table=structs.replace(figure.table, rows=(row,)))
        if len(_paths(whole)) > 1 and row.title:
            yield Figure(figure.name, figure.title, "text", (Mark("text", row.title),))
            for column, cell in zip(figure.table.columns, row.cells, strict=True):
                if cell:
                    yield Figure(figure.name, column.title, cell[0].as_, cell)
        else:
            yield whole


def _paths(figure: Figure) -> set[str]:
    """The places that the numbers of a figure stand at."""
    cells = () if figure.table is None else (cell for row in figure.table.rows for cell in row.cells)
    return {mark.path for marks in (figure.marks, *cells) for mark in marks if mark.path}


def _only_path(figure: Figure) -> str:
    """The one place that a figure leads to; empty where it is none or several."""
    paths = _paths(figure)
    return paths.pop() if len(paths) == 1 else ""


def _is_counted(figure: Figure) -> bool:
    """Whether a vital is measured, and not a word."""
    return figure.as_ in MEASURED or figure.as_ == "slots"


def _is_measured(display: Shown, value: Mapping[str, Any]) -> bool:
    """Whether it is one struct that is drawn as a number, and not a number for each key."""
    return display.as_ in MEASURED and display.of in value


def _is_nothing(display: Shown, value: Any) -> bool:
    """Whether there is nothing to say of a value: a number that is zero says something, but for a modifier."""
    if isinstance(value, dict) and _is_measured(display, value):
        most = value[display.out_of] if isinstance(display.out_of, str) else display.out_of
        return _is_nothing(display, value[display.of]) and most in EMPTY
    if display.as_ in IN_TIME or (
        display.as_ in MEASURED and display.as_ != "modifier" and isinstance(value, int)
    ):
        return value is None
    return value in EMPTY


def _is_narrow(rows: list[Said], table: Table) -> bool:
    """Whether a table stays readable: few columns, short texts, and no parts within its cells."""
    parted = any(
        figure.entries or figure.table or figure.detail or any(mark.title for mark in figure.marks)
        for *_, figures in rows
        for figure in figures
    )
    longest = max((len(mark.text) for row in table.rows for cell in row.cells for mark in cell), default=0)
    return not parted and len(table.columns) <= COLUMNS_MAX and longest <= CELL_CHARACTERS_MAX
