"""The candidates for a field: its choices, and some values of everything else."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, zip_longest
from typing import Any, TypeAlias

from domain.field_references import Given
from domain.offers.fields import Field

Path: TypeAlias = tuple[str, ...]
"""Where a value stands in a command: field names, with `key` and `item` in maps and lists."""

FEW = 60
"""So many values of one field are tried at most."""
SOME_NUMBERS = (1, 0, 2, 3, 4, 6, 10)
ALIKE_MAX = 2
"""One of them may stand in another field, which this one must differ from."""
SOME_WORDS = "…"
NOTHING = object()
DIFFERENT, FIRST = "different", "first"

Recall: TypeAlias = Callable[[Any, Callable[[], list[Any]]], list[Any]]
"""The values under a key: those from before, or those that a function finds."""

Depended: TypeAlias = tuple[str, ...]
"""The values of the fields that another one depends on, in words that can be compared."""


def depended_on(field: Field, inputs: Given) -> Depended:
    """The values of the fields that a field or any part of it depends on."""
    return tuple([str(inputs.get(name)) for name in field.depends])


class Values:
    """The values of fields, as things are, worked out once for each value of the fields that each depends on.

    `find` gives the candidates of a kind; of the given fields it may look at the one depended on. `alike`
    gives for a kind what the rules look at of a value: of those in which it is the same, two are tried for all.
    `recall` is asked for what may have been found before for others who look for the same.
    """

    def __init__(
        self,
        find: Callable[[str, Given], Iterable[Any]],
        alike: Callable[[str], Callable[[Any], Any]] | None = None,
        recall: Recall | None = None,
    ) -> None:
        self._find = find
        self._alike = alike
        self._recall = recall or _recall_in({})
        self._some: dict[tuple[int, Depended], list[Any]] = {}

    def choices(self, field: Field, inputs: Given) -> list[Any]:
        """All that may be chosen in a field; empty where it is no choice."""
        ref = field.ref
        if ref is None:
            return [*field.values]
        return self._recall(
            (ref, field.depends_on, depended_on(field, inputs)),
            lambda: [*{repr(choice): choice for choice in self._find(ref, inputs)}.values()],
        )

    def listed(self, field: Field, inputs: Given, path: Path = ()) -> Iterator[tuple[Path, list[Any]]]:
        """The choices of a field and of every part of it that has some, by their paths."""
        path = (*path, field.name)
        if field.kind == "choice" or field.ref is not None:
            yield path, self.choices(field, inputs)
        for part in (*field.parts, *field.variants):
            yield from self.listed(part, inputs, path[:-1] if part in field.variants else path)

    def ends(self, field: Field, inputs: Given, path: Path = ()) -> Iterator[tuple[Field, Path, list[int]]]:
        """A field and every part of it with bounds, its path, and the numbers among which they lie, in order."""
        path = (*path, field.name)
        if field.ends is not None:
            least, most = number_range(field)
            numbers = {number for number in self._find(field.ends, inputs) if least <= number <= most}
            yield field, path, sorted(numbers)
        for part in (*field.parts, *field.variants):
            yield from self.ends(part, inputs, path[:-1] if part in field.variants else path)

    def some(self, field: Field, inputs: Given) -> list[Any]:
        """Values to try, the likeliest first: all choices, and a few free values."""
        key = (id(field), depended_on(field, inputs) if field.depends else ())
        values = self._some.get(key)
        if values is None:
            values = self._some[key] = self._few_values(field, inputs)
        return values

    def has_some(self, field: Field) -> bool:
        """Whether a required field has a value in any case; False where that depends on other fields."""
        ref = field.ref
        if field.depends:
            return False
        if ref is None or field.kind not in ("choice", "any"):
            return bool(self.some(field, {}))
        return bool(self._recall((ref, None, (), FIRST), lambda: [*islice(self._find(ref, {}), 1)]))

    def different(self, field: Field, inputs: Given) -> list[Any]:
        """The choices of a field, but only the first ones of those that are alike."""
        ref, alike = field.ref, self._alike
        if ref is None or alike is None:
            return self.choices(field, inputs)
        return self._recall(
            (ref, field.depends_on, depended_on(field, inputs), DIFFERENT),
            lambda: [*_first_alike(alike(ref), self.choices(field, inputs))],
        )

    def _few_values(self, field: Field, inputs: Given) -> list[Any]:
        values: list[Any] = [] if field.required else [field.default]
        for candidate in islice(self._of(field, inputs), FEW):
            if candidate not in values:
                values.append(candidate)
        if field.nullable and None not in values:
            values.append(None)
        return values

    def _of(self, field: Field, inputs: Given) -> Iterator[Any]:
        if field.variants:
            yield from _by_turns([self._of(variant, inputs) for variant in field.variants])
            return
        match field.kind:
            case "choice" | "flag":
                yield from self.different(field, inputs)
            case "number":
                yield from _numbers(field)
            case "text":
                yield from self.different(field, inputs) if field.ref is not None else ()
                yield from _texts(field)
            case "record" | "position":
                yield from self._records(field, inputs)
            case "list":
                yield from self._lists(field, inputs)
            case "map":
                yield from self._maps(field, inputs)
            case "any":
                yield from self.choices(field, inputs)

    def _records(self, field: Field, inputs: Given) -> Iterator[dict[str, Any]]:
        """A record with the first value of each part that has to be said, then others of each part by turns."""
        first = self._record(field, inputs, {})
        if first is not None:
            yield first
            yield from _by_turns([self._others(field, part, first, inputs) for part in field.fields])

    def _others(self, field: Field, part: Field, first: dict[str, Any], inputs: Given) -> Iterator[dict[str, Any]]:
        """Records with other values of a part than the first one."""
        for value in self.some(part, {**inputs, **first}):
            if value != first.get(part.name) and (value is not None or part.name in first):
                other = self._record(field, inputs, {part.name: value})
                yield from () if other is None else (other,)

    def full(self, field: Field, inputs: Given) -> Iterator[dict[str, Any]]:
        """A record with the first value of each part that says something; none where a part has no value."""
        record: dict[str, Any] = {}
        for part in field.fields:
            value = next(
                (option for option in self.some(part, {**inputs, **record}) if option not in (None, [], {})), None
            )
            if value is not None:
                record[part.name] = value
        whole_record = self._record(field, inputs, record)
        yield from () if whole_record is None else (whole_record,)

    def _record(self, field: Field, inputs: Given, fixed: dict[str, Any]) -> dict[str, Any] | None:
        """A record with the first value of each required part, but for the fixed ones."""
        config = field.struct.__struct_config__ if field.struct is not None else None
        record = {config.tag_field: config.tag} if config is not None and config.tag_field is not None else {}
        record |= fixed
        for part in field.fields:
            if part.required and part.name not in fixed:
                values = self.some(part, {**inputs, **record})
                if not values:
                    return None
                record[part.name] = values[0]
        return record

    def _lists(self, field: Field, inputs: Given) -> Iterator[list[Any]]:
        """The shortest lists first, then each value alone, then all of them."""
        assert field.item is not None
        least, most = field.least or 0, FEW if field.most is None else field.most
        values = self.some(field.item, inputs)
        if least == 0:
            yield []
        if values and least <= 1 <= most:
            yield from ([element] for element in values)
        if len(values) > 1 and least <= len(values) <= most:
            yield values
            yield values[::-1]
        if values and least > 1:
            yield [values[nth % len(values)] for nth in range(least)]

    def _maps(self, field: Field, inputs: Given) -> Iterator[dict[Any, Any]]:
        assert field.item is not None
        assert field.key is not None
        if not field.least:
            yield {}
        keys, values = self.some(field.key, inputs), self.some(field.item, inputs)
        for value in values:
            if keys:
                yield dict.fromkeys(keys, value)
        for key in keys:
            for value in values:
                yield {key: value}


def _by_turns(several: list[Iterator[Any]]) -> Iterator[Any]:
    """One value of each, then the next of each."""
    for values in zip_longest(*several, fillvalue=NOTHING):
        yield from (element for element in values if element is not NOTHING)


def number_range(field: Field) -> tuple[int, int]:
    """The least and the most that may ever stand in a field."""
    return -(2**31) if field.least is None else field.least, 2**31 if field.most is None else field.most


def _recall_in(values: dict[Any, list[Any]]) -> Recall:
    def recall(key: Any, find: Callable[[], list[Any]]) -> list[Any]:
        if key not in values:
            values[key] = find()
        return values[key]

    return recall


def _first_alike(alike: Callable[[Any], Any], choices: list[Any]) -> Iterator[Any]:
    counts = Counter[Any]()
    for choice in choices:
        kind = repr(alike(choice))
        counts[kind] += 1
        if counts[kind] <= ALIKE_MAX:
            yield choice


def _numbers(field: Field) -> Iterator[int]:
    least, most = number_range(field)
    if field.paid:
        yield from (number for number in (1, 0) if least <= number <= most)
        return
    yield from (number for number in SOME_NUMBERS if least <= number <= most)
    if field.least is not None:
        yield field.least
    if field.most is not None:
        yield field.most


def _texts(field: Field) -> Iterator[str]:
    if field.values:
        yield from field.values
    elif field.pattern is None or field.pattern == r"\S":
        yield SOME_WORDS * max(1, field.least or 0)
    else:
        yield "x"
