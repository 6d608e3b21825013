"""What is stored of an event or a command, as a JSON schema that no Python name and no prose has a part in."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_origin

import msgspec
from msgspec import NODEFAULT, Struct, inspect

from domain.personal_text import PERSONAL

GOLDEN = Path(__file__).with_name("wire_schema.golden.json")

LIMITS = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}
SCALARS: dict[type, dict[str, Any]] = {
    inspect.AnyType: {},
    inspect.BoolType: {"type": "boolean"},
    inspect.NoneType: {"type": "null"},
    inspect.UUIDType: {"type": "string", "format": "uuid"},
    inspect.IntType: {"type": "integer"},
    inspect.FloatType: {"type": "number"},
    inspect.StrType: {"type": "string"},
}
LISTS = (inspect.ListType, inspect.VarTupleType, inspect.SetType, inspect.FrozenSetType)
LENGTHS = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")} | {
    "object": ("minProperties", "maxProperties")
}


def wire_schema(kind: type[Struct]) -> dict[str, Any]:
    """The schema of one event or command; of an event also its `kind_version`."""
    schema = _schema(inspect.type_info(kind))
    version = getattr(kind, "kind_version", None)
    return schema if version is None else {"kind_version": version} | schema


def _schema(kind: inspect.Type) -> dict[str, Any]:
    """The schema of a type, its limits included. Raises TypeError for a type that nothing stored has so far."""
    plain: dict[str, Any]
    match kind:
        case inspect.Metadata():
            apart = {PERSONAL: True} if (kind.extra or {}).get(PERSONAL) else {}  # such a text is stored elsewhere
            return _schema(kind.type) | apart
        case inspect.StructType():
            return _struct(kind)
        case inspect.UnionType():
            return {"anyOf": sorted(map(_schema, kind.types), key=_in_order)}
        case inspect.LiteralType():
            return {"enum": sorted(kind.values, key=str)}
        case inspect.TupleType():
            return {"type": "array", "prefixItems": [_schema(each) for each in kind.item_types]}
        case inspect.DictType():
            names, values = _schema(kind.key_type), _schema(kind.value_type)
            plain = {"type": "object", "propertyNames": names, "additionalProperties": values}
        case _ if isinstance(kind, LISTS):
            plain = {"type": "array", "items": _schema(kind.item_type)}
        case _ if type(kind) in SCALARS:
            plain = dict(SCALARS[type(kind)])
        case _:
            raise TypeError(f"{kind} has no wire schema here yet")
    return plain | dict(_limits(kind, plain.get("type")))


def _limits(kind: inspect.Type, type_name: str | None) -> Iterator[tuple[str, Any]]:
    """The limits of a number, of a text, or of how many there are."""
    fewest, most = LENGTHS.get(type_name or "", ("", ""))
    for field, name in (LIMITS | {"min_length": fewest, "max_length": most}).items():
        if (limit := getattr(kind, field, None)) is not None:
            yield name, limit


def _struct(kind: inspect.StructType) -> dict[str, Any]:
    """An object: how it is tagged and written, and its fields in the order in which they are written."""
    struct: Any = get_origin(kind.cls) or kind.cls
    schema: dict[str, Any] = {"type": "array" if kind.array_like else "object"}
    if kind.tag is not None:
        schema["tag"] = {str(kind.tag_field): kind.tag}
    if kind.forbid_unknown_fields:
        schema["additionalProperties"] = False
    if struct.__struct_config__.omit_defaults:
        schema["omits_defaults"] = True
    return schema | {"fields": [_field(each) for each in kind.fields]}


def _field(field: inspect.Field) -> dict[str, Any]:
    """A field by its wire name; one without a `default` is required."""
    schema: dict[str, Any] = {"name": field.encode_name, "schema": _schema(field.type)}
    if field.default is not NODEFAULT:
        schema["default"] = _as_json(field.default)
    elif field.default_factory is not NODEFAULT:
        schema["default"] = _as_json(field.default_factory())
    elif not field.required:
        schema["default"] = "unset"
    return schema


def _as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _in_order(schema: dict[str, Any]) -> bytes:
    return msgspec.json.encode(schema, order="sorted")
