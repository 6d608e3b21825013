"""The form of a command: the look of each field, made from its possible values and from its entry."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias
from urllib.parse import parse_qsl

from msgspec import UNSET, Struct, structs

from domain.offers.fields import Field, fields_of
from domain.sentences import Part, Sentence, say
from projections.command_forms import CommandField, FieldChoice
from projections.titles import value_title
from services.http.screen.commands.dice_tray import CANONICAL, DIALECT, NOTATION, with_die
from services.http.screen.commands.form_entries import (
    AS,
    COMMAND,
    ENTRIES_MAX,
    NO,
    NULL,
    ON,
    YES,
    Entries,
    FormEntries,
    as_text,
    is_switched,
    tells_null,
)
from services.http.screen.commands.number_budget import FormBudget, form_budget

RADIOS_MAX = 6
LONG_TEXT = 120
TICKS_MAX = 40
IN_ORDER = frozenset({"order"})
"""Lists of things whose order counts: they are rows, not boxes to tick."""

Look: TypeAlias = Literal[
    "radios",
    "select",
    "number",
    "text",
    "area",
    "tick",
    "ticks",
    "parts",
    "rows",
    "keys",
    "shapes",
    "nothing",
    "later",
]
"""How a field looks: `nothing` has nothing to choose from, `later` waits for another field."""

SHAPES: Final = {
    "number": say("A number"),
    "choice": say("One"),
    "text": say("In words"),
    "list": say("Several"),
    "map": say("One for each"),
    "record": say("In detail"),
    "position": say("A place"),
}
"""The names of the kinds of values where a field takes several."""
LEFT_OPEN: Final = "\N{EN DASH}"
"""The sign for a field in which nothing is said."""


class Option(Struct, frozen=True):
    """Something to choose; `refused` says why it cannot be chosen now."""

    value: str
    title: Part
    chosen: bool
    refused: str = ""


class FormRow(Struct, frozen=True):
    """A row of a list or a map: under which path it is, what it is called, and its fields."""

    path: str
    title: Part
    fields: "list[FormField]"
    key: str | None = None


class FormField(Struct, frozen=True, kw_only=True):
    """A field of a form as it is drawn."""

    path: str
    title: Part
    look: Look
    required: bool = False
    help: Part = ""
    value: str = ""
    options: list[Option] = []
    suggested: dict[str, str] = {}
    """Texts that may be entered, each with the value that it stands for."""
    least: int | None = None
    most: int | None = None
    length_most: int | None = None
    fields: "list[FormField]" = []
    rows: list[FormRow] = []
    can_add: bool = False
    asks: bool = False
    """The possible values of others depend on it."""
    switch: bool | None = None
    """Whether an optional part is there; None: it always is."""
    waits_for: str = ""
    """The title of a field that has to be filled in first."""
    wrong: Part = ""
    budget: FormBudget | None = None

    @property
    def id(self) -> str:
        """The element's name within the page."""
        return self.path.replace(".", "-").replace(":", "-")


