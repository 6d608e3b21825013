"""Names, titles and keys stand on one line: a text sent by people is trimmed, or refused.

Line breaks, tabs and other control characters make two names that look the same, and give orders to terminals.
Only commands, settings and sheets are checked: texts stored before are read as stored.
Texts in own words (`FreeText`) keep their lines.
"""

import re
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, ValidationError, convert, structs

from domain.personal_text import LINES
from domain.rejection import Rejection
from domain.sentences import say
from domain.type_cache import once_per_kind

ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+(?!\n)$"
"""The pattern of a text on one line, where nothing stored is read by it."""
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that no name holds: control characters, and those that separate lines and paragraphs."""

Said = TypeVar("Said")


def on_one_line(content: Said, kind: Any) -> Said:
    """The input, as a type or its plain JSON, with every text in it trimmed that has to stand on one line.

    Raises `not_one_line`, `only_blanks`, and `named_twice` where two keys of a map are the same then.
    """
    return _struct_trimmed(content) if isinstance(content, Struct) else _trimmed(content, kind)  # type: ignore[no-any-return]


def trimmed_line(text: str) -> str:
    """A text without the blanks around it. Raises `not_one_line`."""
    if CONTROLS.search(text):
        line = CONTROLS.sub(" ", text).strip()
        raise Rejection(
            "not_one_line",
            say("“{name}” has to stand on one line, without control characters in it.", name=line),
        )
    return text.strip()


def with_controls_written(text: str) -> str:
    """A text whose control characters are written out, so that they do nothing to a terminal."""
    return CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def _trimmed(content: Any, hint: Any) -> Any:
    match content:
        case str():
            return _trimmed_text(content, hint) if str in _alternatives(hint) else content
        case Struct():
            return _struct_trimmed(content)
        case list() | tuple():
            items = _items_of(hint)
            return type(content)(_trimmed(item, items) for item in content)
        case dict():
            return _of_map(content, hint)
    return content


def _struct_trimmed(struct: Any) -> Any:
    """The struct itself where nothing in it changes, as is usual: every command comes by here."""
    changes = {}
    for field, hint, is_line, items in _lines_of(type(struct)):
        was = getattr(struct, field)
        if was is None or (is_line and type(was) is str and _is_trimmed(was)):
            continue
        now = [_trimmed(item, items) for item in was] if type(was) is list else _trimmed(was, hint)
        if now != was:
            changes[field] = now
    return structs.replace(struct, **changes) if changes else struct


def _is_trimmed(text: str) -> bool:
    """Whether a text is certainly as `_trimmed_text` leaves it: nothing that can be printed is a control."""
    return not text or (text.isprintable() and text.strip() == text)


def _items_of(hint: Any) -> Any:
    """The annotation of what is in a list."""
    lists = (kind for kind in _alternatives(hint) if get_origin(kind) in (list, tuple))
    return next((get_args(kind)[0] for kind in lists), Any)


def _trimmed_text(text: str, hint: Any) -> str:
    """A trimmed line. Raises `only_blanks` where nothing to be seen is left, and its annotation wants some."""
    line = trimmed_line(text)
    is_seen = any(character.isprintable() and not character.isspace() for character in line)
    if text and not is_seen and not _may_be_empty(hint):
        raise Rejection("only_blanks", say("Where a text is needed, it has to be more than blanks."))
    return line


def _may_be_empty(hint: Any) -> bool:
    """Whether a text on one line that an annotation allows may be empty."""
    return any(map(_takes_empty, _line_kinds(hint)))


def _takes_empty(kind: Any) -> bool:
    try:
        convert("", kind)
    except ValidationError:
        return False
    return True


def _line_kinds(hint: Any) -> Iterator[Any]:
    """The texts on one line among the alternatives of an annotation, each with its own annotation.

    msgspec 0.22.0 is asked about nothing beside a text: it may damage memory when it drops its own form of an
    annotation with more alternatives. The forms of a struct's fields stay.
    """
    inner = hint.__origin__ if get_origin(hint) is Annotated else hint
    if get_origin(inner) in (Union, UnionType):
        for part in get_args(inner):
            yield from _line_kinds(part)
    elif str in _alternatives(hint):
        yield hint


def _of_map(mapping: dict[Any, Any], hint: Any) -> dict[Any, Any]:
    """A map, or the plain JSON of a struct."""
    for kind in _alternatives(hint):
        if get_origin(kind) is dict:
            keys, values = get_args(kind)
            trimmed = {_trimmed(key, keys): _trimmed(part, values) for key, part in mapping.items()}
            if len(trimmed) < len(mapping):
                raise Rejection("named_twice", say("Two things here have the same name."))
            return trimmed
        if (
            isinstance(kind, type)
            and issubclass(kind, Struct)
            and kind.__struct_config__.tag in (None, mapping.get("type"))
        ):
            wires = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
            return {
                **mapping,
                **_changes_in(mapping, {wires[field]: part for field, part in _texts_of(kind).items()}),
            }
    return mapping


def _changes_in(fields: Mapping[str, Any], hints: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are otherwise once they are trimmed."""
    parts = (
        (field, fields[field], _trimmed(fields[field], hint)) for field, hint in hints.items() if field in fields
    )
    return {field: now for field, was, now in parts if now != was}


@once_per_kind
def _texts_of(kind: type[Struct]) -> dict[str, Any]:
    """The fields of a struct in which texts on one line may be, at any depth, with their annotations."""
    hints = get_type_hints(kind, include_extras=True)
    return {field: hints[field] for field in kind.__struct_fields__ if _has_lines(hints[field])}


@once_per_kind
def _lines_of(kind: type[Struct]) -> tuple[tuple[str, Any, bool, Any], ...]:
    """The same fields, each with whether a text there has to stand on one line, and what its list would hold."""
    return tuple(
        (field, hint, str in _alternatives(hint), _items_of(hint)) for field, hint in _texts_of(kind).items()
    )


def _has_lines(hint: Any) -> bool:
    return any(
        kind is str
        or (_is_struct(kind) and bool(_texts_of(kind)))
        or (get_origin(kind) in (list, tuple, dict) and any(map(_has_lines, get_args(kind))))
        for kind in _alternatives(hint)
    )


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _alternatives(hint: Any) -> Iterator[Any]:
    """The plain types of an annotation; texts of several lines are none of them."""
    if get_origin(hint) is Annotated:
        if not any(isinstance(meta, Meta) and (meta.extra or {}).get(LINES) for meta in hint.__metadata__):
            yield from _alternatives(hint.__origin__)
    elif hasattr(hint, "__supertype__"):
        yield from _alternatives(hint.__supertype__)
    elif get_origin(hint) in (Union, UnionType):
        for part in get_args(hint):
            yield from _alternatives(part)
    else:
        yield hint
