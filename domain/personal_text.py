"""Text types that commands and events use, with their limits, and which of them are personal.

Free text that people write (notes, reasons, narration) is kept beside the log so that it can be erased
without breaking the hash chain: `FreeText` marks it, `personal_paths` finds it.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

from domain.type_cache import once_per_kind

PERSONAL = "personal"
LINES = "lines"
"""The mark of a text that may have several lines; every other text of a command stands on one (`one_line`)."""

FreeText = Annotated[str, Meta(max_length=2000, extra={PERSONAL: True, LINES: True})]
"""Up to 2,000 characters of personal text."""

ShortText = Annotated[str, Meta(max_length=200, extra={PERSONAL: True})]
"""Up to 200 characters of personal text on one line."""

NAME_MAX = 80
Name = Annotated[str, Meta(min_length=1, max_length=NAME_MAX, pattern=r"\S")]
"""1 to 80 characters, not only blanks: the name of a character, frame, mission or other thing without an id."""

OwnWord = Annotated[str, Meta(min_length=1, max_length=NAME_MAX, pattern=r"\S", extra={PERSONAL: True})]
"""1 to 80 characters of personal text on one line: a word of the group's own."""

Key = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9_.\-]*$")]
"""1 to 64 characters in lower case: the key of a currency, a crew, a setting.

`$` also matches before a last line break, which old logs may hold; commands are held to one line by `one_line`.
"""

Reference = Annotated[str, Meta(min_length=1, max_length=80)]
"""The id of something in the campaign, as an earlier event gave it."""

Somebody = Annotated[str, Meta(min_length=1, max_length=80), "a member by name, too"]
"""A member, by account or by name; any other name is of a person who is no member."""

AMOUNT_MAX = 1_000_000_000
Amount = Annotated[int, Meta(ge=-AMOUNT_MAX, le=AMOUNT_MAX)]
"""A whole number of currency, points or a mark, up to a thousand million."""


EACH = "*"
"""In a path: any element of a list, any value of a free object."""

Path: TypeAlias = tuple[str, ...]


@once_per_kind
def personal_paths(kind: type[Struct]) -> tuple[Path, ...]:
    """The paths of the free texts of a command or event, such as `("reactions", "*", "text")`, by wire names."""
    hints = get_type_hints(kind, include_extras=True)
    wire_names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    return tuple((wire_name, *rest) for field, wire_name in wire_names for rest in _personal(hints[field]))


def _personal(hint: Any) -> tuple[Path, ...]:
    """Paths of free texts within values of a type; `FreeText` counts alone or in a union with None or UNSET."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return personal_paths(hint)
    metas = (meta for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, Meta))
    if any((meta.extra or {}).get(PERSONAL) for meta in metas):
        return ((),)
    inner = tuple(path for part in get_args(hint) for path in _personal(part))
    return tuple((EACH, *path) for path in inner) if get_origin(hint) in (list, tuple, dict) else inner


def personal_places(plain: Any, paths: Iterable[Path], root: str) -> Iterator[tuple[Any, Any, str]]:
    """Every free text in plain JSON: its container, its key or index there, and its path as text.

    A path is `event.sheet.reactions[0].text`; the key of a free object is written like a field name.
    """
    for path in paths:
        yield from _places(plain, path, root)


def _places(part: Any, path: Path, prefix: str) -> Iterator[tuple[Any, Any, str]]:
    first, *rest = path
    keys: Iterable[Any] = [first] if isinstance(part, dict) and first in part else []
    if first == EACH:
        keys = part if isinstance(part, dict) else range(len(part))
    for key in keys:
        place = f"{prefix}[{key}]" if isinstance(key, int) else f"{prefix}.{key}"
        if rest and part[key] is not None:
            yield from _places(part[key], tuple(rest), place)
        elif not rest and isinstance(part[key], str):
            yield part, key, place
