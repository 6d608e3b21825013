"""Puts a choice into the field that it is a part of: a key into its map, an item into its list."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from domain.offers.fields import Field
from domain.offers.values import Path, Values
from domain.references import Given

BESIDE_MAX = 6
"""So many values of another part are tried beside it."""
CHANGES_MAX = 2
"""In so many records, one within the other, another part is changed beside it."""


class Holder:
    """Finds values of fields that hold a choice, where a command says what is `given`."""

    def __init__(self, values: Values, given: Given) -> None:
        self._values = values
        self._given = given

    def holding(self, field: Field, path: Path, value: Any, wholes: Sequence[Any]) -> Iterator[tuple[Any, int]]:
        """Values of a field that have this one at a path within them, each with which of `wholes` it is made from.

        First those of `wholes` that have it already; then each of them with nothing else changed, then with more
        and more of what stands beside it. Without any, they are made from nothing.
        """
        yield from ((whole, nth) for nth, whole in enumerate(wholes) if holds(field, path, value, whole))
        for changes in range(CHANGES_MAX + 1):
            for nth, whole in enumerate(wholes or [None]):
                for held in self._holding(field, path, value, whole, self._given, changes):
                    yield held, nth

    def _holding(
        self, field: Field, path: Path, value: Any, now: Any, given: Given, changes: int
    ) -> Iterator[Any]:
        """The same where a field is `now` something; None where it is nothing yet."""
        for variant in field.variants:
            yield from self._holding(variant, path, value, now, given, changes)
        if not path:
            yield from () if changes else (value,)
            return
        for part in field.parts:
            if part.name == path[0]:
                yield from self._in_part(field, part, path[1:], value, now, given, changes)

    def _in_part(
        self, field: Field, part: Field, path: Path, value: Any, now: Any, given: Given, changes: int
    ) -> Iterator[Any]:
        if field.kind == "list":
            yield from self._in_list(
                field, part, path, value, now if isinstance(now, list) else [], given, changes
            )
        elif field.kind == "map":
            here = now if isinstance(now, dict) else {}
            ways = self._as_key if part is field.key else self._under_keys
            yield from ways(field, part, path, value, here, given, changes)
        else:
            yield from self._in_record(field, part, path, value, now, given, changes)

    def _in_list(
        self, field: Field, part: Field, path: Path, value: Any, now: list[Any], given: Given, changes: int
    ) -> Iterator[Any]:
        """In the place of each item there is, changed or made new, then after them, and alone."""
        for place, each in enumerate(now):
            for held in self._holding(part, path, value, each, given, changes):
                yield [*now[:place], held, *now[place + 1 :]]
        for held in self._holding(part, path, value, None, given, changes):
            for place, each in enumerate(now):
                if each != held:
                    yield [*now[:place], held, *now[place + 1 :]]
            if now:
                yield [*now, held]
            yield [held] * max(1, field.least or 1)

    def _as_key(
        self,
        field: Field,
        part: Field,
        path: Path,
        value: Any,
        now: dict[Any, Any],
        given: Given,
        changes: int,
    ) -> Iterator[Any]:
        """The map with this key as well, with nothing but this key, and with every key on an item of its own."""
        assert field.item is not None
        some = self._values.some(field.item, given)
        for key in self._holding(part, path, value, None, given, changes):
            items = [*now.values(), *some]
            for item in islice(items, BESIDE_MAX):
                yield now | {key: item}
                yield {key: item}
            yield dict(zip(self._values.some(part, given), some, strict=False))

    def _under_keys(
        self,
        field: Field,
        part: Field,
        path: Path,
        value: Any,
        now: dict[Any, Any],
        given: Given,
        changes: int,
    ) -> Iterator[Any]:
        """Under each key there is, and alone under any."""
        assert field.key is not None
        for key, each in now.items():
            for held in self._holding(part, path, value, each, given, changes):
                yield now | {key: held}
        keys = self._values.some(field.key, given)
        for held in self._holding(part, path, value, None, given, changes):
            yield from ({key: held} for key in keys)
        if not path and not changes:
            others = [each for each in self._values.some(part, given) if each != value]
            yield dict(zip(keys, [value, *others], strict=False))

    def _in_record(
        self, field: Field, part: Field, path: Path, value: Any, now: Any, given: Given, changes: int
    ) -> Iterator[Any]:
        """In the record there is, or in new ones: with as little as has to be said, and with everything said."""
        made = [each for each in self._values.some(field, given) if isinstance(each, dict)]
        for record in [now] if isinstance(now, dict) else [*made[:1], *self._values.full(field, given)]:
            within = {**given, **record}
            for held in self._holding(part, path, value, record.get(part.name), within, changes):
                yield record | {part.name: held}
            if changes:
                for held in self._holding(part, path, value, record.get(part.name), within, changes - 1):
                    yield from self._beside(field, record, {part.name: held}, within)

    def _beside(
        self, field: Field, record: Mapping[str, Any], held: dict[str, Any], given: Given
    ) -> Iterator[dict[str, Any]]:
        for other in field.fields:
            if other.name not in held:
                now = record.get(other.name)
                others = (
                    each for each in self._of_other(field, other, now, held, given) if each not in (None, now)
                )
                for each in islice(others, BESIDE_MAX):
                    yield {**record, other.name: each, **held}

    def _of_other(self, field: Field, other: Field, now: Any, held: dict[str, Any], given: Given) -> Iterator[Any]:
        """Values of another part; a list of the same kind of things has what is held, too."""
        for part in field.fields:
            is_alike = other.item is not None and part.ref is not None and part.ref == other.item.ref
            if is_alike and part.name in held and isinstance(now, list) and held[part.name] not in now:
                yield [*now, held[part.name]]
                yield [held[part.name]]
        yield from self._values.some(other, {**given, **held})


def holds(field: Field, path: Path, value: Any, whole: Any) -> bool:
    """Whether a field's value has another one at a path within it."""
    if any(holds(variant, path, value, whole) for variant in field.variants):
        return True
    if not path:
        return bool(whole == value)
    part = next((each for each in field.parts if each.name == path[0]), None)
    if part is None:
        return False
    return any(holds(part, path[1:], value, each) for each in _within(field, part, whole))


def _within(field: Field, part: Field, whole: Any) -> Iterator[Any]:
    """What stands in a part of a value."""
    if field.kind == "list":
        yield from whole if isinstance(whole, list | tuple) else ()
    elif isinstance(whole, Mapping):
        if field.kind == "map":
            yield from whole if part is field.key else whole.values()
        elif part.name in whole:
            yield whole[part.name]
