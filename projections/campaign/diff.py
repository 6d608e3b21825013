"""Differences between two JSON values: every field by its path, before and after."""

from typing import Any

from msgspec import Struct


class Difference(Struct, frozen=True):
    """One field that differs. `path` is like `pools.currency` or `weapons[rail lance].state`.

    `before` is null for what is new, `after` for what was removed.
    """

    path: str
    before: Any
    after: Any


def differences(before: Any, after: Any, path: str = "") -> list[Difference]:
    """Compare plain JSON values; objects field by field, lists of named objects by name."""
    if before == after:
        return []
    if isinstance(before, dict) and isinstance(after, dict):
        keys = list(dict.fromkeys([*before, *after]))
        return [
            difference
            for key in keys
            for difference in differences(before.get(key), after.get(key), f"{path}.{key}" if path else str(key))
        ]
    if isinstance(before, list) and isinstance(after, list):
        id_field = _id_field(before, after)
        if id_field is not None:
            old, new = ({str(entry[id_field]): entry for entry in side} for side in (before, after))
            return [
                difference
                for key in dict.fromkeys([*old, *new])
                for difference in differences(old.get(key), new.get(key), f"{path}[{key}]")
            ]
    return [Difference(path, before, after)]


def _id_field(before: list[Any], after: list[Any]) -> str | None:
    """The field that identifies the objects of two lists: their id if they have one, else their name."""
    every = [*before, *after]
    if not every or not all(isinstance(entry, dict) for entry in every):
        return None
    shared: list[str] = [key for key in every[0] if all(key in entry for entry in every)]
    candidates = [key for key in shared if key == "id" or key.endswith("_id")]
    candidates += [key for key in ("character", "account", "name", "key") if key in shared]
    for key in candidates:
        if all(len({str(entry[key]) for entry in side}) == len(side) for side in (before, after)):
            return key
    return None


def item_steps(items: list[Any]) -> list[str]:
    """The step of a path to each item of a list: by what identifies it, else by its index."""
    id_field = _id_field(items, [])
    return [str(nth) if id_field is None else str(entry[id_field]) for nth, entry in enumerate(items)]


NOTHING: Any = object()
"""Stands for a missing value, as distinct from null."""


def value_at(node: Any, path: str) -> Any:
    """The value under a path of `differences`, or by index: `parts[0].name`. `NOTHING` if there is none.

    A thing of a list is also found by the id that stands first in it, and with `+` by others that it has.
    """
    for step in steps_of(path):
        if isinstance(node, dict) and step in node:
            node = node[step]
        elif isinstance(node, list):
            node = _item(node, step)
        else:
            return NOTHING
    return node


def _ids_in(item: Any) -> list[str]:
    """The texts of an object, of an object in it the first one, in their order."""
    if not isinstance(item, dict):
        return []
    firsts = (next(iter(part.values()), None) if isinstance(part, dict) else part for part in item.values())
    return [text for text in firsts if isinstance(text, str)]


def steps_of(path: str) -> list[str]:
    """The steps of a path: three in `weapons[rail lance].state`."""
    return [part.removesuffix("]") for piece in path.split(".") for part in piece.split("[") if part != ""]


def _item(items: list[Any], step: str) -> Any:
    """An item of a list, found by its id or name, by what stands first in it, or by its index."""
    id_field = _id_field(items, [])
    for item in items:
        if id_field is not None and str(item[id_field]) == step:
            return item
    first, *others = step.split("+")
    matches = [ids for ids in map(_ids_in, items) if ids[:1] == [first] and {*others} <= {*ids[1:]}]
    if len(matches) == 1:
        return items[next(nth for nth, entry in enumerate(items) if _ids_in(entry) == matches[0])]
    place = int(step) if step.isascii() and step.isdigit() and len(step) < 10 else len(items)  # noqa: PLR2004 — no list is longer
    return items[place] if place < len(items) else NOTHING
