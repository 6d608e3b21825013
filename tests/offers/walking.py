"""Walks a command field by field, as a form is filled in, and finds what its choices do not list."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from domain.field_references import Given
from domain.offers.field_values import Path
from domain.offers.fields import Field, fields_of
from domain.offers.possible_commands import Offer, Offers


def walked(offers: Offers, command: Any) -> Iterator[str]:
    """Everything in a command that was not offered when it was filled in, one field after the other."""
    said: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(command))
    given: dict[str, Any] = {}
    for field in (*_in_order(type(command), said), None):
        offer = offers.offer(type(command), given, () if field is None else [field.name])
        if offer is None or offer.possible == "no":
            yield f"with {given}: {_reason(offer)}"
            return
        if field is not None:
            yield from (f"with {[*given]}: {each}" for each in unlisted(field, said[field.name], offer))
            given[field.name] = said[field.name]


def _in_order(kind: type[Any], said: Given) -> Iterator[Field]:
    """The fields to fill in, each after those that it depends on."""
    left = [each for each in fields_of(kind) if each.name in said and not _is_default(each, said[each.name])]
    while left:
        names = {each.name for each in left}
        field = next(each for each in left if not names.difference((each.name,)).intersection(each.depends))
        left.remove(field)
        yield field


def _reason(offer: Offer | None) -> str:
    if offer is None:
        return "it happens by itself"
    return "no reason" if offer.refusal is None else f"{offer.refusal.code}: {offer.refusal}"


def _is_default(field: Field, value: Any) -> bool:
    return not field.required and value == msgspec.json.decode(msgspec.json.encode(field.default))


PLAIN: dict[str, Any] = {
    "number": int,
    "text": str,
    "flag": bool,
    "record": dict,
    "position": dict,
    "list": list,
    "map": dict,
}
"""What values of a kind are in JSON; choices may be anything."""


def unlisted(field: Field, value: Any, offer: Offer, path: Path = ()) -> Iterator[str]:
    """What of a field's value the field does not list."""
    if value is None:
        if not field.nullable:
            yield f"{field.name} may not be null"
        return
    if field.variants:
        found = [[*unlisted(each, value, offer, path)] for each in field.variants]
        yield from min(found, key=len)
        return
    here = (*path, field.name)
    plain = PLAIN.get(field.kind)
    if plain is not None and not isinstance(value, plain):
        yield f"{here} is no {field.kind}: {value!r}"
        return
    match field.kind:
        case "choice" | "flag" | "any":
            yield from _unchosen(field, value, offer, here)
        case "number":
            yield from _out_of_bounds(here, value, *offer.bounds.get(here, (field.least, field.most)))
        case "text":
            yield from _out_of_bounds(here, len(value), field.least, field.most)
            if field.pattern is not None and re.search(field.pattern, value) is None:
                yield f"{here} is not like {field.pattern}: {value!r}"
        case "record" | "position":
            yield from _of_record(field, value, offer, here)
        case _:
            yield from _of_many(field, value, offer, here)


def _unchosen(field: Field, value: Any, offer: Offer, here: Path) -> Iterator[str]:
    if field.kind == "flag":
        return
    listed = offer.choices.get(here)
    if listed is None and field.kind == "any":
        return  # any value may stand there
    if listed is None:
        yield f"{here} has no choices"
        return
    found = [each for each in listed if msgspec.to_builtins(each.value) == value]
    if not found:
        yield f"{here} lists no {value!r} among {[each.value for each in listed]}"
    elif found[0].refusal is not None:
        yield f"{here} refuses {value!r}: {found[0].refusal.code} {found[0].refusal}"


def _out_of_bounds(here: Path, size: int, least: int | None, most: int | None) -> Iterator[str]:
    if (least is not None and size < least) or (most is not None and size > most):
        yield f"{here} is {size}, not from {least} to {most}"


def _of_record(field: Field, value: Mapping[str, Any], offer: Offer, here: Path) -> Iterator[str]:
    parts = {each.name: each for each in field.fields}
    config = field.struct.__struct_config__ if field.struct is not None else None
    tag = None if config is None else config.tag_field
    for name, each in value.items():
        if name == tag:
            if config is not None and each != config.tag:
                yield f"{here} is no {each!r}"
        elif name not in parts:
            yield f"{here} has no {name!r}"
        elif not _is_default(parts[name], each):
            yield from unlisted(parts[name], each, offer, here)


def _of_many(field: Field, value: Any, offer: Offer, here: Path) -> Iterator[str]:
    yield from _out_of_bounds(here, len(value), field.least, field.most)
    assert field.item is not None
    if field.kind == "map":
        assert field.key is not None
        for key in value:
            yield from unlisted(field.key, key, offer, here)
        value = value.values()
    for each in value:
        yield from unlisted(field.item, each, offer, here)
