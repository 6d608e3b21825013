"""The form of a command: what each field shows, made from what may stand in it and from what was entered."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import UNSET, Struct, structs

from domain.offers.fields import Field, fields_of
from domain.sentences import Part, Sentence, say
from projections.possible_commands import CommandField, FieldChoice
from projections.words import value_title
from services.web.command_entries import (
    AS,
    COMMAND,
    NO,
    NULL,
    ON,
    YES,
    Entered,
    Entries,
    as_text,
    is_switched,
    tells_null,
)
from services.web.dice_tray import NOTATION, with_die
from services.web.form_budget import FormBudget, form_budget

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
"""What the kinds of values are called where a field takes several."""
LEFT_OPEN = say("Not said")


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
    """A field of a form as it is drawn.

    `asks`: what may stand in others depends on it. `switch` is whether an optional part is there; None: it always
    is. `waits_for` is the title of a field that has to be filled in first. `suggested` are texts that may be
    entered, each with the value that it stands for.
    """

    path: str
    title: Part
    look: Look
    required: bool = False
    help: Part = ""
    value: str = ""
    options: list[Option] = []
    suggested: dict[str, str] = {}
    least: int | None = None
    most: int | None = None
    length_most: int | None = None
    fields: "list[FormField]" = []
    rows: list[FormRow] = []
    can_add: bool = False
    asks: bool = False
    switch: bool | None = None
    waits_for: str = ""
    wrong: Part = ""
    budget: FormBudget | None = None

    @property
    def id(self) -> str:
        """What the element is called within the page."""
        return self.path.replace(".", "-").replace(":", "-")


class Drawing(Struct, frozen=True):
    """Draws the fields of a command. `sent`: the form was sent before, so that nothing is filled in by itself."""

    entered: Entered
    asking: Collection[str]
    titles: Mapping[str, str]
    sent: bool
    wrong: Mapping[str, Part]

    def fields(self, shapes: Iterable[Field], told: Sequence[CommandField], path: str) -> list[FormField]:
        """The fields of a command or a record, but for optional ones that have nothing to choose from."""
        words = {each.name: each for each in told}
        drawn = [
            self.field(each, words[each.name], f"{path}.{each.name}") for each in shapes if each.name in words
        ]
        return [each for each in drawn if each.look != "nothing" or each.required or each.value or each.wrong]

    def field(self, field: Field, told: CommandField, path: str, title: Part | None = None) -> FormField:
        """One field."""
        drawn = FormField(
            path=path,
            title=told.title if title is None else title,
            look="text",
            required=told.required and not told.nullable,
            help=told.help or "",
            asks=path in {f"{COMMAND}.{name}" for name in self.asking},
            wrong=self.wrong.get(path, ""),
            budget=None if told.budget is UNSET else form_budget(told.budget, path, self.entered),
        )
        waited = self._waited_for(told)
        if waited:
            return structs.replace(drawn, look="later", waits_for=waited)
        if field.variants and told.variants is not UNSET:
            return self._shapes(drawn, field, told)
        return self._shape(drawn, field, told)

    def _waited_for(self, told: CommandField) -> str:
        """The field that has to be chosen first, if one has; a number only has other bounds then."""
        if told.kind == "number":
            return ""
        needed = (each for each in told.depends_on if each in self.titles)
        return next((self.titles[each] for each in needed if not self.entered.last(f"{COMMAND}.{each}")), "")

    def _shapes(self, drawn: FormField, field: Field, told: CommandField) -> FormField:
        """A field that takes values of several shapes: which one, and then that."""
        said = self.entered.last(drawn.path + AS)
        options = [
            Option(str(nth), self._shape_title(each, field.name), str(nth) == said)
            for nth, each in enumerate(field.variants)
        ]
        chosen = [nth for nth, each in enumerate(options) if each.chosen]
        words = told.variants or []
        fields = [
            self._shape(
                FormField(path=drawn.path, title=options[nth].title, look="text"), field.variants[nth], words[nth]
            )
            for nth in chosen
        ]
        return structs.replace(
            drawn, look="shapes", options=_with_open(options, drawn.required), fields=fields, asks=True
        )

    def _shape_title(self, field: Field, name: str) -> Sentence:
        tag = None if field.struct is None else field.struct.__struct_config__.tag
        if field.struct is None or not isinstance(tag, str):
            return SHAPES.get(field.kind, SHAPES["record"])
        return value_title(field.struct, name, tag)

    def _shape(self, drawn: FormField, field: Field, told: CommandField) -> FormField:
        if is_switched(field):
            drawn = structs.replace(drawn, switch=self.entered.last(drawn.path + ON) == YES)
        if field.kind in ("record", "position", "list", "map"):
            return self._compound(drawn, field, told)
        if field.kind == "flag":
            return self._flag(drawn, field)
        if field.kind == "number":
            return structs.replace(
                drawn,
                look="number",
                value=self._value(drawn.path, field),
                least=None if told.min is UNSET else told.min,
                most=None if told.max is UNSET else told.max,
            )
        if field.kind == "text" or told.choices is UNSET:
            return self._text(drawn, field, told)
        return self._choice(drawn, field, told.choices)

    def _compound(self, drawn: FormField, field: Field, told: CommandField) -> FormField:
        """A field that holds others."""
        match field.kind:
            case "record" | "position":
                parts = self.fields(field.fields, told.fields or [], drawn.path)
                return structs.replace(drawn, look="parts", fields=parts)
            case "list":
                return self._list(drawn, field, told)
            case _:
                return self._map(drawn, field, told)

    def _value(self, path: str, field: Field) -> str:
        """What the field holds: what was entered, else its default in a form that is new."""
        if self.sent or self.entered.every(path) or field.default is None:
            return self.entered.last(path)
        return str(field.default)

    def _text(self, drawn: FormField, field: Field, told: CommandField) -> FormField:
        if field.kind == "choice":
            return structs.replace(drawn, look="nothing", value=self.entered.last(drawn.path))
        most = None if told.length is UNSET else told.length[1]
        suggested = _suggested(told.choices or []) or {str(each): str(each) for each in field.values}
        called = {value: title for title, value in suggested.items()}
        said = self._value(drawn.path, field)
        is_long = field.kind == "text" and not suggested and (most is None or most > LONG_TEXT)
        return structs.replace(
            drawn,
            look="area" if is_long else "text",
            value=called.get(said, said),
            length_most=most,
            suggested=suggested,
        )

    def _flag(self, drawn: FormField, field: Field) -> FormField:
        said = self.entered.last(drawn.path)
        if not field.nullable and not field.required and isinstance(field.default, bool):
            is_on = said == YES if said else field.default  # a row that was just added says nothing yet
            return structs.replace(drawn, look="tick", value=YES if is_on else NO)
        options = [Option(YES, say("Yes"), said == YES), Option(NO, say("No"), said == NO)]
        return structs.replace(drawn, look="radios", options=_with_open(options, drawn.required))

    def _choice(self, drawn: FormField, field: Field, choices: Sequence[FieldChoice]) -> FormField:
        said = self._value(drawn.path, field)
        possible = [_value_of(each, field) for each in choices if each.refused is None]
        if not said and not self.sent and drawn.required and len(possible) == 1:
            said = possible[0]
        options = [_option(each, field, said) for each in choices]
        if not options:
            return structs.replace(drawn, look="nothing", value=said)
        few = len(options) <= RADIOS_MAX and drawn.required
        look: Look = "radios" if few or (any(each.refused for each in options) and drawn.required) else "select"
        options = sorted(options, key=lambda each: bool(each.refused))
        if tells_null(field):
            options.insert(0, Option(NULL, say("None"), said == NULL))
        is_settled = drawn.required and look == "radios"  # one that is marked cannot be left open again
        return structs.replace(drawn, look=look, options=_with_open(options, is_settled))

    def _list(self, drawn: FormField, field: Field, told: CommandField) -> FormField:
        assert field.item is not None
        assert told.item is not UNSET
        if field.item.kind == "choice" and field.item.ref and field.name not in IN_ORDER:
            ticks = self._ticks(drawn, field.item, told.item.choices or [])
            if ticks is not None:
                return ticks
        rows = self._numbers(drawn, field.least or (1 if drawn.required else 0))
        words = told.item
        made = [
            FormRow(
                f"{drawn.path}.{row}",
                _nth(drawn, nth),
                [self.field(field.item, words, f"{drawn.path}.{row}", _nth(drawn, nth))],
            )
            for nth, row in enumerate(rows, 1)
        ]
        can_add = field.most is None or len(rows) < field.most
        return structs.replace(drawn, look="rows", rows=made, can_add=can_add)

    def _numbers(self, drawn: FormField, least: int) -> list[int]:
        """The numbers of the rows that are there; so many at least in a form that is new."""
        rows = self.entered.rows(drawn.path)
        return rows if self.sent or rows else [*range(least)]

    def _ticks(self, drawn: FormField, item: Field, choices: Sequence[FieldChoice]) -> FormField | None:
        """A list of things as boxes to tick; None where boxes cannot say what was entered."""
        rows = [self.entered.last(f"{drawn.path}.{row}") for row in self.entered.rows(drawn.path)]
        said = [each for each in (*self.entered.every(drawn.path), *rows) if each]
        known = [_value_of(each, item) for each in choices]
        if not 0 < len(choices) <= TICKS_MAX or said != [each for each in known if each in said]:
            return None
        options = [
            structs.replace(_option(each, item, ""), chosen=_value_of(each, item) in said) for each in choices
        ]
        return structs.replace(drawn, look="ticks", options=options)

    def _map(self, drawn: FormField, field: Field, told: CommandField) -> FormField:
        assert field.key is not None
        assert field.item is not None
        assert told.key is not UNSET
        assert told.item is not UNSET
        if field.key.kind == "choice" and told.key.choices:
            return structs.replace(
                drawn, look="keys", rows=[*self._keys(drawn, field.key, field.item, told.key.choices, told.item)]
            )
        rows = self._numbers(drawn, field.least or (1 if drawn.required else 0))
        made = [
            FormRow(
                f"{drawn.path}.{row}",
                _nth(drawn, nth),
                [
                    self.field(field.key, told.key, f"{drawn.path}.{row}.key", say("Which")),
                    self.field(field.item, told.item, f"{drawn.path}.{row}.item"),
                ],
            )
            for nth, row in enumerate(rows, 1)
        ]
        return structs.replace(drawn, look="rows", rows=made, can_add=True)

    def _keys(
        self, drawn: FormField, key: Field, item: Field, choices: Sequence[FieldChoice], told: CommandField
    ) -> Iterator[FormRow]:
        """One row for each key that there is."""
        taken = {self.entered.last(f"{drawn.path}.{row}.key"): row for row in self.entered.rows(drawn.path)}
        free = iter(each for each in range(len(choices) + len(taken)) if each not in taken.values())
        words = structs.replace(told, required=False)
        for each in choices:
            value = _value_of(each, key)
            path = f"{drawn.path}.{taken[value] if value in taken else next(free)}"
            yield FormRow(path, each.title, [self.field(item, words, f"{path}.item", each.title)], value)


def drawn_fields(
    kind: type[Struct],
    told: Sequence[CommandField],
    entered: Entered,
    *,
    sent: bool,
    wrong: Mapping[str, Part],
) -> list[FormField]:
    """The fields of a command's form, in order."""
    shapes = fields_of(kind)
    asking = {name for each in shapes for name in each.asked_with}
    titles = {each.name: each.title for each in told if each.name in asking and each.required}
    return Drawing(entered, asking, titles, sent, wrong).fields(shapes, told, COMMAND)


