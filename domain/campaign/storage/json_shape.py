"""The JSON shape of types: all that decides which bytes they write and read, and nothing else.

Names and docstrings of classes are no part of it, so that they may be changed at any time.
"""

from typing import Any, get_origin

import msgspec
from msgspec import NODEFAULT, inspect, structs

Shape = list[Any]
"""Plain data, equal for types that write and read the same bytes."""

REQUIRED = ["required"]


def shape_of(kind: Any) -> Shape:
    """The shape of a type. Raises TypeError for kinds of types that no state has used yet, such as dataclasses."""
    return _shape(inspect.type_info(kind), ())


def _shape(type_: inspect.Type, within: tuple[Any, ...]) -> Shape:
    """The shape of a type; `within` are the structs that contain it, the outermost first."""
    match type_:
        case inspect.Metadata():
            return _shape(type_.type, within)  # names and personal text markers
        case inspect.StructType():
            return _struct(type_, within)
        case inspect.UnionType():
            return ["union", *sorted((_shape(inner, within) for inner in type_.types), key=msgspec.json.encode)]
        case inspect.LiteralType():
            return ["literal", *sorted(type_.values, key=repr)]
    kind, parts = type(type_).__name__, structs.asdict(type_)
    if "cls" in parts or "fields" in parts:
        raise TypeError(f"{kind}: nobody has said yet what of it decides about bytes")
    return [kind, *([name, _part(part, within)] for name, part in parts.items() if part is not None)]


def _part(part: Any, within: tuple[Any, ...]) -> Any:
    """The parts of a plain type: types, and bounds of their values."""
    if isinstance(part, inspect.Type):
        return _shape(part, within)
    return [_part(inner, within) for inner in part] if isinstance(part, tuple) else part


def _struct(type_: inspect.StructType, within: tuple[Any, ...]) -> Shape:
    if type_.cls in within:
        return [
            "outer",
            len(within) - within.index(type_.cls),
        ]  # a recursive struct, by its distance and not by its name
    config = (get_origin(type_.cls) or type_.cls).__struct_config__
    within = (*within, type_.cls)
    return [
        "struct",
        [config.array_like, config.omit_defaults, config.forbid_unknown_fields, config.tag_field, config.tag],
        *([field.encode_name, _shape(field.type, within), _default(field)] for field in type_.fields),
    ]


def _default(field: inspect.Field) -> Any:
    """The default of a field, as JSON."""
    if field.default_factory is not NODEFAULT:
        return ["default", _plain(field.default_factory())]
    if field.required:
        return REQUIRED
    return ["unset"] if field.default is NODEFAULT else ["default", _plain(field.default)]


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value, order="sorted")
