"""Commands as the entries of a form, and back: each entry has the path of a field as its name.

`c.pilot` is a field, `c.dice.0.die` a field of the first row of a list, `c.stats.1.key` and `c.stats.1.item` a row
of a map. `:on` behind a path says that an optional part is there, `:as` which of several shapes it has, `:means`
what a suggestion stands for.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl

import msgspec
from msgspec import UNSET, Struct

from domain.offers.fields import Field, fields_of
from projections.choice_words import command_with_values
from services.errors import Malformed
from services.http.middleware.request_validation import require_plain_body

COMMAND: Final = "c"
"""The beginning of the names of a command's entries."""
ON, AS, YES, NO = ":on", ":as", "yes", "no"
MEANS: Final = ":means"
"""The entries of a text that say which value each suggestion stands for: the value, a tab, what it is called."""
IF: Final = ":if"
"""The entry of a map's row that stands there by itself: it only counts where something is said in it."""
NULL: Final = ":null"
"""The entry of a field that is said to be empty, where that is not the same as not saying it."""
CHOSEN: Final = "chosen"
"""The beginning of the name of an entry that stands for others: a choice may say several fields at once."""
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")
ENTRIES_MAX = 3_000
ROWS_MAX = 300
DEPTH_MAX = 16
"""So many parts the path of a field has at most; the rows of a deeper one would cost the square of its length."""

Entries: TypeAlias = Sequence[tuple[str, str]]
"""The entries: names and values, in the order of the form."""


def sent_entries(body: bytes) -> list[tuple[str, str]]:
    """The entries of a form that was sent."""
    return parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)[:ENTRIES_MAX]


def expand(entries: Entries) -> list[tuple[str, str]]:
    """The entries, with those that one choice of a form stands for in its place."""
    expansion: list[tuple[str, str]] = []
    for name, value in entries:
        inner = parse_qsl(value, keep_blank_values=True) if name.startswith(CHOSEN) else [(name, value)]
        expansion += [
            entry for entry in inner if not name.startswith(CHOSEN) or entry[0].startswith(f"{COMMAND}.")
        ]
    return expansion[:ENTRIES_MAX]


class FormEntries:
    """The entries by name."""

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, list[str]] = {}
        self._rows: dict[str, dict[int, None]] = {}
        for name, value in entries:
            self._values.setdefault(name, []).append(value.replace("\r\n", "\n"))
            self._note_rows(name)

    def _note_rows(self, name: str) -> None:
        path = name.partition(":")[0].split(".", DEPTH_MAX)
        if len(path) > DEPTH_MAX:
            return
        for depth, part in enumerate(path):
            if part.isascii() and part.isdigit() and len(part) < 6:  # noqa: PLR2004 — far more than there are rows
                self._rows.setdefault(".".join(path[:depth]), {})[int(part)] = None

    @property
    def names(self) -> Iterable[str]:
        """Every name under which there is something."""
        return self._values.keys()

    def last(self, name: str) -> str:
        """The last value under a name; empty if there is none."""
        return self._values.get(name, [""])[-1]

    def every(self, name: str) -> list[str]:
        """All values under a name."""
        return self._values.get(name, [])

    def rows(self, name: str) -> list[int]:
        """The numbers of a list's rows."""
        return sorted(self._rows.get(name, {}))[:ROWS_MAX]


def read_command(kind: type[Struct], inputs: FormEntries, path: str = COMMAND) -> dict[str, Any]:
    """A command as far as it is entered, as JSON has it; an entry that does not fit its field stays text."""
    return {"type": str(kind.__struct_config__.tag), **read_fields(fields_of(kind), path, inputs)}


def entries_of(kind: type[Struct], command: Mapping[str, Any], path: str = COMMAND) -> list[tuple[str, str]]:
    """The entries that a command, or a part of one, is read from; those of another struct are under its `path`."""
    return [*_entries_of_fields(fields_of(kind), path, command)]


def with_wire_values(kind: type[Struct], entries: Entries) -> Entries:
    """The entries with wire values for the words that are shown of choices. Raises `ambiguous_word`."""
    command = read_command(kind, FormEntries(entries))
    with_values = command_with_values(command, kind)
    if with_values == command:
        return entries
    pairs = zip(entries_of(kind, command), entries_of(kind, with_values), strict=False)
    values = {entry: value for entry, (_, value) in pairs}
    replaced_entries = [(name, values.get((name, value), value)) for name, value in entries]
    if read_command(kind, FormEntries(replaced_entries)) == with_values:
        return replaced_entries
    others = [(name, value) for name, value in entries if name.partition(".")[0] != COMMAND]
    return [*entries_of(kind, with_values), *others]


def read_fields(fields: Iterable[Field], path: str, inputs: FormEntries) -> dict[str, Any]:
    """The fields under a path as far as they are entered, as JSON has them."""
    pairs = ((field.name, _read_field(field, f"{path}.{field.name}", inputs)) for field in fields)
    return {name: value for name, value in pairs if value is not UNSET}


def _read_field(field: Field, path: str, inputs: FormEntries) -> Any:
    """The entry of a field; UNSET: none."""
    if field.variants:
        text = inputs.last(path + AS)
        if not (text.isascii() and text.isdigit() and int(text[:3]) < len(field.variants)):
            return UNSET
        return _read_shape(field.variants[int(text[:3])], path, inputs)
    if is_switched(field) and inputs.last(path + ON) != YES:
        return UNSET
    return _read_shape(field, path, inputs)