def rearranged(entries: Entries, do: str) -> list[tuple[str, str]]:
    """The entries with a row added (`add:c.dice`) or dropped (`drop:c.dice.2`), or with one die more (`die:6`)."""
    what, _, path = do.partition(":")
    match what:
        case "add" if path:
            return [*entries, (f"{path}.{max(Entered(entries).rows(path), default=-1) + 1}:row", "")]
        case "drop" if path:
            return [
                each for each in entries if each[0] != path and not each[0].startswith((f"{path}.", f"{path}:"))
            ]
        case "die":
            others = [each for each in entries if each[0] != NOTATION]
            return [*others, (NOTATION, with_die(Entered(entries).last(NOTATION), path))]
        case _:
            return [*entries]


def _nth(drawn: FormField, n: int) -> Sentence:
    """What a row is called: fields of several things are named for all of them."""
    return say("{field}, no. {n}", field=drawn.title, n=n)


def _with_open(options: list[Option], required: bool) -> list[Option]:
    """The options, with one for saying nothing unless one has to be chosen."""
    if required:
        return options
    return [Option("", LEFT_OPEN, not any(each.chosen for each in options)), *options]


def _suggested(choices: Sequence[FieldChoice]) -> dict[str, str]:
    """What may be chosen, by what it is called; of those that are called the same, by that and the value."""
    open_to = [each for each in choices if each.refused is None]
    titles = Counter(each.title for each in open_to)
    return {
        each.title if titles[each.title] == 1 else f"{each.title} ({each.value})": str(each.value)
        for each in open_to
    }


def _option(choice: FieldChoice, field: Field, said: str) -> Option:
    value = _value_of(choice, field)
    return Option(value, choice.title, value == said, choice.refused.detail if choice.refused is not None else "")


def _value_of(choice: FieldChoice, field: Field) -> str:
    return as_text(choice.value) if field.kind == "any" else str(choice.value)
