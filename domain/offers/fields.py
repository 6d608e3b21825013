"""The fields of a command, as data: what kind of value each takes, within which bounds, and what it names."""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from msgspec import NODEFAULT, UNSET, Struct, inspect, structs

from domain.declared_fields import declared_fields
from domain.references import BOUNDS, PAID, Bounds, ref_of
from domain.type_cache import once_per_kind

FieldKind: TypeAlias = Literal["choice", "number", "text", "flag", "position", "record", "list", "map", "any"]
EXAMPLES = "examples"
POSITION = "Position"
"""What a struct is called that is a place on a board."""


class Field(Struct, frozen=True, kw_only=True):
    """A field of a command or of a record in it.

    `kind` says which of the others count: a `choice` has the `values` that it may take (empty where `ref` names a
    kind of thing), a `number` the bounds `least` and `most`, a `text`, `list` or `map` the bounds of its length in
    `least` and `most`, and a `text` a `pattern` or some examples as `values`. A `record` or `position` has
    `fields`, a `list` or `map` has an `item`, and a map a `key`. What may be of several kinds has `variants`, and
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
        """`depends` are the fields that this one or any part of it depends on, `parts` are what it is made of.

        `asked_with` are these and those that decide between its bounds: it is asked again with what they say. It
        `has_ends` where its own bounds or those of any part depend on how things are.
        """
        own = (*self.fields, *(each for each in (self.key, self.item) if each is not None))
        structs.force_setattr(self, "parts", own)
        parts = [*own, *self.variants]
        found = [
            *([self.depends_on] if self.depends_on else []),
            *(name for each in parts for name in each.depends),
        ]
        structs.force_setattr(self, "depends", tuple(dict.fromkeys(found)))
        bounding = [*self.ends_of, *(name for each in parts for name in each.asked_with)]
        structs.force_setattr(self, "asked_with", tuple(dict.fromkeys([*found, *bounding])))
        structs.force_setattr(self, "has_ends", self.ends is not None or any(each.has_ends for each in parts))


@once_per_kind
def fields_of(kind: type[Struct]) -> tuple[Field, ...]:
    """The fields of a command or record, those that have to be said first."""
    fields = map(_field, declared_fields(kind))
    return tuple(sorted(fields, key=lambda each: not each.required))


def _field(found: inspect.Field) -> Field:
    default = found.default
    if default is NODEFAULT and found.default_factory is not NODEFAULT:
        default = found.default_factory()
    return _shape(
        found.encode_name,
        found.type,
        required=found.required,
        default=None if default is NODEFAULT or default is UNSET else default,
        tells_null=not found.required and default in (NODEFAULT, UNSET),
    )


def _shape(name: str, found: inspect.Type, **more: Any) -> Field:
    extra: dict[str, Any] = {}
    parts = [*_parts(found, extra)]
    nullable = any(isinstance(each, inspect.NoneType | inspect.AnyType) for each in parts)
    shapes = [
        Field(name=name, nullable=nullable, **more, **said)
        for each in parts
        if (said := _said(each, extra)) is not None
    ]
    first = shapes[0]
    if len(shapes) == 1:
        return first
    if all(each.kind == "choice" and not each.ref for each in shapes):
        values = tuple(value for each in shapes for value in each.values)
        return Field(name=name, kind="choice", nullable=nullable, values=values, **more)
    return Field(name=name, kind=first.kind, nullable=nullable, ref=first.ref, variants=tuple(shapes), **more)


def _parts(found: inspect.Type, extra: dict[str, Any]) -> Iterator[inspect.Type]:
    """The alternatives of a type; what its annotations add is put into `extra`."""
    if isinstance(found, inspect.Metadata):
        extra |= (found.extra_json_schema or {}) | (found.extra or {})
        yield from _parts(found.type, extra)
    elif isinstance(found, inspect.UnionType):
        for each in found.types:
            yield from _parts(each, extra)
    else:
        yield found


def _said(found: inspect.Type, extra: dict[str, Any]) -> dict[str, Any] | None:
    """What kind of values a plain type takes; None for null, which stands beside the others."""
    named = ref_of(extra)
    refers = {} if named is None else {"kind": "choice", "ref": named.kind, "depends_on": named.of}
    said: dict[str, Any] | None = None
    match found:
        case inspect.StrType():
            said = {"kind": "text", **_bounds(found.min_length, found.max_length, extra), "pattern": found.pattern}
            said |= {"values": tuple(extra.get(EXAMPLES, ())), **refers}
            said |= {"kind": "text"} if named is not None and named.free else {}
        case inspect.IntType():
            said = {"kind": "number", **_bounds(found.ge, found.le, extra), "is_number": True, **refers}
            said |= {"paid": True} if PAID in extra else {}
        case inspect.UUIDType():
            said = {"kind": "choice", "ref": "member", **refers}
        case inspect.LiteralType():
            said = {"kind": "choice", "values": found.values}
        case inspect.BoolType():
            said = {"kind": "flag", "values": (False, True)}
        case inspect.AnyType():
            said = {**refers, "kind": "any"}
        case inspect.NoneType():
            pass
        case _:
            said = _compound(found, extra)
    return said


def _compound(found: inspect.Type, extra: dict[str, Any]) -> dict[str, Any]:
    """The same of a record, a list or a map."""
    match found:
        case inspect.StructType():
            kind = "position" if found.cls.__name__ == POSITION else "record"
            return {"kind": kind, "fields": fields_of(found.cls), "struct": found.cls}
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType():
            return _list_of(found.item_type, found.min_length, found.max_length, extra)
        case inspect.TupleType():
            length = len(found.item_types)
            return _list_of(found.item_types[0], length, length, extra)
        case inspect.DictType():
            return {
                "kind": "map",
                "key": _shape("key", found.key_type, required=True),
                "item": _shape("item", found.value_type, required=True),
                **_bounds(found.min_length, found.max_length, extra),
            }
    raise TypeError(f"commands have no field like {found}")


def _list_of(item: inspect.Type, least: int | None, most: int | None, extra: dict[str, Any]) -> dict[str, Any]:
    said = {"kind": "list", **_bounds(least, most, extra)}
    of_items = {name: each for name, each in extra.items() if name != BOUNDS}
    shape = _shape("item", inspect.Metadata(item, extra=of_items) if of_items else item, required=True)
    return said | {"item": shape}


def _bounds(least: int | None, most: int | None, extra: dict[str, Any]) -> dict[str, Any]:
    """What decoding allows, and within it the rules."""
    rules: Bounds = extra.get(BOUNDS, Bounds())
    return {
        "least": least if rules.least is None else rules.least,
        "most": most if rules.most is None else rules.most,
        "ends": rules.ends,
        "ends_of": rules.of,
    }
