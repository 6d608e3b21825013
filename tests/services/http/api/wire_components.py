"""Components of the OpenAPI document that are stored commands and events, whose shapes another golden file keeps.

Both say the same in words of their own: an answer names every field that it always has, a stored shape those
without a default; and the document's prose is in no stored shape.
"""

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from tests import golden
from tests.domain.campaign.wire_schema import GOLDEN

Schema: TypeAlias = dict[str, Any]

PROSE = {"description", "discriminator", "title", "x-ref"}
ONLY_STORED = {"fields", "kind_version", "omits_defaults", "personal", "tag"}
PLACE = {"recorded", "seq"}
"""What the document says of every event besides: its place in the log."""


def with_wire_names(document: Schema) -> Schema:
    """The document with a component's wire name, and what its fields refer to, for what is kept as stored.

    A component that is not quite as it is stored stays whole.
    """
    components: dict[str, Schema] = document["components"]["schemas"]
    kinds = _kinds()
    short = {}
    for name, component in components.items():
        wire_name, wire = kinds.get(component.get("properties", {}).get("type", {}).get("const"), ("", {}))
        if wire_name and _sent(component, components, wire_name) == _stored(wire, wire_name):
            short[name] = {"wire": wire_name} | dict(_references(component["properties"]))
    return document | {"components": document["components"] | {"schemas": components | short}}


def _kinds() -> dict[str, tuple[str, Schema]]:
    """The newest stored shape of each command and event, by its tag, with its name in the file."""
    entries = sorted(golden.read(GOLDEN).items(), key=lambda entry: entry[1].get("kind_version", 0))
    return {name.split()[1]: (name, entry) for name, entry in entries}


def _references(part: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """What the texts of a component refer to, by their paths."""
    if isinstance(part, dict):
        if "x-ref" in part:
            yield path, part["x-ref"]
        for key, inner in part.items():
            yield from _references(inner, f"{path}.{key}".removeprefix("."))
    elif isinstance(part, list):
        for at, inner in enumerate(part):
            yield from _references(inner, f"{path}[{at}]")


def _sent(component: Schema, components: dict[str, Schema], wire_name: str) -> Schema:
    """A component with all that it consists of, as `_stored` says it."""
    shape: Schema = _plain(component, components, ())
    if wire_name.startswith("event "):
        shape["properties"] = {name: part for name, part in shape["properties"].items() if name not in PLACE}
        shape["required"] = [name for name in shape["required"] if name not in PLACE]
    return shape


def _plain(part: Any, components: dict[str, Schema], within: tuple[str, ...]) -> Any:
    """A schema without prose, with components in place of their references."""
    if not isinstance(part, dict):
        return [_plain(inner, components, within) for inner in part] if isinstance(part, list) else part
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return {"again": name} if name in within else _plain(components[name], components, (*within, name))
    shape = {key: _plain(inner, components, within) for key, inner in part.items() if key not in PROSE}
    if "properties" in part:
        fields = part["properties"].items()
        shape["properties"] = {name: _plain(field, components, within) for name, field in fields}
        shape["required"] = sorted(part.get("required", []))
    return _canonical(shape)


def _stored(part: Any, wire_name: str) -> Any:
    """A stored shape as the document would say it."""
    if not isinstance(part, dict):
        return [_stored(inner, wire_name) for inner in part] if isinstance(part, list) else part
    shape = {key: _stored(inner, wire_name) for key, inner in part.items() if key not in ONLY_STORED}
    if "fields" in part:
        tag = {key: {"enum": [name]} for key, name in part.get("tag", {}).items()}
        required = [*tag, *_always_there(part, wire_name)]
        shape["properties"] = tag | {
            field["name"]: _field(field, wire_name, is_required=field["name"] in required)
            for field in part["fields"]
        }
        shape["required"] = sorted(required)
    if "prefixItems" in part:
        shape |= dict.fromkeys(("minItems", "maxItems"), len(part["prefixItems"]))
    if "pattern" in part:
        shape["pattern"] = part["pattern"].replace(r"\A", "^").replace(r"\Z", "$")
    return _canonical(shape)


def _field(field: Schema, wire_name: str, *, is_required: bool) -> Schema:
    schema: Schema = _stored(field["schema"], wire_name)
    has_default = not is_required and field["default"] != "unset"
    return schema | ({"default": field["default"]} if has_default else {})


def _always_there(struct: Schema, wire_name: str) -> Iterator[str]:
    """The fields that a command has to have, or that an event never leaves out."""
    may_be_left_out = wire_name.startswith("command ") or struct.get("omits_defaults", False)
    for field in struct["fields"]:
        if "default" not in field or (field["default"] != "unset" and not may_be_left_out):
            yield field["name"]


def _canonical(shape: Schema) -> Schema:
    """The same where there are two ways to say it."""
    if "const" in shape:
        return {"enum": [shape["const"]]} | {key: inner for key, inner in shape.items() if key == "default"}
    if "enum" in shape:
        shape.pop("type", None)
        shape["enum"] = sorted(shape["enum"], key=str)
    if shape.get("additionalProperties") == {}:
        del shape["additionalProperties"]
    if "propertyNames" in shape:
        limits = shape.pop("propertyNames").items()  # which names there are, the document does not say
        names = {key: limit for key, limit in limits if key not in {"enum", "type"}}
        shape |= {"propertyNames": names} if names else {}
    choices = shape.pop("oneOf", None) or shape.pop("anyOf", None)
    if choices is not None:
        flat = [inner for choice in choices for inner in choice.get("anyOf", [choice])]
        shape["anyOf"] = sorted(flat, key=lambda choice: json.dumps(choice, sort_keys=True))
    return shape
