"""Structs in the OpenAPI document: their names there, and msgspec's description of them."""

from collections.abc import Iterable, Mapping, Sequence
from inspect import cleandoc
from typing import Any, get_args, get_origin

import msgspec
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from msgspec import UNSET, Struct, inspect, structs

from domain.campaign.command_request import ActionBody, ActRequest
from domain.sentences import Sentence
from projections.word_list import struct_name

Schema = dict[str, Any]

COMPONENTS = "#/components/schemas/"
SENTENCE = COMPONENTS + Sentence.__name__
TEXT = {"type": "string"}


STANDS_FOR: dict[type[Struct], type[Struct]] = {ActionBody: ActRequest}
"""Structs that are named in the document as those whose place they took: generated clients know these names."""


class StructReferences(OpenAPISchemaPlugin):
    """Tells Litestar what structs are called, not what they look like; `kinds` are those it has asked about."""

    def __init__(self) -> None:
        self.kinds: list[type[Struct]] = []

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Whether a field is a struct."""
        return not field_definition.is_union and field_definition.is_subclass_of(Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Any:
        """A schema that only says what the struct's component is going to be called."""
        kind = field_definition.annotation
        self.kinds.append(kind)
        title = component_name(kind)
        return schema_creator.create_component_schema(
            field_definition, required=[], property_fields={}, title=title
        )


def component_name(kind: type[Struct]) -> str:
    """A struct's name in the document; one of a rule system by its system, too: `AngstCallTest`."""
    plain: type[Struct] = get_origin(kind) or kind
    return struct_name(STANDS_FOR.get(plain, plain)) + "".join(
        argument.__name__[0].upper() + argument.__name__[1:] for argument in get_args(kind)
    )


def name_of(*words: str) -> str:
    """A name made of wire names: of `frame_state` and `mission`, `FrameStateMission`."""
    return "".join(word.title().replace("_", "") for word in words)


def reference(name: str) -> Schema:
    """Where a component is described."""
    return {"$ref": COMPONENTS + name}


def structs_in(shapes: Iterable[Any]) -> list[type[Struct]]:
    """Every struct in these types, however deep, but sentences, which are told as text."""
    kinds: dict[type[Struct], None] = {}
    stack: list[Any] = [inspect.multi_type_info(shapes)]
    while stack:
        match stack.pop():
            case inspect.StructType(cls=kind, fields=fields):
                if kind not in kinds and not issubclass(get_origin(kind) or kind, Sentence):
                    kinds[kind] = None
                    stack += [field.type for field in fields]
            case inspect.Type() as shape:
                stack += structs.astuple(shape)
            case tuple() as several:
                stack += several
    return [*kinds]


def described(kinds: Iterable[type[Struct]], bodies: Iterable[type[Struct]]) -> dict[str, Schema]:
    """The schemas of structs by their names in the document; `bodies` are those that clients may send."""
    kinds, bodies = [*kinds], {*bodies}
    places, plain = msgspec.json.schema_components(kinds, ref_template=COMPONENTS + "{name}")
    by_place = {place["$ref"]: kind for place, kind in zip(places, kinds, strict=True)}
    names = {place: COMPONENTS + component_name(kind) for place, kind in by_place.items()}
    assert len({*names.values()}) == len(kinds), "two structs have the same name in the OpenAPI document"
    return {
        component_name(kind): _component(
            renamed(plain[place.removeprefix(COMPONENTS)], names), kind, kind in bodies
        )
        for place, kind in by_place.items()
    }


def one_of(kinds: Iterable[type[Struct]]) -> Schema:
    """The schema of one of several kinds of commands or events, told apart by their `type`."""
    mapping = {str(kind.__struct_config__.tag): COMPONENTS + component_name(kind) for kind in kinds}
    several = [{"$ref": place} for place in mapping.values()]
    return {"oneOf": several, "discriminator": {"propertyName": "type", "mapping": mapping}}


def _component(schema: Schema, kind: type[Struct], is_sent: bool) -> Schema:
    """A struct's schema; one that is only answered has all fields, unless it leaves out those that say nothing."""
    config = (get_origin(kind) or kind).__struct_config__
    schema["title"] = component_name(kind)
    if "description" in schema:
        schema["description"] = cleandoc(schema["description"])
    if not (is_sent or config.omit_defaults or config.array_like):
        left_out = {field.encode_name for field in structs.fields(kind) if field.default is UNSET}
        properties = schema.setdefault("properties", {})
        schema["required"] = [name for name in properties if name not in left_out]
        for name in schema["required"]:
            properties[name].pop("default", None)
    return schema


def renamed(part: Any, names: Mapping[str, str]) -> Any:
    """A part of a schema with other references; sentences are text, and enumerations have a type."""
    match part:
        case {"$ref": place}:
            return TEXT if place == SENTENCE else {"$ref": names.get(place, place)}
        case {"enum": values, **rest}:
            return rest | enumeration(values)
        case {"anyOf": [{"type": "string"} as text, {"$ref": place}]} if place == SENTENCE:
            return text
        case dict():
            return {key: renamed(inner, names) for key, inner in _legible(part).items()}
        case list():
            return [renamed(inner, names) for inner in part]
    return _pattern(names.get(part, part)) if isinstance(part, str) else part


def enumeration(values: Sequence[str | int]) -> Schema:
    """The schema of one of these values. Some generators take values without a type for anything."""
    kind = "string" if isinstance(values[0], str) else "integer"
    return {"type": kind, "const": values[0]} if len(values) == 1 else {"type": kind, "enum": values}


def _legible(schema: Schema) -> Schema:
    """A schema without what some generators cannot read: arrays of anything, and structs as defaults."""
    match schema:
        case {"anyOf": _, "default": {"type": _}, **rest}:
            return {**rest, "anyOf": schema["anyOf"]}
        case {"items": False, "prefixItems": several, **rest}:
            return {**rest, "prefixItems": several, "maxItems": len(several)}
        case {"type": "array"} if not {"items", "prefixItems"} & set(schema):
            return {**schema, "items": {}}
    return schema


def _pattern(text: str) -> str:
    """A text; a regular expression that holds for all of a text, as JSON Schema writes it."""
    return f"^{text[2:-2]}$" if text.startswith(r"\A") and text.endswith(r"\Z") else text