def is_switched(field: Field) -> bool:
    """Whether a part of a command is only there where that is said."""
    return field.kind in ("record", "position", "list", "map") and not field.required and field.default is None


def tells_null(field: Field) -> bool:
    """Whether an optional choice may be said to be empty."""
    return field.tells_null and field.nullable and field.kind == "choice"


def _read_shape(field: Field, path: str, inputs: FormEntries) -> Any:
    match field.kind:
        case "record" | "position":
            return {**_tag(field), **read_fields(field.fields, path, inputs)}
        case "list":
            return [*_read_list(field, path, inputs)]
        case "map":
            return _read_map(field, path, inputs)
        case "flag":
            return {YES: True, NO: False}.get(inputs.last(path), UNSET)
        case _:
            return _read_text(field, path, inputs)


def _read_text(field: Field, path: str, inputs: FormEntries) -> Any:
    text = inputs.last(path)
    if not text.strip() and not (text and field.kind == "text"):
        return None if field.required and field.nullable and field.kind != "any" else UNSET
    if text == NULL and tells_null(field):
        return None
    if field.is_number:
        return int(text) if WHOLE_NUMBER.fullmatch(text.strip()) else text
    if field.kind == "any":
        return _from_json(text)
    if field.ref is not None:
        meanings = (meaning.partition("\t") for meaning in inputs.every(path + MEANS))
        text = {title: value for value, _, title in meanings}.get(text, text)
    return next((choice for choice in field.values if not isinstance(choice, str) and str(choice) == text), text)


def _read_list(field: Field, path: str, inputs: FormEntries) -> Iterator[Any]:
    assert field.item is not None
    yield from (text for text in inputs.every(path) if text)  # boxes that are ticked
    for row in inputs.rows(path):
        value = _read_field(field.item, f"{path}.{row}", inputs)
        if value is not UNSET:
            yield value


def _read_map(field: Field, path: str, inputs: FormEntries) -> dict[Any, Any]:
    assert field.key is not None
    assert field.item is not None
    mapping = {}
    for row in inputs.rows(path):
        key = _read_field(field.key, f"{path}.{row}.key", inputs)
        item = _read_field(field.item, f"{path}.{row}.item", inputs)
        by_itself = inputs.last(f"{path}.{row}{IF}") == YES
        if key is not UNSET and item is not UNSET and not (by_itself and _says_nothing(field.item, item)):
            mapping[key] = item
    return mapping


def _says_nothing(field: Field, value: Any) -> bool:
    """Whether a record says no more than it would if nothing were entered."""
    usual = {part.name: part.default for part in field.fields}
    is_whole = field.kind in ("record", "position")
    return is_whole and all(part in (usual[name], None, [], {}) for name, part in value.items())


def _entries_of_fields(fields: Iterable[Field], path: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in fields:
        if field.name in values:
            yield from _entries(field, f"{path}.{field.name}", values[field.name])


def _entries(field: Field, path: str, value: Any) -> Iterator[tuple[str, str]]:
    if field.variants:
        nth = next((nth for nth, variant in enumerate(field.variants) if has_shape(variant, value)), None)
        if nth is not None:
            yield path + AS, str(nth)
            yield from _entries_of_shape(field.variants[nth], path, value)
        return
    if value is None and field.kind != "any":
        yield from [(path, NULL)] if tells_null(field) else []
        return
    if is_switched(field):
        yield path + ON, YES
    yield from _entries_of_shape(field, path, value)


def _entries_of_shape(field: Field, path: str, value: Any) -> Iterator[tuple[str, str]]:
    match field.kind:
        case "record" | "position":
            yield from _entries_of_fields(field.fields, path, value)
        case "list":
            assert field.item is not None
            for row, part in enumerate(value):
                yield from _entries(field.item, f"{path}.{row}", part)
        case "map":
            assert field.key is not None
            assert field.item is not None
            for row, (key, part) in enumerate(value.items()):
                yield from _entries(field.key, f"{path}.{row}.key", key)
                yield from _entries(field.item, f"{path}.{row}.item", part)
        case "flag":
            yield path, YES if value else NO
        case "any":
            yield path, as_text(value)
        case _:
            yield path, str(value)


def as_text(value: Any) -> str:
    """A value of any kind as it is entered: texts as they are unless they would be read as something else."""
    if isinstance(value, str) and _from_json(value) == value and value.strip():
        return value
    return json.dumps(value, ensure_ascii=False)


def _from_json(text: str) -> Any:
    """The value of a JSON text as the API takes it (no NUL, half characters, deep nesting); else the text."""
    try:
        body = text.encode()
        require_plain_body(body)
        return msgspec.json.decode(body)
    except (Malformed, ValueError, RecursionError, msgspec.DecodeError):
        return text


def has_shape(field: Field, value: Any) -> bool:
    """Whether a value as JSON has it is one of such a field."""
    match field.kind:
        case "record" | "position":
            return isinstance(value, Mapping) and _tag(field).items() <= value.items()
        case "list":
            return isinstance(value, list | tuple)
        case "map":
            return isinstance(value, Mapping)
        case "number":
            return isinstance(value, int)
        case _:
            return isinstance(value, str)


def _tag(field: Field) -> dict[str, Any]:
    """The field that says which record it is, where there are several."""
    config = None if field.struct is None else field.struct.__struct_config__
    return {} if config is None or config.tag_field is None else {config.tag_field: config.tag}