class Drawing(Struct, frozen=True):
    """Draws the fields of a command, whose entries begin with `root`.

    `is_sent`: the form was sent before; nothing is filled in by itself.
    """

    inputs: FormEntries
    asking: Collection[str]
    titles: Mapping[str, str]
    is_sent: bool
    wrong: Mapping[str, Part]
    root: str = COMMAND

    def fields(self, shapes: Iterable[Field], views: Sequence[CommandField], path: str) -> list[FormField]:
        """The fields of a command or a record, but for optional ones that have nothing to choose from."""
        words = {view.name: view for view in views}
        form_fields = [
            self.field(field, words[field.name], f"{path}.{field.name}") for field in shapes if field.name in words
        ]
        return [
            form_field
            for form_field in form_fields
            if form_field.look != "nothing" or form_field.required or form_field.value or form_field.wrong
        ]

    def field(self, field: Field, view: CommandField, path: str, title: Part | None = None) -> FormField:
        """One field."""
        form_field = FormField(
            path=path,
            title=view.title if title is None else title,
            look="text",
            required=view.required and not view.nullable,
            help=view.help or "",
            asks=path in {f"{self.root}.{name}" for name in self.asking},
            wrong=self.wrong.get(path, ""),
            budget=None if view.budget is UNSET else form_budget(view.budget, path, self.inputs),
        )
        waited = self._waited_for(view)
        if waited:
            return structs.replace(form_field, look="later", waits_for=waited)
        if field.variants and view.variants is not UNSET:
            return self._shapes(form_field, field, view)
        return self._shape(form_field, field, view)

    def _waited_for(self, view: CommandField) -> str:
        """The field that has to be chosen first, if one has; a number only has other bounds then."""
        if view.kind == "number":
            return ""
        needed = (name for name in view.depends_on if name in self.titles)
        return next((self.titles[name] for name in needed if not self.inputs.last(f"{self.root}.{name}")), "")

    def _shapes(self, form_field: FormField, field: Field, view: CommandField) -> FormField:
        """A field that takes values of several shapes: which one, and then that."""
        text = self.inputs.last(form_field.path + AS)
        options = [
            Option(str(nth), self._shape_title(variant, field.name), str(nth) == text)
            for nth, variant in enumerate(field.variants)
        ]
        numbers = [nth for nth, option in enumerate(options) if option.chosen]
        words = view.variants or []
        fields = [
            self._shape(
                FormField(path=form_field.path, title=options[nth].title, look="text"),
                field.variants[nth],
                words[nth],
            )
            for nth in numbers
        ]
        return structs.replace(
            form_field,
            look="shapes",
            options=_with_open(options, form_field.required, say("None")),
            fields=fields,
            asks=True,
        )

    def _shape_title(self, field: Field, name: str) -> Sentence:
        tag = None if field.struct is None else field.struct.__struct_config__.tag
        if field.struct is None or not isinstance(tag, str):
            return SHAPES.get(field.kind, SHAPES["record"])
        return value_title(field.struct, name, tag)

    def _shape(self, form_field: FormField, field: Field, view: CommandField) -> FormField:
        if is_switched(field):
            form_field = structs.replace(form_field, switch=self.inputs.last(form_field.path + ON) == YES)
        if field.kind in ("record", "position", "list", "map"):
            return self._compound(form_field, field, view)
        if field.kind == "flag":
            return self._flag(form_field, field)
        if field.kind == "number":
            return structs.replace(
                form_field,
                look="number",
                value=self._value(form_field.path, field),
                least=None if view.min is UNSET else view.min,
                most=None if view.max is UNSET else view.max,
            )
        if field.kind == "text" or view.choices is UNSET:
            return self._text(form_field, field, view)
        return self._choice(form_field, field, view.choices)

    def _compound(self, form_field: FormField, field: Field, view: CommandField) -> FormField:
        """A field that holds others."""
        match field.kind:
            case "record" | "position":
                parts = self.fields(field.fields, view.fields or [], form_field.path)
                return structs.replace(form_field, look="parts", fields=parts)
            case "list":
                return self._list(form_field, field, view)
            case _:
                return self._map(form_field, field, view)

    def _value(self, path: str, field: Field) -> str:
        """The field's content: its entry, else its default in a form that is new."""
        if self.is_sent or self.inputs.every(path) or field.default is None:
            return self.inputs.last(path)
        return str(field.default)

    def _text(self, form_field: FormField, field: Field, view: CommandField) -> FormField:
        if field.kind == "choice":
            return structs.replace(form_field, look="nothing", value=self.inputs.last(form_field.path))
        most = None if view.length is UNSET else view.length[1]
        suggested = _suggested(view.choices or []) or {str(choice): str(choice) for choice in field.values}
        titles = {value: title for title, value in suggested.items()}
        text = self._value(form_field.path, field)
        is_long = field.kind == "text" and not suggested and (most is None or most > LONG_TEXT)
        return structs.replace(
            form_field,
            look="area" if is_long else "text",
            value=titles.get(text, text),
            length_most=most,
            suggested=suggested,
        )

    def _flag(self, form_field: FormField, field: Field) -> FormField:
        text = self.inputs.last(form_field.path)
        if not field.nullable and not field.required and isinstance(field.default, bool):
            is_on = text == YES if text else field.default  # a row that was just added says nothing yet
            return structs.replace(form_field, look="tick", value=YES if is_on else NO)
        options = [Option(YES, say("Yes"), text == YES), Option(NO, say("No"), text == NO)]
        return structs.replace(form_field, look="radios", options=_with_open(options, form_field.required))

    def _choice(self, form_field: FormField, field: Field, choices: Sequence[FieldChoice]) -> FormField:
        text = self._value(form_field.path, field)
        possible = [_value_of(choice, field) for choice in choices if choice.refused is None]
        if not text and not self.is_sent and form_field.required and len(possible) == 1:
            text = possible[0]
        options = [_option(choice, field, text) for choice in choices]
        if not options:
            return structs.replace(form_field, look="nothing", value=text)
        few = len(options) <= RADIOS_MAX and form_field.required
        look: Look = (
            "radios" if few or (any(option.refused for option in options) and form_field.required) else "select"
        )
        options = sorted(options, key=lambda option: bool(option.refused))
        if tells_null(field):
            options.insert(0, Option(NULL, say("None"), text == NULL))
        is_settled = form_field.required and look == "radios"  # one that is marked cannot be left open again
        return structs.replace(form_field, look=look, options=_with_open(options, is_settled))

    def _list(self, form_field: FormField, field: Field, view: CommandField) -> FormField:
        assert field.item is not None
        assert view.item is not UNSET
        if field.item.kind == "choice" and field.item.ref and field.name not in IN_ORDER:
            ticks = self._ticks(form_field, field.item, view.item.choices or [])
            if ticks is not None:
                return ticks
        rows = self._numbers(form_field, field.least or (1 if form_field.required else 0))
        if not rows and self._leads_nowhere(field.item, view.item):
            return structs.replace(form_field, look="nothing")
        words = view.item
        form_rows = [
            FormRow(
                f"{form_field.path}.{row}",
                _nth(form_field, nth),
                [self.field(field.item, words, f"{form_field.path}.{row}", _nth(form_field, nth))],
            )
            for nth, row in enumerate(rows, 1)
        ]
        can_add = field.most is None or len(rows) < field.most
        return structs.replace(form_field, look="rows", rows=form_rows, can_add=can_add)

    def _leads_nowhere(self, field: Field, view: CommandField) -> bool:
        """Whether a row more would have nothing to choose from."""
        return field.kind == "choice" and not view.choices and not self._waited_for(view)

    def _numbers(self, form_field: FormField, least: int) -> list[int]:
        """The numbers of the rows that are there; so many at least in a form that is new."""
        rows = self.inputs.rows(form_field.path)
        return rows if self.is_sent or rows else [*range(least)]

    def _ticks(self, form_field: FormField, item: Field, choices: Sequence[FieldChoice]) -> FormField | None:
        """A list of things as boxes to tick; None where boxes cannot say what was entered."""
        rows = [self.inputs.last(f"{form_field.path}.{row}") for row in self.inputs.rows(form_field.path)]
        texts = [text for text in (*self.inputs.every(form_field.path), *rows) if text]
        values = [_value_of(choice, item) for choice in choices]
        if not 0 < len(choices) <= TICKS_MAX or texts != [text for text in values if text in texts]:
            return None
        options = [
            structs.replace(_option(choice, item, ""), chosen=_value_of(choice, item) in texts)
            for choice in choices
        ]
        return structs.replace(form_field, look="ticks", options=options)

    def _map(self, form_field: FormField, field: Field, view: CommandField) -> FormField:
        assert field.key is not None
        assert field.item is not None
        assert view.key is not UNSET
        assert view.item is not UNSET
        if field.key.kind == "choice" and view.key.choices:
            return structs.replace(
                form_field,
                look="keys",
                rows=[*self._keys(form_field, field.key, field.item, view.key.choices, view.item)],
            )
        rows = self._numbers(form_field, field.least or (1 if form_field.required else 0))
        if not rows and self._leads_nowhere(field.key, view.key):
            return structs.replace(form_field, look="nothing")
        form_rows = [
            FormRow(
                f"{form_field.path}.{row}",
                _nth(form_field, nth),
                [
                    self.field(field.key, view.key, f"{form_field.path}.{row}.key", say("Which")),
                    self.field(field.item, view.item, f"{form_field.path}.{row}.item"),
                ],
            )
            for nth, row in enumerate(rows, 1)
        ]
        return structs.replace(form_field, look="rows", rows=form_rows, can_add=True)

    def _keys(
        self, form_field: FormField, key: Field, item: Field, choices: Sequence[FieldChoice], view: CommandField
    ) -> Iterator[FormRow]:
        """One row for each key that there is."""
        rows_by_key = {
            self.inputs.last(f"{form_field.path}.{row}.key"): row for row in self.inputs.rows(form_field.path)
        }
        free = iter(row for row in range(len(choices) + len(rows_by_key)) if row not in rows_by_key.values())
        words = _left_open(view)
        for choice in choices:
            value = _value_of(choice, key)
            path = f"{form_field.path}.{rows_by_key[value] if value in rows_by_key else next(free)}"
            yield FormRow(path, choice.title, [self.field(item, words, f"{path}.item", choice.title)], value)


