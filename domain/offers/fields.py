"""The fields of a command, as data: the kind of value each takes, its bounds, and the kind of thing it names."""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from msgspec import NODEFAULT, UNSET, Struct, inspect, structs

from domain.declared_fields import declared_fields
from domain.field_references import BOUNDS, PAID, Bounds, ref_of
from domain.type_cache import once_per_kind

FieldKind: TypeAlias = Literal["choice", "number", "text", "flag", "position", "record", "list", "map", "any"]
EXAMPLES = "examples"
POSITION = "Position"
"""The name of a struct that is a place on a board."""


class Field(Struct, frozen=True, kw_only=True):
    """A field of a command or of a record in it.

    `kind` says which of the others count: a `choice` has the `values` that it may take (empty where `ref` names a
    kind of thing), a `number` the bounds `least` and `most`, a `text`, `list` or `map` the bounds of its length in
    `least` and `most`, and a `text` a `pattern` or some examples as `values`. A `record` or `position` has
    `fields`, a `list` or `map` has an `item`, and a map a `key`. A field of several kinds has `variants`, and
    is of the kind of the first. A field of kind `any` depends on another one. `is_number` says that a choice is
    among things that have numbers, `tells_null` that null says something else than nothing does. Of a number that
    is `paid`, more is never easier to give. Where the bounds depend on how things are, `ends` is the kind of the
    candidates among which they lie, and `ends_of` are the fields that decide between them.
    """

    name: str
    kind: FieldKind
    required: bool = False
    nullable: bool = False
    default: Any = None
    values: tuple[Any, ...] = ()
    ref: str | None = None
    depends_on: str | None = None
    least: int | None = None
    most: int | None = None
    pattern: str | None = None
    paid: bool = False
    ends: str | None = None
    ends_of: tuple[str, ...] = ()
    has_certain_ends: bool = False
    """The least and the most of those candidates are the bounds: none has to be tried."""
    fields: tuple["Field", ...] = ()
    item: "Field | None" = None
    key: "Field | None" = None
    variants: tuple["Field", ...] = ()
    struct: type[Struct] | None = None
    is_number: bool = False
    tells_null: bool = False

    depends: tuple[str, ...] = ()
    asked_with: tuple[str, ...] = ()
    has_ends: bool = False
    parts: tuple["Field", ...] = ()

    def __post_init__(self) -> None:
        """`depends` are the fields that this one or any part of it depends on, `parts` are those it is made of.

        `asked_with` are these and those that decide between its bounds: it is asked again with their values. It
        `has_ends` where its own bounds or those of any part depend on how things are.
        """
        own = (*self.fields, *(part for part in (self.key, self.item) if part is not None))
        structs.force_setattr(self, "parts", own)
        parts = [*own, *self.variants]
        names = [
            *([self.depends_on] if self.depends_on else []),
            *(name for part in parts for name in part.depends),
        ]
        structs.force_setattr(self, "depends", tuple(dict.fromkeys(names)))
        bounding = [*self.ends_of, *(name for part in parts for name in part.asked_with)]
        structs.force_setattr(self, "asked_with", tuple(dict.fromkeys([*names, *bounding])))
        structs.force_setattr(self, "has_ends", self.ends is not None or any(part.has_ends for part in parts))


@once_per_kind
def fields_of(kind: type[Struct]) -> tuple[Field, ...]:
    """The fields of a command or record, those that have to be said first."""
    fields = map(_field, declared_fields(kind))
    return tuple(sorted(fields, key=lambda field: not field.required))


def _field(declaration: inspect.Field) -> Field:
    default = declaration.default
    if default is NODEFAULT and declaration.default_factory is not NODEFAULT:
        default = declaration.default_factory()
    return _shape(
        declaration.encode_name,
        declaration.type,
        required=declaration.required,
        default=None if default is NODEFAULT or default is UNSET else default,
        tells_null=not declaration.required and default in (NODEFAULT, UNSET),
    )


