"""The acts of a thing: the commands that may be given now with this thing in one of their fields."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from msgspec import Struct

from domain.field_references import Given
from domain.ids import is_born
from domain.offers.choice_insertion import Holder
from domain.offers.command_search import fields_in_order
from domain.offers.field_values import Path, Values
from domain.offers.fields import Field, fields_of
from domain.offers.possible_commands import Offer
from domain.type_cache import once_per_kind

WAYS_MAX = 3
"""So many ways of putting a thing into a field that it is a part of are tried."""
DEPTH_MAX = 3
"""So deep in a field a thing is looked for: in a record of a list. A deeper part is about something else."""
ACCOUNTS = ("account", "holder")
"""The kinds of things that fields of accounts of the ledger name."""
WHO_ACTS = ("character", "pilot")
"""The fields that name who acts."""

Ask = Callable[[Given], Offer | None]
"""Asks for the offer of a command that says these fields already."""


class Thing(Struct, frozen=True):
    """Something that a value of a sheet or board stands for: a character, a weapon, an attribute.

    An id alone says which thing it is. A name that people or rules gave may stand for things of several kinds: it
    is of a `kind` of thing that fields name, or one of a few `words`; and it is what it is of its owner alone.
    """

    path: str
    """Where it stands in its view."""
    value: Any
    kind: str = ""
    words: tuple[Any, ...] = ()
    around: "tuple[Thing, ...]" = ()
    """The things that it is a part of, and those that stand beside it, the nearest first."""
    whole: "tuple[Thing, ...]" = ()
    """The things that an act has to name together with it: of a balance, the currency beside the account."""

    @property
    def has_id(self) -> bool:
        """Whether its value is an id, which stands for nothing else."""
        return isinstance(self.value, str) and is_born(self.value)

    def as_in(self, field: Field) -> Any:
        """Its value as a field names it; None where the field names no things of its kind."""
        if field.ref is None:
            with_kind = [f"{self.kind}:{word}" for word in self.words]
            for words, value in ((self.words, self.value), (with_kind, f"{self.kind}:{self.value}")):
                if words and {*words} <= {*field.values}:
                    return value
            return None
        is_kind = self.kind and (
            field.ref == self.kind or field.ref.endswith(f"_{self.kind}") or {field.ref, self.kind} <= {*ACCOUNTS}
        )
        return self.value if is_kind or self.has_id else None


class _Place(Struct, frozen=True):
    """A field of a command, or a part of it, that may name a thing: its path, and the whole field."""

    path: Path
    part: Field
    field: Field


@once_per_kind
def _places(command: type[Struct]) -> tuple[_Place, ...]:
    return tuple(
        _Place(path, part, field) for field in fields_of(command) for path, part in _named_parts(field, ())
    )


def _named_parts(field: Field, path: Path) -> Iterator[tuple[Path, Field]]:
    path = (*path, field.name)
    if len(path) > DEPTH_MAX:
        return
    if field.kind == "choice" or field.ref is not None:
        yield path, field
    for part in (*field.parts, *field.variants):
        yield from _named_parts(part, path[:-1] if part in field.variants else path)


class ActFields(NamedTuple):
    """The fields of a command that are known with a thing in one of them.

    It `is_detail` where the thing is only a part of what may be left out.
    """

    fields: Given
    is_detail: bool


def acts_of(thing: Thing, offer: Offer, values: Values, ask: Ask) -> Iterator[ActFields]:
    """The fields of a command, one way for each field that may hold the thing, with which it may be given now.

    `offer` is the whole command. The things around the thing fill in the fields that name the acting character or
    that the field depends on.
    """
    filled_fields: set[str] = set()
    for place in _places(offer.kind) if offer.possible != "no" else ():
        value = thing.as_in(place.part)
        if value is not None and place.field.name not in filled_fields:
            inputs = _with_thing(thing, value, offer, values, ask, place)
            if inputs is not None:
                filled_fields.add(place.field.name)
                yield ActFields(inputs, len(place.path) > 1 and not place.field.required)


def _with_thing(thing: Thing, value: Any, offer: Offer, values: Values, ask: Ask, place: _Place) -> Given | None:
    """The fields of a command with a thing's value in one of them; None where that is not possible now."""
    path, name = place.path, place.field.name
    context = _context(thing, offer, place.field, values)
    if context is None or not (thing.has_id or context):
        return None  # a name without its owner may be another one's
    chosen = [choice for choice in offer.choices.get(path, ()) if choice.value == value]
    if place.part.ref is None or not place.part.depends_on:
        if any(choice.refusal is not None for choice in chosen):
            return None
        if not context and len(path) == 1:
            return {name: value} if any(choice.certain for choice in chosen) else None
    if value not in values.choices(place.part, context):
        return None
    ways = (
        ({**context, name: whole} for whole in _wholes(value, offer, values, place, context))
        if len(path) > 1
        else [{**context, name: value}]
    )
    return next(
        (inputs for inputs in ways if (answer := ask(inputs)) is not None and answer.possible != "no"), None
    )


def _wholes(value: Any, offer: Offer, values: Values, place: _Place, context: Given) -> Iterator[Any]:
    """Values of a field that have the thing's value in them."""
    name, example = place.field.name, offer.example or {}
    wholes = [example[name]] if example.get(name) else []
    ways = Holder(values, {**example, **context}).holding(place.field, place.path[1:], value, wholes)
    yield from (whole for whole, _ in islice(ways, WAYS_MAX))


def _context(thing: Thing, offer: Offer, field: Field, values: Values) -> dict[str, Any] | None:
    """The acting character and the fields that a field depends on, as far as the things around the thing fit.

    None where a thing that has to be named together with it has no field.
    """
    others = [other for other in fields_in_order(offer.kind) if other.name != field.name]
    context: dict[str, Any] = {}
    for part in thing.whole:
        name = next((other.name for other in others if other.ref == part.kind), None)
        if name is None:
            return None
        context[name] = part.value
    for other in others:
        if other.name in context or not (other.name in field.depends or is_who_acts(other)):
            continue
        choices = values.choices(other, context)
        nearest = [value for near in thing.around if (value := near.as_in(other)) is not None and value in choices]
        if nearest:
            context[other.name] = nearest[0]
    return context


def is_who_acts(field: Field) -> bool:
    """Whether a field names who acts."""
    return field.ref == "character" and field.name in WHO_ACTS
