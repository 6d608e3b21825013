"""The things that stand on a sheet or board, each with its place.

Ids are things wherever they stand. A name is one where the view says of which kind (`ref` beside its type, as in
commands), and a key of a map where it is one of a few words of the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, inspect

from domain.campaign.play.ledger_accounts import purse_of
from domain.declared_fields import declared_fields
from domain.field_references import currency_of, ref_of
from domain.ids import is_born
from domain.offers.commands_about_things import Thing
from projections.campaign.diff import NOTHING, item_steps, steps_of, value_at

ASKED = "waits_for"
"""The field of a board that repeats things of it in what is waited for."""
Around = tuple[Thing, ...]


def things_on_sheet(view: Struct) -> list[Thing]:
    """The things of a sheet by the paths of their values; the person whose sheet it is comes first."""
    plain = msgspec.to_builtins(view)
    return [thing for thing in _of_struct(view, plain, "", ()) if value_at(plain, thing.path) is not NOTHING]


def balance_thing(account: str, currency: str, path: str = "", around: Around = ()) -> Thing:
    """The balance of an account of the ledger, of a currency or of a thing of the group."""
    kind = "thing" if is_born(currency) else "currency"
    return Thing(path, account, "account", (), around, (Thing(path, currency, kind),))


def things_on_board(view: Struct) -> list[Thing]:
    """The things of a board: those with an id once, by their ids, and all others by the paths of their values."""
    things: dict[str, Thing] = {}
    for thing in things_on_sheet(view):
        key = thing.value if thing.has_id else thing.path
        things.setdefault(key, msgspec.structs.replace(thing, path=key))
    return [*things.values()]


def things_of_value(view: Struct, path: str) -> list[Thing]:
    """The things that the value under a path of a view belongs to most closely, but for the view's own.

    The path may name things of a list in any way.
    """
    plain, things = msgspec.to_builtins(view), things_on_sheet(view)
    steps = steps_of(path)
    for length in range(len(steps), 0, -1):
        place = "".join(f"[{step}]" for step in steps[:length])
        node = value_at(plain, place)
        nearest = [thing for thing in things if steps_of(thing.path) == steps[:length]]
        if isinstance(node, dict):
            nearest = [thing for thing in things if value_at(plain, thing.path) is node]
        if nearest:
            return nearest
    return []


def _of_struct(view: Struct, plain: dict[str, Any], path: str, around: Around) -> Iterator[Thing]:
    """The thing that a struct is about, at the struct's own path, then the things in its fields."""
    fields = declared_fields(type(view))
    is_keyed = bool(around) and around[0].path == path
    own = None if is_keyed else _own_thing(view, path or fields[0].encode_name, around)
    if own is not None:
        yield own
    beside = [
        thing
        for field in fields[0 if own is None else 1 :]
        if (thing := _scalar(getattr(view, field.name), field.type, "", ())) is not None and thing.kind
    ]
    within = (*beside, *(() if own is None else (own,)), *around)
    for nth, field in enumerate(fields):
        if field.encode_name == ASKED or field.encode_name not in plain or (nth == 0 and own is not None):
            continue
        place = f"{path}.{field.encode_name}" if path else field.encode_name
        yield from _of_value(getattr(view, field.name), plain[field.encode_name], field.type, place, within)


def _own_thing(view: Struct, path: str, around: Around) -> Thing | None:
    """The thing that stands first in a struct, or in the struct that stands first in it."""
    field = declared_fields(type(view))[0]
    value = getattr(view, field.name)
    return (
        _own_thing(value, path, around) if isinstance(value, Struct) else _scalar(value, field.type, path, around)
    )


def _of_value(value: Any, plain: Any, declared: inspect.Type, path: str, around: Around) -> Iterator[Thing]:
    match value:
        case Struct():
            if isinstance(plain, dict):
                yield from _of_struct(value, plain, path, around)
        case dict():
            types = _alternative(declared, inspect.DictType)
            keys, items = (types.key_type, types.value_type) if types is not None else (inspect.AnyType(),) * 2
            for key, inner in value.items():
                place = f"{path}.{key}"
                thing = _scalar(key, keys, place, around, words=True)
                yield from () if thing is None else (thing,)
                within = around if thing is None else (thing, *around)
                yield from _of_value(inner, plain[key], items, place, within)
        case list() | tuple():
            types = _alternative(declared, inspect.CollectionType)
            items = types.item_type if types is not None else inspect.AnyType()
            for inner, text, step in zip(value, plain, _steps(value, plain), strict=True):
                yield from _of_value(inner, text, items, f"{path}[{step}]", around)
        case _:
            thing = _scalar(value, declared, path, around)
            if thing is not None and all(near.value != thing.value for near in around):
                yield thing


def _steps(items: Sequence[Any], plain: list[Any]) -> list[str]:
    """The steps to the items of a list: by the ids that stand first in them, else as differences name them."""
    own = [_own_thing(item, "", ()) for item in items if isinstance(item, Struct)]
    ids = [thing.value for thing in own if thing is not None and thing.has_id]
    return ids if len({*ids}) == len(items) else item_steps(plain)


def _scalar(value: Any, declared: inspect.Type, path: str, around: Around, *, words: bool = False) -> Thing | None:
    """The thing that a text or number names; of `words` of the rules, too."""
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    currency = next((currency for part in _parts(declared) if (currency := currency_of(_extra(part)))), "")
    if currency:
        owner = next((near for near in around if near.has_id), None)
        return owner and balance_thing(purse_of(owner.value), currency, path, around)
    kind = next((kind for part in _parts(declared) if (kind := _kind_of(part))), "")
    literal = _alternative(declared, inspect.LiteralType) if words else None
    thing = Thing(path, value, kind, () if literal is None else tuple(literal.values), around)
    return thing if kind or literal or thing.has_id else None


def _kind_of(declared: inspect.Type) -> str:
    reference = ref_of(_extra(declared))
    return "" if reference is None else reference.kind


def _extra(declared: inspect.Type) -> Mapping[str, Any]:
    return declared.extra or {} if isinstance(declared, inspect.Metadata) else {}


def _alternative(declared: inspect.Type, kind: type[Any]) -> Any:
    """The part of a type that is of this sort."""
    return next((part for part in _parts(declared) if isinstance(part, kind)), None)


def _parts(declared: inspect.Type) -> Iterator[inspect.Type]:
    """A type, and those that may stand in its place."""
    yield declared
    if isinstance(declared, inspect.Metadata):
        yield from _parts(declared.type)
    elif isinstance(declared, inspect.UnionType):
        for part in declared.types:
            yield from _parts(part)