def drawn_fields(
    kind: type[Struct],
    views: Sequence[CommandField],
    inputs: FormEntries,
    *,
    is_sent: bool,
    wrong: Mapping[str, Part],
    root: str = COMMAND,
) -> list[FormField]:
    """The fields of a command's form, in order; the names of its entries begin with `root`."""
    shapes = fields_of(kind)
    asking = {name for field in shapes for name in field.asked_with}
    titles = {view.name: view.title for view in views if view.name in asking and view.required}
    return Drawing(inputs, asking, titles, is_sent, wrong, root).fields(shapes, views, root)


def rearranged(entries: Entries, do: str) -> list[tuple[str, str]]:
    """The entries with a row added (`add:c.dice`) or dropped (`drop:c.dice.2`), or with other dice.

    They may be one die more (`die:6`), or a reading in canonical form (`read:8d6>=5`). Other entries may stand in
    the place of those of some fields (`set:c.dice=core`, and `act:…` if the command is given with them at once).
    """
    what, _, path = do.partition(":")
    match what:
        case "add" if path:
            return [*entries, (f"{path}.{max(FormEntries(entries).rows(path), default=-1) + 1}:row", "")]
        case "drop" if path:
            return [
                entry
                for entry in entries
                if entry[0] != path and not entry[0].startswith((f"{path}.", f"{path}:"))
            ]
        case "die":
            others = [entry for entry in entries if entry[0] != NOTATION]
            return [*others, (NOTATION, with_die(FormEntries(entries).last(NOTATION), path))]
        case "read":
            others = [entry for entry in entries if entry[0] not in (NOTATION, DIALECT)]
            return [*others, (NOTATION, path), (DIALECT, CANONICAL)]
        case "set" | "act" if path:
            new = parse_qsl(path, keep_blank_values=True)[:ENTRIES_MAX]
            replaced_fields = {_field_in(name) for name, _ in new}
            return [*(entry for entry in entries if _field_in(entry[0]) not in replaced_fields), *new]
        case _:
            return [*entries]


