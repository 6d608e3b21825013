"""How a sheet is arranged, and as what each of its fields is drawn: data that any screen can draw by.

A field is drawn by its type: as a number, a text, a table of structs. A system's layout, beside its views, says
which fields are something else (a die, a meter, a clock), which stand on top, in which panel each other one is,
and which people need not see.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct, field, inspect

from domain.sentences import Sentence, Term
from projections.nested_structs import shapes

PANEL = "panel"
"""The context under which catalogues keep the headings of panels."""

As = Literal[
    "number",
    "text",
    "flag",
    "modifier",
    "die",
    "ladder",
    "pips",
    "clock",
    "meter",
    "slots",
    "chips",
    "record",
    "table",
    "person",
    "thing",
    "moment",
    "instant",
    "money",
]


class Shown(Struct, frozen=True, omit_defaults=True):
    """As what a field is drawn. A `person` is an account's id, a `thing` any other.

    A `moment` is campaign time, whose unit has so many seconds (`unit_seconds`); an `instant` is real time, in
    microseconds UTC. A `modifier` is a number with its sign. A `ladder` is a die among the `steps` that it can be.

    Of a struct that is drawn as one number or die, `of` names the field that has it, and `out_of` the field that
    says how much there can be; or that is a number, the same for all. `beside` are fields of it that are always
    told with it; the others are details. Of a table, `of` names the field that says what a row is about; left out,
    it is `name`, else the key of the row.
    """

    as_: As = field(name="as")
    of: str | None = None
    out_of: str | int | None = None
    beside: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    unit_seconds: int = 1


class Panel(Struct, frozen=True):
    """Fields that stand together under a heading."""

    title: Term
    fields: tuple[str, ...]


class Layout(Struct, frozen=True):
    """How a struct is arranged."""

    vitals: tuple[str, ...]
    """The fields on top, always to be seen."""
    panels: tuple[Panel, ...]
    """The parts below."""
    displays: Mapping[str, Shown]
    """By field, for structs within by struct and field (`MechView.mech_id`)."""
    hidden_fields: frozenset[str]
    """Neither on top nor below; named as in `displays`."""


def panel(title: str, *fields: str) -> Panel:
    """A panel under a heading."""
    return Panel(Term(title, context=PANEL), fields)


def shown_as(layout: Layout, root: type[Struct], struct: type[Struct], name: str) -> Shown | None:
    """As what a field is drawn, of the struct that is laid out or of one within; None: it is not."""
    key = name if struct is root else f"{struct.__name__}.{name}"
    if key in layout.hidden_fields:
        return None
    return layout.displays.get(key) or Shown(natural(struct)[name])


def drawn_structs(layout: Layout, root: type[Struct]) -> list[type[Struct]]:
    """The struct that is laid out, and every one within that is drawn somewhere in it."""
    struct_types, within = [root], shapes(root)
    for struct in struct_types:
        for name, contents in within[struct].items():
            if shown_as(layout, root, struct, name) is not None:
                struct_types += [inner for inner in contents.structs if inner not in struct_types]
    return struct_types


@cache
def natural(struct: type[Struct]) -> dict[str, As]:
    """How the fields of a struct are drawn by their types."""
    kind = inspect.type_info(struct)
    assert isinstance(kind, inspect.StructType)
    return {field.encode_name: _by_type(field.type) for field in kind.fields}


def _by_type(kind: inspect.Type) -> As:
    match kind:
        case inspect.Metadata():
            return _by_type(kind.type)
        case inspect.UnionType():
            return _by_type(next(part for part in kind.types if not isinstance(part, inspect.NoneType)))
        case inspect.CollectionType():
            return "table" if _by_type(kind.item_type) == "record" else "chips"
        case inspect.DictType():
            return "table" if _by_type(kind.value_type) == "record" else "chips"
        case inspect.StructType():
            return "text" if issubclass(kind.cls, Sentence) else "record"
        case _:
            return _PLAIN.get(type(kind), "text")


_PLAIN: dict[type[inspect.Type], As] = {
    inspect.BoolType: "flag",
    inspect.IntType: "number",
    inspect.UUIDType: "person",
}
