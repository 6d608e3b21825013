"""Puts a choice into the field that it is a part of: a key into its map, an item into its list."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from domain.field_references import Given
from domain.offers.field_values import Path, Values
from domain.offers.fields import Field

BESIDE_MAX = 6
"""So many values of another part are tried beside it."""
CHANGES_MAX = 2
"""In so many records, one within the other, another part is changed beside it."""


class Holder:
    """Finds values of fields that hold a choice, where a command already says its `inputs`."""

    def __init__(self, values: Values, inputs: Given) -> None:
        self._values = values
        self._inputs = inputs

    def holding(self, field: Field, path: Path, value: Any, wholes: Sequence[Any]) -> Iterator[tuple[Any, int]]:
        """Values of a field that have this one at a path within them, each with which of `wholes` it is made from.

        First those of `wholes` that have it already; then each of them with nothing else changed, then with more
        and more of the parts beside it. Without any, they are made from nothing.
        """
        yield from ((whole, nth) for nth, whole in enumerate(wholes) if holds(field, path, value, whole))
        for changes in range(CHANGES_MAX + 1):
            for nth, whole in enumerate(wholes or [None]):
                for new_whole in self._holding(field, path, value, whole, self._inputs, changes):
                    yield new_whole, nth

    def _holding(
        self, field: Field, path: Path, value: Any, now: Any, inputs: Given, changes: int
    ) -> Iterator[Any]:
        """The same where a field is `now` something; None where it is nothing yet."""
        for variant in field.variants:
            yield from self._holding(variant, path, value, now, inputs, changes)
        if not path:
            yield from () if changes else (value,)
            return
        for part in field.parts:
            if part.name == path[0]:
                yield from self._in_part(field, part, path[1:], value, now, inputs, changes)

    def _in_part(
        self, field: Field, part: Field, path: Path, value: Any, now: Any, inputs: Given, changes: int
    ) -> Iterator[Any]:
        if field.kind == "list":
            yield from self._in_list(
                field, part, path, value, now if isinstance(now, list) else [], inputs, changes
            )
        elif field.kind == "map":
            here = now if isinstance(now, dict) else {}
            ways = self._as_key if part is field.key else self._under_keys
            yield from ways(field, part, path, value, here, inputs, changes)
        else:
            yield from self._in_record(field, part, path, value, now, inputs, changes)

    def _in_list(
        self, field: Field, part: Field, path: Path, value: Any, now: list[Any], inputs: Given, changes: int
    ) -> Iterator[Any]:
        """In the place of each item there is, changed or made new, then after them, and alone."""
        for place, element in enumerate(now):
            for inner in self._holding(part, path, value, element, inputs, changes):
                yield [*now[:place], inner, *now[place + 1 :]]
        for inner in self._holding(part, path, value, None, inputs, changes):
            for place, element in enumerate(now):
                if element != inner:
                    yield [*now[:place], inner, *now[place + 1 :]]
            if now:
                yield [*now, inner]
            yield [inner] * max(1, field.least or 0)

    def _as_key(
        self,
        field: Field,
        part: Field,
        path: Path,
        value: Any,
        now: dict[Any, Any],
        inputs: Given,
        changes: int,
    ) -> Iterator[Any]:
        """The map with this key as well, with nothing but this key, and with every key on an item of its own."""
        assert field.item is not None
        some = self._values.some(field.item, inputs)
        for key in self._holding(part, path, value, None, inputs, changes):
            items = [*now.values(), *some]
            for item in islice(items, BESIDE_MAX):
                yield now | {key: item}
                yield {key: item}
            yield dict(zip(self._values.some(part, inputs), some, strict=False))

    def _under_keys(
        self,
        field: Field,
        part: Field,
        path: Path,
        value: Any,
        now: dict[Any, Any],
        inputs: Given,
        changes: int,
    ) -> Iterator[Any]:
        """Under each key there is, and alone under any."""
        assert field.key is not None
        for key, element in now.items():
            for inner in self._holding(part, path, value, element, inputs, changes):
                yield now | {key: inner}
        keys = self._values.some(field.key, inputs)
        for inner in self._holding(part, path, value, None, inputs, changes):
            yield from ({key: inner} for key in keys)
        if not path and not changes:
            others = [other for other in self._values.some(part, inputs) if other != value]
            yield dict(zip(keys, [value, *others], strict=False))

    def _in_record(
        self, field: Field, part: Field, path: Path, value: Any, now: Any, inputs: Given, changes: int
    ) -> Iterator[Any]:
        """In the record there is, or in new ones: with as little as has to be said, and with everything said."""
        records = [record for record in self._values.some(field, inputs) if isinstance(record, dict)]
        for record in [now] if isinstance(now, dict) else [*records[:1], *self._values.full(field, inputs)]:
            within = {**inputs, **record}
            for inner in self._holding(part, path, value, record.get(part.name), within, changes):
                yield record | {part.name: inner}
            if changes:
                for inner in self._holding(part, path, value, record.get(part.name), within, changes - 1):
                    yield from self._beside(field, record, {part.name: inner}, within)

    def _beside(
        self, field: Field, record: Mapping[str, Any], held_part: dict[str, Any], inputs: Given
    ) -> Iterator[dict[str, Any]]:
        for other in field.fields:
            if other.name not in held_part:
                now = record.get(other.name)
                others = (
                    candidate
                    for candidate in self._of_other(field, other, now, held_part, inputs)
                    if candidate not in (None, now)
                )
                for candidate in islice(others, BESIDE_MAX):
                    yield {**record, other.name: candidate, **held_part}

    def _of_other(
        self, field: Field, other: Field, now: Any, held_part: dict[str, Any], inputs: Given
    ) -> Iterator[Any]:
        """Values of another part; a list of the same kind of things has the held value, too."""
        for part in field.fields:
            is_alike = other.item is not None and part.ref is not None and part.ref == other.item.ref
            if is_alike and part.name in held_part and isinstance(now, list) and held_part[part.name] not in now:
                yield [*now, held_part[part.name]]
                yield [held_part[part.name]]
        yield from self._values.some(other, {**inputs, **held_part})


def holds(field: Field, path: Path, value: Any, whole: Any) -> bool:
    """Whether a field's value has another one at a path within it."""
    if any(holds(variant, path, value, whole) for variant in field.variants):
        return True
    if not path:
        return bool(whole == value)
    part = next((part for part in field.parts if part.name == path[0]), None)
    if part is None:
        return False
    return any(holds(part, path[1:], value, inner) for inner in _within(field, part, whole))


def _within(field: Field, part: Field, whole: Any) -> Iterator[Any]:
    """The content of a part of a value."""
    if field.kind == "list":
        yield from whole if isinstance(whole, list | tuple) else ()
    elif isinstance(whole, Mapping):
        if field.kind == "map":
            yield from whole if part is field.key else whole.values()
        elif part.name in whole:
            yield whole[part.name]