def _field_in(name: str) -> str:
    """The path of the command's field that an entry belongs to."""
    return ".".join(name.partition(":")[0].split(".")[:2])


def _left_open(view: CommandField) -> CommandField:
    """A field in which nothing has to be said, nor in any part of it."""
    parts = view.fields if view.fields is UNSET else [_left_open(part) for part in view.fields]
    return structs.replace(view, required=False, fields=parts)


def _nth(form_field: FormField, n: int) -> Sentence:
    """The name of a row: fields of several things are named for all of them."""
    return say("{field}, no. {n}", field=form_field.title, n=n)


def _with_open(options: list[Option], required: bool, title: Part = LEFT_OPEN) -> list[Option]:
    """The options, with one for saying nothing unless one has to be chosen."""
    if required:
        return options
    return [Option("", title, not any(option.chosen for option in options)), *options]


def _suggested(choices: Sequence[FieldChoice]) -> dict[str, str]:
    """The options by their names; those of the same name by name and value."""
    open_to = [choice for choice in choices if choice.refused is None]
    titles = Counter(choice.title for choice in open_to)
    return {
        choice.title if titles[choice.title] == 1 else f"{choice.title} ({choice.value})": str(choice.value)
        for choice in open_to
    }


def _option(choice: FieldChoice, field: Field, text: str) -> Option:
    value = _value_of(choice, field)
    return Option(value, choice.title, value == text, choice.refused.detail if choice.refused is not None else "")


def _value_of(choice: FieldChoice, field: Field) -> str:
    return as_text(choice.value) if field.kind == "any" else str(choice.value)
