"""Text types that commands and events use, with their limits, and which of them are personal.

Free text that people write (notes, reasons, narration) is kept beside the log so that it can be erased
without breaking the hash chain: `FreeText` marks it, `personal_fields` finds it.
"""

from functools import cache
from typing import Annotated, Any, get_args, get_type_hints

from msgspec import UNSET, Meta, Struct

PERSONAL = "personal"

FreeText = Annotated[str, Meta(max_length=2000, extra={PERSONAL: True})]
"""Up to 2,000 characters of somebody's own words; erasable."""

ShortText = Annotated[str, Meta(max_length=200, extra={PERSONAL: True})]
"""Up to 200 characters of somebody's own words, on one line; erasable."""

Name = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"\S")]
"""1 to 80 characters, not only blanks: what a character, frame or mission is called."""

Key = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9_.\-]*$")]
"""1 to 64 characters in lower case: how data names an attribute, a category, a setting."""

Reference = Annotated[str, Meta(min_length=1, max_length=80)]
"""The id of something in the campaign, as an earlier event gave it."""

Amount = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
"""A whole number of currency, points or a mark: no table needs more than a thousand million."""


@cache
def personal_fields(kind: type[Struct]) -> tuple[str, ...]:
    """Wire names of the fields of a command or event that hold free text."""
    hints = get_type_hints(kind, include_extras=True)
    wire_names = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    return tuple(wire_names[field] for field in kind.__struct_fields__ if _is_personal(hints[field]))


def _is_personal(hint: Any) -> bool:
    """Whether a type is `FreeText`, alone or in a union with None or UNSET."""
    if hint is UNSET:
        return False
    metas = (meta for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, Meta))
    if any((meta.extra or {}).get(PERSONAL) for meta in metas):
        return True
    return any(_is_personal(part) for part in get_args(hint))