def _shape(name: str, type_: inspect.Type, **more: Any) -> Field:
    extra: dict[str, Any] = {}
    parts = [*_parts(type_, extra)]
    nullable = any(isinstance(part, inspect.NoneType | inspect.AnyType) for part in parts)
    shapes = [
        Field(name=name, nullable=nullable, **more, **description)
        for part in parts
        if (description := _describe(part, extra)) is not None
    ]
    first = shapes[0]
    if len(shapes) == 1:
        return first
    if all(shape.kind == "choice" and not shape.ref for shape in shapes):
        values = tuple(value for shape in shapes for value in shape.values)
        return Field(name=name, kind="choice", nullable=nullable, values=values, **more)
    return Field(name=name, kind=first.kind, nullable=nullable, ref=first.ref, variants=tuple(shapes), **more)


def _parts(type_: inspect.Type, extra: dict[str, Any]) -> Iterator[inspect.Type]:
    """The alternatives of a type; the additions of its annotations are put into `extra`."""
    if isinstance(type_, inspect.Metadata):
        extra |= (type_.extra_json_schema or {}) | (type_.extra or {})
        yield from _parts(type_.type, extra)
    elif isinstance(type_, inspect.UnionType):
        for alternative in type_.types:
            yield from _parts(alternative, extra)
    else:
        yield type_


def _describe(type_: inspect.Type, extra: dict[str, Any]) -> dict[str, Any] | None:
    """The kind of values that a plain type takes; None for null, which stands beside the others."""
    reference = ref_of(extra)
    refers = {} if reference is None else {"kind": "choice", "ref": reference.kind, "depends_on": reference.of}
    description: dict[str, Any] | None = None
    match type_:
        case inspect.StrType():
            description = {
                "kind": "text",
                **_bounds(type_.min_length, type_.max_length, extra),
                "pattern": type_.pattern,
            }
            description |= {"values": tuple(extra.get(EXAMPLES, ())), **refers}
            description |= {"kind": "text"} if reference is not None and reference.free else {}
        case inspect.IntType():
            description = {"kind": "number", **_bounds(type_.ge, type_.le, extra), "is_number": True, **refers}
            description |= {"paid": True} if PAID in extra else {}
        case inspect.UUIDType():
            description = {"kind": "choice", "ref": "member", **refers}
        case inspect.LiteralType():
            description = {"kind": "choice", "values": type_.values}
        case inspect.BoolType():
            description = {"kind": "flag", "values": (False, True)}
        case inspect.AnyType():
            description = {**refers, "kind": "any"}
        case inspect.NoneType():
            pass
        case _:
            description = _compound(type_, extra)
    return description


def _compound(type_: inspect.Type, extra: dict[str, Any]) -> dict[str, Any]:
    """The same of a record, a list or a map."""
    match type_:
        case inspect.StructType():
            kind = "position" if type_.cls.__name__ == POSITION else "record"
            return {"kind": kind, "fields": fields_of(type_.cls), "struct": type_.cls}
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType():
            return _list_of(type_.item_type, type_.min_length, type_.max_length, extra)
        case inspect.TupleType():
            length = len(type_.item_types)
            return _list_of(type_.item_types[0], length, length, extra)
        case inspect.DictType():
            return {
                "kind": "map",
                "key": _shape("key", type_.key_type, required=True),
                "item": _shape("item", type_.value_type, required=True),
                **_bounds(type_.min_length, type_.max_length, extra),
            }
    raise TypeError(f"commands have no field like {type_}")


def _list_of(item: inspect.Type, least: int | None, most: int | None, extra: dict[str, Any]) -> dict[str, Any]:
    description = {"kind": "list", **_bounds(least, most, extra)}
    of_items = {name: annotation for name, annotation in extra.items() if name != BOUNDS}
    shape = _shape("item", inspect.Metadata(item, extra=of_items) if of_items else item, required=True)
    return description | {"item": shape}


def _bounds(least: int | None, most: int | None, extra: dict[str, Any]) -> dict[str, Any]:
    """The bounds that decoding allows, and within them the rules."""
    rules: Bounds = extra.get(BOUNDS, Bounds())
    return {
        "least": least if rules.least is None else rules.least,
        "most": most if rules.most is None else rules.most,
        "ends": rules.ends,
        "ends_of": rules.of,
        "has_certain_ends": rules.certain,
    }
